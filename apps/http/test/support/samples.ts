/** The values of metrics in Prometheus’s text format, by their names and labels as written. */
export type Samples = ReadonlyMap<string, number>

export const samplesIn = (text: string): Samples =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const end = line.lastIndexOf(' ')
        return [line.slice(0, end), Number(line.slice(end + 1))]
      }),
  )

/** The labels and values of each sample of a metric that is not 0. */
export const valuesOf = (samples: Samples, metric: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...samples]
      .filter(([name, value]) => (name === metric || name.startsWith(`${metric}{`)) && value !== 0)
      .map(([name, value]) => [name.slice(metric.length), value]),
  )
