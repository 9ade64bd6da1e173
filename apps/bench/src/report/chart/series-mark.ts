import { element } from './markup.ts'
import { hotSuffix } from './styles.ts'

export type Place = { readonly x: number; readonly y: number }

/** A line through places with a dot on each, in the looks of its series: colour for the method, broken for a hot auction. */
export function seriesMark(series: string, places: readonly Place[]): string {
  const [method = '', spread] = series.split('/')
  const isHot = spread === hotSuffix
  const line = element('polyline', {
    class: method,
    points: places.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' '),
    ...(isHot ? { 'stroke-dasharray': '6 4' } : {}),
  })
  const dots = places.map(({ x, y }) =>
    element('circle', { class: isHot ? `${method} hollow` : method, cx: x, cy: y, r: 3.5 }),
  )
  return [line, ...dots].join('\n')
}
