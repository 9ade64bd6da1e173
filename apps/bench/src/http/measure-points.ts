import type { Findings, Point } from '../measure/measurement.ts'
import { measureInRounds } from '../measure/rounds.ts'
import type { Sample } from '../measure/sample.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { isPinned } from './cores.ts'
import type { LoadOrder } from './load.ts'
import { chooseLoadGenerator, type LoadGenerator } from './load-generator.ts'
import type { Service } from './service.ts'

export const connections = 64
// For so many times as long as a point takes.
const warmups = 3

export type HttpPoint = Point & {
  readonly server: Service
  readonly request: LoadOrder['request']
  readonly headers: LoadOrder['headers']
}

/** Sends load to each of the servers in turn, round by round. */
export async function measurePoints(
  points: readonly HttpPoint[],
  { httpRounds, seconds }: Options,
  progress: Progress,
): Promise<Findings> {
  const [first] = points
  if (first === undefined) return { measurements: [], notMeasured: [], notes: [] }
  progress.section(first.section, points.length * (httpRounds + 1))
  const load = chooseLoadGenerator()
  const notes = new Set([setting(load)])
  // Each server is first left to compile what it uses often.
  for (const point of points) {
    progress.begin(`warm-up: ${point.label}`)
    await load.run(orderOf(point, seconds * warmups))
    progress.end(`warm-up: ${point.label}`)
  }
  const measurements = await measureInRounds(points, httpRounds, progress, async (point) => {
    const { sample, trouble } = await measureServer(point, load, seconds)
    if (trouble !== undefined) notes.add(`${point.label}: ${trouble}`)
    return sample
  })
  return { measurements, notMeasured: [], notes: [...notes] }
}

const setting = ({ description }: LoadGenerator): string =>
  `HTTP: load by ${description} over ${connections} keep-alive connections; ` +
  (isPinned
    ? 'each server has one core for all its threads, the load another.'
    : 'neither server nor load is kept on a core, as taskset or a second core is missing: they take time from each other.')

const orderOf = ({ server, request, headers }: HttpPoint, seconds: number): LoadOrder => {
  return { origin: server.origin, callers: server.callers, request, connections, seconds, headers }
}

async function measureServer(
  point: HttpPoint,
  load: LoadGenerator,
  seconds: number,
): Promise<{ readonly sample: Sample; readonly trouble: string | undefined }> {
  await point.server.usage()
  const { sample, requests, trouble } = await load.run(orderOf(point, seconds))
  const { cpuMicros, loopDelayP99Ms } = await point.server.usage()
  return { sample: { ...sample, cpuMicrosPerRequest: cpuMicros / requests, loopDelayP99Ms }, trouble }
}
