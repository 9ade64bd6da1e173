import { LineChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { Measurement } from '../measure/measurement.ts'
import type { Metric } from '../measure/sample.ts'

use([LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer])

/** What stands side by side, for each database in a row of its own. */
const panels: readonly { readonly title: string; readonly metric: Metric }[] = [
  { title: 'Accepted bids per second', metric: 'acceptedPerSecond' },
  { title: 'Latency, median (ms)', metric: 'p50Ms' },
  { title: 'Latency, 99th percentile (ms)', metric: 'p99Ms' },
]

const width = 1_080
const panelWidth = 290
const panelHeight = 300
const gap = 60
const rowTop = 80
const rowHeight = rowTop + panelHeight + 60
const legendLineHeight = 24

/** Of each way to place bids, by the part of a series' name before the slash. */
const colors = new Map([
  ['insertOne', '#6e7781'],
  ['insertMany', '#24292f'],
  ['insertMany-with-keys', '#57606a'],
  ['placeBid', '#0969da'],
  ['placeBid-with-keys', '#1b7c83'],
  ['find-then-insert', '#bc4c00'],
  ['findOneAndUpdate', '#1a7f37'],
  ['transaction', '#8250df'],
])

/** Of each spread, by the part behind the slash. */
const lineTypes = new Map<string, 'dashed' | 'dotted'>([
  ['hot-auction', 'dashed'],
  ['hot-auction-with-proxy', 'dotted'],
])

/**
 * The measurements by number of clients, a row of panels for each database, as an SVG that needs nothing beside it; undefined
 * when there are none. Colours stand for the ways to place bids, broken lines for a hot auction, dotted ones for one with a proxy.
 */
export function clientsChart(measurements: readonly Measurement[]): string | undefined {
  const rows = [...Map.groupBy(measurements, ({ database = '' }) => database)]
  if (rows.length === 0) return undefined
  const drawn = rows.flatMap(([, its], row) => panels.map((panel, column) => drawPanel(its, panel, row, column)))
  const labels = [...new Set(measurements.map(({ label }) => label))]
  const legendTop = rows.length * rowHeight + 20
  const height = legendTop + Math.ceil(labels.length / 2) * legendLineHeight + 10
  // Its own paper, so that it can be read on whatever page it stands.
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption({
      animation: false,
      backgroundColor: '#ffffff',
      title: [...rows.map(([database], row) => rowTitle(database, row)), ...drawn.map(({ title }) => title)],
      legend: { data: labels, left: gap, right: gap, top: legendTop, itemWidth: 34, lineHeight: legendLineHeight },
      grid: drawn.map(({ grid }) => grid),
      xAxis: drawn.map(({ clients }, gridIndex) => {
        const name = 'concurrent clients'
        return { type: 'category', data: clients, gridIndex, name, nameLocation: 'middle', nameGap: 28 }
      }),
      yAxis: drawn.map((_, gridIndex) => ({ type: 'log', gridIndex, axisLabel: { formatter: tickText } })),
      series: drawn.flatMap(({ lines }, index) => {
        return lines.map((line) => ({ ...line, xAxisIndex: index, yAxisIndex: index }))
      }),
    })
    return `${chart.renderToSVGString()}\n`
  } finally {
    chart.dispose()
  }
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 })
const tickText = (value: number): string => compact.format(value)

const rowTitle = (text: string, row: number) => ({ text, left: gap, top: row * rowHeight + 16 })

function drawPanel(
  measurements: readonly Measurement[],
  { title, metric }: (typeof panels)[number],
  row: number,
  column: number,
) {
  const clients = [...new Set(measurements.map((measurement) => measurement.clients))].sort((a, b) => a - b)
  const left = gap + column * (panelWidth + gap)
  const top = row * rowHeight + rowTop
  return {
    clients: clients.map(String),
    title: { text: title, left, top: top - 32, textStyle: { fontSize: 13 } },
    grid: { left, top, width: panelWidth, height: panelHeight },
    lines: linesOf(measurements, clients, metric),
  }
}

/** A line for each series. A logarithmic axis has no place for 0. */
function linesOf(measurements: readonly Measurement[], clients: readonly number[], metric: Metric) {
  const bySeries = Map.groupBy(measurements, ({ series }) => series)
  return [...bySeries].map(([series, points]) => {
    const [method = '', spread] = series.split('/')
    const color = colors.get(method)
    const type = lineTypes.get(spread ?? '') ?? 'solid'
    return {
      type: 'line',
      name: points[0]?.label,
      symbol: type === 'solid' ? 'circle' : 'emptyCircle',
      symbolSize: 7,
      color,
      lineStyle: { color, width: 2, type },
      data: clients.map((count) => points.find((point) => point.clients === count)?.median[metric] || null),
    }
  })
}
