import { html, nothing, svg } from '../html.js'
import { endMs } from '../times.js'

/** @import { Auction } from '../client.js' */
/** @import { Format } from '../format.js' */
/** @typedef {{ ms: number, amount: number }} Point */

const width = 640
const height = 200
const margin = 8
/** The largest number of points that are shown as dots. */
const maxDots = 60
/** How much time is shown before and after the bids, as a part of theirs. */
const around = 0.25
const leastMs = 500
/** The time that is shown around a single point. */
const aloneMs = 30_000

/**
 * The time that the chart shows. It begins and ends soon before and after the bids, so that they are apart even if all are within one second.
 * @param {Point} first @param {Point} last @param {number} startMs @param {number} lastMs The end, or now.
 */
function rangeOf(first, last, startMs, lastMs) {
  const bidsMs = last.ms - first.ms
  const marginMs = bidsMs === 0 ? aloneMs : Math.max(leastMs, bidsMs * around)
  const fromMs = Math.min(first.ms, Math.max(startMs, first.ms - marginMs))
  return { fromMs, toMs: Math.max(last.ms, fromMs + 1, Math.min(lastMs, last.ms + marginMs)) }
}

/**
 * The price over time as steps, in the order of the entries: the price falls when bids are withdrawn. Text is outside the picture, so
 * that it has the size of other text.
 * @param {Format} format
 * @param {Auction} auction
 * @param {readonly Point[]} points By their order in the auction.
 * @param {boolean} isWhole Whether they are all bids.
 * @param {number} nowMs
 */
export function chartView(format, auction, points, isWhole, nowMs) {
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined)
    return html`<p class="hint">${format.text(auction.result === null ? 'noBidsYet' : 'noBids')}</p>`
  const start = isWhole ? { ms: Date.parse(auction.startTime), amount: auction.startingPrice } : first
  const { fromMs, toMs } = rangeOf(first, last, start.ms, Math.min(nowMs, endMs(auction)))
  const day = new Date(nowMs).toDateString()
  const context = [auction.id, fromMs, toMs, points.length, first.ms, last.ms, last.amount, day].join()
  const known = drawn.get(format)
  if (known?.context === context) return known.view
  const view = figureView(format, auction, { points, start, last, fromMs, toMs, nowMs })
  drawn.set(format, { context, view })
  return view
}

/** The chart that a page has, and what it depends on: the countdown renders four times a second. @type {WeakMap<object, { context: string, view: unknown }>} */
const drawn = new WeakMap()

/**
 * @param {Format} format @param {Auction} auction
 * @param {{ points: readonly Point[], start: Point, last: Point, fromMs: number, toMs: number, nowMs: number }} shown
 */
function figureView(format, auction, { points, start, last, fromMs, toMs, nowMs }) {
  const spanMs = toMs - fromMs
  const amounts = [start, ...points].map(({ amount }) => amount)
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)]
  const x = (/** @type {number} */ ms) => (((ms - fromMs) / spanMs) * width).toFixed(1)
  const y = (/** @type {number} */ amount) =>
    (least === most
      ? height / 2
      : height - margin - ((amount - least) / (most - least)) * (height - 2 * margin)
    ).toFixed(1)
  const steps = points.map(({ ms, amount }) => `H${x(ms)}V${y(amount)}`).join('')
  const values = { from: format.money(start.amount, auction), to: format.money(last.amount, auction) }
  const label = format.text('chartLabel', { ...values, count: points.length })
  return html`
    <figure>
      <p class="axis">${format.money(most, auction)}</p>
      <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label=${label}>
        <path class="area" d="M0 ${y(start.amount)}${steps}H${width}V${height}H0Z"></path>
        <path class="line" d="M0 ${y(start.amount)}${steps}H${width}"></path>
        ${points.length > maxDots ? nothing : points.map(({ ms, amount }) => svg`<line class="dot" x1=${x(ms)} y1=${y(amount)} x2=${x(ms)} y2=${y(amount)}></line>`)}
      </svg>
      ${least === most ? nothing : html`<p class="axis">${format.money(least, auction)}</p>`}
      <figcaption>
        ${[fromMs, fromMs + spanMs / 2, toMs].map((ms) => html`<span>${format.tick(ms, spanMs, nowMs)}</span>`)}
      </figcaption>
    </figure>`
}
