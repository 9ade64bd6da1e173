import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** The labels of a metric with their known values; an empty list if the values are not known. */
type Labels<Label extends string> = Readonly<Record<Label, readonly string[]>>

export type MetricFactory = ReturnType<typeof createMetricFactory>

/** Functions that add metrics to a registry. Series with known labels start at 0. */
export function createMetricFactory(registry: Registry) {
  const registers = [registry]
  return {
    registers,
    counter<Label extends string = never>(name: string, help: string, labels?: Labels<Label>): Counter<Label> {
      const counter = new Counter({ name, help, labelNames: namesOf(labels), registers })
      for (const series of knownSeries(labels)) counter.inc(series, 0)
      return counter
    },
    histogram<Label extends string = never>(
      name: string,
      help: string,
      buckets: number[],
      labels?: Labels<Label>,
    ): Histogram<Label> {
      const histogram = new Histogram({ name, help, buckets, labelNames: namesOf(labels), registers })
      for (const series of knownSeries(labels)) histogram.zero(series)
      return histogram
    },
    /** `read` returns the value for each scrape. */
    gauge(name: string, help: string, read?: () => number | Promise<number>): Gauge {
      if (read === undefined) return new Gauge({ name, help, registers })
      return new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read())
        },
      })
    },
  }
}

// The cast: the keys are the labels.
const namesOf = <Label extends string>(labels?: Labels<Label>) => Object.keys(labels ?? {}) as Label[]

/** Every combination of the known values of labels. */
const knownSeries = <Label extends string>(labels?: Labels<Label>): readonly Record<Label, string>[] =>
  Object.entries<readonly string[]>(labels ?? {}).reduce<object[]>(
    (series, [name, values]) => series.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    labels === undefined ? [] : [{}],
  ) as Record<Label, string>[] // Each has all labels.
