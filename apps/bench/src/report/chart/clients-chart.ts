import type { Measurement } from '../../measure/measurement.ts'
import type { Metric } from '../../measure/sample.ts'
import { element, label } from './markup.ts'
import { drawPanel, type Line } from './panel.ts'
import { seriesMark } from './series-mark.ts'
import { styleSheet } from './styles.ts'

const panels: readonly { readonly title: string; readonly metric: Metric }[] = [
  { title: 'Accepted bids per second', metric: 'acceptedPerSecond' },
  { title: 'Latency, median (ms)', metric: 'p50Ms' },
  { title: 'Latency, 99th percentile (ms)', metric: 'p99Ms' },
]

const panelWidth = 290
const panelHeight = 300
const gap = 60
const bandTop = 80
const bandHeight = bandTop + panelHeight + 60
const legendColumnWidth = 400
const legendRowHeight = 24
const width = panels.length * (panelWidth + gap) + 20
// So that the two spreads of a contestant stand side by side.
const legendColumns = 2

/**
 * The measurements by number of clients, a band of panels for each database, as an SVG that needs nothing beside it; undefined
 * when there are none.
 */
export function clientsChart(measurements: readonly Measurement[]): string | undefined {
  const bands = [...Map.groupBy(measurements, ({ database = '' }) => database)]
    .map(([database, its], index) => drawBand(database, its, index * bandHeight))
    .filter((band) => band !== undefined)
  if (bands.length === 0) return undefined
  const legendTop = bands.length * bandHeight + 20
  const legend = legendOf(measurements, legendTop)
  const height = legendTop + Math.ceil(legend.length / legendColumns) * legendRowHeight + 10
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
  }
  const frame = [
    element('title', {}, 'Accepted bids per second and latencies by number of concurrent clients'),
    element('style', {}, styleSheet),
    element('rect', { class: 'paper', width, height }),
  ]
  return `${element('svg', attributes, ...frame, ...bands, ...legend)}\n`
}

function drawBand(database: string, measurements: readonly Measurement[], top: number): string | undefined {
  const clients = [...new Set(measurements.map((measurement) => measurement.clients))].sort((a, b) => a - b)
  const drawn = panels
    .map(({ title, metric }, index) => {
      const left = gap + index * (panelWidth + gap)
      const box = { left, top: top + bandTop, width: panelWidth, height: panelHeight }
      return drawPanel({ title, clients, lines: linesOf(measurements, clients, metric) }, box)
    })
    .filter((panel) => panel !== undefined)
  if (drawn.length === 0) return undefined
  return [label(database, { class: 'title', x: gap, y: top + 30 }), ...drawn].join('\n')
}

/** A line for each series, in the order in which they were measured. */
export function linesOf(
  measurements: readonly Measurement[],
  clients: readonly number[],
  metric: Metric,
): readonly Line[] {
  const bySeries = Map.groupBy(measurements, ({ series }) => series)
  return [...bySeries].map(([series, points]) => {
    return { series, values: clients.map((count) => points.find((point) => point.clients === count)?.median[metric]) }
  })
}

function legendOf(measurements: readonly Measurement[], legendTop: number): readonly string[] {
  const labels = new Map(measurements.map(({ series, label }) => [series, label]))
  return [...labels].map(([series, text], index) => {
    const x = gap + (index % legendColumns) * legendColumnWidth
    const y = legendTop + Math.floor(index / legendColumns) * legendRowHeight + 10
    const sample = [x, x + 34].map((at) => ({ x: at, y: y - 4 }))
    return [seriesMark(series, sample), label(text, { x: x + 44, y })].join('\n')
  })
}
