import { number, type Row } from '../measure/rows.ts'
import { timesFloor } from './page.ts'

const [width, labelWidth, barHeight, titleHeight] = [860, 400, 16, 36]

/** Bids as multiples of single inserts by the driver: a bar for each line with such a floor, on a logarithmic axis. */
export function chartOf(rows: readonly Row[]): string {
  const bars = rows.flatMap((row) => {
    const times = row.section === 'bids' ? timesFloor(row, rows) : undefined
    return times ? [{ store: row.store, label: `${row.label}, ${row.clients} clients`, times }] : []
  })
  const logs = bars.map(({ times }) => Math.log10(times))
  const [low, high] = [Math.min(0, ...logs), Math.max(1, ...logs)]
  const xOf = (times: number) => labelWidth + ((Math.log10(times) - low) / (high - low)) * (width - labelWidth - 60)
  const parts: string[] = []
  let y = 0
  for (const [store, its] of Map.groupBy(bars, (bar) => bar.store)) {
    y += titleHeight
    parts.push(text(10, y - 8, `${store}: times the single inserts/s of the driver`, 'font-weight="bold"'))
    for (const { label, times } of its) {
      const [from, to] = [xOf(Math.min(1, times)), xOf(Math.max(1, times))]
      const color = label.startsWith('placeBid') ? '#0969da' : '#bc4c00'
      parts.push(text(labelWidth - 8, y + 12, label, 'text-anchor="end"'))
      parts.push(`<rect x="${from}" y="${y + 2}" width="${to - from}" height="${barHeight - 4}" fill="${color}"/>`)
      parts.push(text(to + 6, y + 12, number(times)))
      y += barHeight
    }
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y + 10}" font-family="sans-serif" font-size="12">`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    ...parts,
    `<line x1="${xOf(1)}" y1="${titleHeight}" x2="${xOf(1)}" y2="${y}" stroke="#24292f"/>`,
    '</svg>\n',
  ].join('\n')
}

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x}" y="${y}" ${attributes}>${content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`
