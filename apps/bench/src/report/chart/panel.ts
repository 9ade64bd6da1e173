import { type LogScale, logScale } from './log-scale.ts'
import { element, label } from './markup.ts'
import { type Place, seriesMark } from './series-mark.ts'

/** One pair of axes: numbers of clients from left to right, a measured value upwards. */
export type Panel = {
  readonly title: string
  readonly clients: readonly number[]
  readonly lines: readonly Line[]
}

/** A series with a value for each number of clients; undefined or 0 where there is none. */
export type Line = { readonly series: string; readonly values: readonly (number | undefined)[] }

type Box = { readonly left: number; readonly top: number; readonly width: number; readonly height: number }

const tickText = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 })

/** Undefined when there is nothing to draw. */
export function drawPanel({ title, clients, lines }: Panel, box: Box): string | undefined {
  const values = lines.flatMap((line) => line.values).filter(isDrawn)
  if (values.length === 0) return undefined
  const scale = logScale(values)
  const xOf = (index: number) => box.left + (box.width * (index + 0.5)) / clients.length
  const marks = lines.map(({ series, values }) => {
    const places = values.flatMap((value, index): readonly Place[] =>
      isDrawn(value) ? [{ x: xOf(index), y: yOf(box, scale, value) }] : [],
    )
    return seriesMark(series, places)
  })
  const bottom = box.top + box.height
  return [
    label(title, { class: 'title', x: box.left, y: box.top - 14 }),
    ...scale.ticks.map((tick) => gridLine(box, yOf(box, scale, tick), tickText.format(tick))),
    ...clients.map((count, index) => label(String(count), { x: xOf(index), y: bottom + 20, 'text-anchor': 'middle' })),
    label('concurrent clients', { x: box.left + box.width / 2, y: bottom + 40, 'text-anchor': 'middle' }),
    ...marks,
  ].join('\n')
}

const isDrawn = (value: number | undefined): value is number => value !== undefined && value > 0

const yOf = ({ top, height }: Box, scale: LogScale, value: number): number => top + height * (1 - scale.share(value))

const gridLine = ({ left, width }: Box, y: number, text: string): string =>
  [
    element('line', { class: 'grid', x1: left, x2: left + width, y1: y, y2: y }),
    label(text, { x: left - 8, y: y + 4, 'text-anchor': 'end' }),
  ].join('\n')
