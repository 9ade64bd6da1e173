import type { Progress } from '../progress.ts'
import type { Measurement, Point } from './measurement.ts'
import { medianSample, type Sample } from './sample.ts'

/**
 * Measures every point once in each round, so that a slow phase of the machine hits all of them alike, and takes the medians.
 */
export async function measureInRounds<Measured extends Point>(
  points: readonly Measured[],
  rounds: number,
  progress: Progress,
  measure: (point: Measured) => Promise<Sample>,
): Promise<readonly Measurement[]> {
  const measured = points.map((point) => ({ point, samples: [] as Sample[] }))
  for (let round = 1; round <= rounds; round++) {
    for (const { point, samples } of measured) {
      const text = `round ${round}/${rounds}: ${point.label}, ${clientsText(point.clients)}`
      progress.begin(text)
      const sample = await measure(point)
      samples.push(sample)
      progress.end(text, sample)
    }
  }
  return measured.map(({ point: { section, series, label, clients }, samples }) => {
    return { section, series, label, clients, median: medianSample(samples), rounds: samples }
  })
}

const clientsText = (clients: number) => (clients === 1 ? '1 client' : `${clients} clients`)
