import { html, noChange, nothing } from '../html.js'
import { isolated } from '../times.js'
import { chartView } from './chart.js'

/**
 * @typedef {import('../app.js').Page} Page
 * @typedef {import('../app.js').Auction} Auction
 * @typedef {import('../client.js').Bid} Bid
 * @typedef {import('../history.js').History} History
 * @typedef {import('../history.js').Repair} Repair
 */

/** The price over time. @param {Page} page @param {History} history @param {Auction} auction */
export const pricesView = (page, history, auction) => html`
  <section class="panel" aria-labelledby="price-title">
    <h2 id="price-title">${page.format.text('priceOverTime')}</h2>
    ${chartView(page.format, auction, pointsOf(history), history.nextCursor === null, page.known.now())}
  </section>`

/** The prices that a view has: of its bids, and after each withdrawal. @param {History} history */
function pointsOf({ bids, repairs }) {
  const points = bids.map(({ timestamp, amount }) => ({ ms: Date.parse(timestamp), amount })).reverse()
  const [first] = points
  const falls = repairs
    .filter(({ type }) => type === 'withdrawn')
    .map(({ timestamp, currentPrice: amount }) => ({ ms: Date.parse(timestamp), amount }))
  // Times never fall within an auction, and the sort is stable.
  return [...points, ...falls.filter(({ ms }) => first !== undefined && ms >= first.ms)].sort((a, b) => a.ms - b.ms)
}

/** @param {Page} page @param {History} history @param {Auction} auction */
export function bidsView(page, history, auction) {
  const { text } = page.format
  if (history.bids.length === 0) return nothing
  const earlier = () => void history.loadEarlier()
  return html`
    <section class="panel" aria-labelledby="bids-title">
      <h2 id="bids-title">${text('bidsHeading')}</h2>
      <table>
        <thead><tr><th scope="col">${text('amount')}</th><th scope="col">${text('bidder')}</th><th scope="col">${text('time')}</th></tr></thead>
        <tbody>${rowsView(page, history, auction)}</tbody>
      </table>
      ${history.nextCursor === null ? nothing : html`<button class="next" @click=${earlier}>${text('earlierBids')}</button>`}
    </section>`
}

/** The bids that a view has as rows, and what these depend on. @type {WeakMap<object, { bids: readonly Bid[], context: string }>} */
const drawn = new WeakMap()

/** The rows, only if they have changed: the countdown renders four times a second. @param {Page} page @param {History} history @param {Auction} auction */
function rowsView(page, history, auction) {
  const { reader, now } = page.known
  const { bids } = history
  const day = new Date(now()).toDateString()
  const context = [reader.user, reader.pseudonymOf(auction.id), reader.session.bid, day].join()
  const before = drawn.get(history)
  if (before?.bids === bids && before.context === context) return noChange
  drawn.set(history, { bids, context })
  return bids.map((bid) => bidView(page, bid, auction))
}

/** Rows by their bids, because formats cost more than the rest of a view. @type {WeakMap<Bid, { isOwn: boolean, day: string, row: unknown }>} */
const rows = new WeakMap()

/** @param {Page} page @param {Bid} bid @param {Auction} auction */
function bidView({ format, known: { reader, now } }, bid, auction) {
  const nowMs = now()
  const isSelf = reader.isSelf(auction.id)
  const isOwn = isSelf(bid.bidderId)
  const day = new Date(nowMs).toDateString()
  const known = rows.get(bid)
  if (known?.isOwn === isOwn && known.day === day) return known.row
  const amount = format.money(bid.amount, auction)
  const mark = (/** @type {'automatic' | 'withdrawn'} */ name) => html` <span class="mark">${format.text(name)}</span>`
  const row = html`
    <tr ?data-own=${isOwn} ?data-withdrawn=${bid.withdrawn}>
      <td class="price">${bid.withdrawn ? html`<s>${amount}</s>` : amount}</td>
      <td>${format.bidder(bid.bidderId, isSelf)}${bid.automatic ? mark('automatic') : nothing}${bid.withdrawn ? mark('withdrawn') : nothing}</td>
      <td><time datetime=${bid.timestamp}>${format.moment(bid.timestamp, nowMs)}</time></td>
    </tr>`
  rows.set(bid, { isOwn, day, row })
  return row
}

/** What everyone sees of the changes by staff. @param {Page} page @param {Auction} auction @param {readonly Repair[]} repairs */
export function repairsView(page, auction, repairs) {
  if (repairs.length === 0) return nothing
  const { format } = page
  const nowMs = page.known.now()
  return html`
    <section class="panel repairs" aria-labelledby="repairs-title">
      <h2 id="repairs-title">${format.text('repairs')}</h2>
      <ul>${repairs.map(
        (repair) => html`
        <li>${textOf(page, auction, repair)}
          <time class="hint" datetime=${repair.timestamp}>${format.moment(repair.timestamp, nowMs)}</time></li>`,
      )}</ul>
    </section>`
}

/** @param {Page} page @param {Auction} auction @param {Repair} repair */
function textOf({ format, known: { reader, now } }, auction, repair) {
  const { reason = '' } = repair
  if (repair.type === 'extended')
    return format.text('repairExtended', { time: isolated(format.moment(repair.effectiveEndTime, now())), reason })
  if (repair.type === 'withdrawn')
    return format.text(repair.blocked ? 'repairBlocked' : 'repairWithdrawn', {
      bidder: format.bidder(repair.bidderId, reader.isSelf(auction.id)),
      reason,
    })
  if (repair.type === 'reserve-lowered')
    return reason === '' ? format.text('repairReserve') : format.text('repairReserveFor', { reason })
  return format.text('repairEnded', { reason })
}
