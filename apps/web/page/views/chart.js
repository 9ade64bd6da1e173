import { endMs, moment, money } from '../format.js'
import { html, nothing, svg } from '../html.js'

const width = 640
const height = 200

/**
 * The price over time as steps. Text is outside the picture, so that it has the size of other text.
 * @param {import('../app.js').Auction} auction
 * @param {readonly import('../client/client.js').Bid[]} bids Newest first.
 * @param {boolean} isWhole Whether they are all bids.
 * @param {number} nowMs
 */
export function chartView(auction, bids, isWhole, nowMs) {
  if (bids.length === 0) return html`<p class="hint">${auction.result === null ? 'No bids yet.' : 'No bids.'}</p>`
  const points = bids.map(({ timestamp, amount }) => ({ ms: Date.parse(timestamp), amount })).reverse()
  const first = /** @type {{ ms: number, amount: number }} */ (points[0]) // There are bids.
  const last = points.at(-1) ?? first
  const start = isWhole ? { ms: Date.parse(auction.startTime), amount: auction.startingPrice } : first
  // The line ends with the auction, or now.
  const fromMs = Math.max(start.ms, first.ms - 10 * Math.max(1_000, last.ms - first.ms))
  const toMs = Math.max(Math.min(nowMs, endMs(auction)), last.ms, fromMs + 1)
  const x = (/** @type {number} */ ms) => (((ms - fromMs) / (toMs - fromMs)) * width).toFixed(1)
  const range = last.amount - start.amount
  const y = (/** @type {number} */ amount) =>
    (range === 0 ? height / 2 : height - 8 - ((amount - start.amount) / range) * (height - 16)).toFixed(1)
  const steps = points.map(({ ms, amount }) => `H${x(ms)}V${y(amount)}`).join('')
  const label = `From ${money(start.amount, auction)} to ${money(last.amount, auction)} with ${points.length} bids`
  return html`
    <figure>
      <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label=${label}>
        <path class="area" d="M0 ${y(start.amount)}${steps}H${width}V${height}H0Z"></path>
        <path class="line" d="M0 ${y(start.amount)}${steps}H${width}"></path>
        ${points.length > 60 ? nothing : points.map(({ ms, amount }) => svg`<line class="dot" x1=${x(ms)} y1=${y(amount)} x2=${x(ms)} y2=${y(amount)}></line>`)}
      </svg>
      <figcaption>
        <span>${moment(fromMs, nowMs)}<br>${money(start.amount, auction)}</span>
        <span>${moment(toMs, nowMs)}<br>${money(last.amount, auction)}</span>
      </figcaption>
    </figure>`
}
