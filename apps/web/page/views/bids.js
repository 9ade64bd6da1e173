import { formatOf } from '../formats.js'
import { html, noChange, nothing } from '../html.js'
import { isolated } from '../times.js'

/** @import { Page } from '../app.js' */
/** @import { Auction, Bid } from '../client.js' */
/** @import { Change, History } from '../history.js' */

/** @type {typeof import('./chart.js') | undefined} */
let chart
let isChartAsked = false

/** Loads the chart, which is below what readers look for first. @param {Page} page @returns {Promise<void>} */
async function loadChart(page) {
  isChartAsked = true
  chart = await import('./chart.js').catch(() => undefined)
  page.schedule()
}

/** The price over time. @param {Page} page @param {History} history @param {Auction} auction */
export function pricesView(page, history, auction) {
  if (!isChartAsked) void loadChart(page)
  if (chart === undefined) return nothing
  return html`
  <section class="panel" aria-labelledby="price-title">
    <h2 id="price-title">${page.format.text('priceOverTime')}</h2>
    ${chart.chartView(page.format, auction, pointsOf(history), history.nextCursor === null, page.known.now())}
  </section>`
}

/** The prices that a view has: of its bids, and after each withdrawal. @param {History} history */
function pointsOf({ bids, changes }) {
  const points = bids.map(({ timestamp, amount }) => ({ ms: Date.parse(timestamp), amount })).reverse()
  const [first] = points
  const falls = changes.flatMap((change) =>
    change.type === 'withdrawn' && change.currentPrice !== undefined
      ? [{ ms: Date.parse(change.timestamp), amount: change.currentPrice }]
      : [],
  )
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
      <td>${format.bidder(bid.bidderId, isSelf, bid.paddle)}${bid.automatic ? mark('automatic') : nothing}${bid.withdrawn ? mark('withdrawn') : nothing}</td>
      <td><time datetime=${bid.timestamp}>${format.moment(bid.timestamp, nowMs)}</time></td>
    </tr>`
  rows.set(bid, { isOwn, day, row })
  return row
}

/** What everyone sees of repairs and corrections. Staff see who made them. @param {Page} page @param {Auction} auction @param {readonly Change[]} changes */
export function changesView(page, auction, changes) {
  if (changes.length === 0) return nothing
  const { format } = page
  const nowMs = page.known.now()
  return html`
    <section class="panel repairs" aria-labelledby="repairs-title">
      <h2 id="repairs-title">${format.text('repairs')}</h2>
      <ul>${changes.map(
        (change) => html`
        <li>${textOf(page, auction, change)}
          <span class="hint">${change.editor === undefined ? nothing : `${format.text('editor', { editor: change.editor })} · `}<time datetime=${change.timestamp}>${format.moment(change.timestamp, nowMs)}</time></span></li>`,
      )}</ul>
    </section>`
}

/** @param {Page} page @param {Auction} auction @param {Change} change */
function textOf({ format, known: { reader, now } }, auction, change) {
  const { text } = format
  if (change.type === 'corrected') return text(change.by === 'owner' ? 'correctedBySeller' : 'corrected')
  const { reason = '' } = change
  if (change.type === 'extended')
    return text('repairExtended', { time: isolated(format.moment(change.effectiveEndTime, now())), reason })
  if (change.type === 'withdrawn') {
    const bidder = format.bidder(change.bidderId, reader.isSelf(auction.id))
    if (change.blocked === false) return text('repairUnblocked', { bidder, reason })
    return text(change.blocked ? 'repairBlocked' : formatOf(auction).withdrawal.done, { bidder, reason })
  }
  if (change.type !== 'reserve-lowered') return text('repairEnded', { reason })
  const lowered = text(change.by === 'owner' ? 'reserveLoweredBySeller' : 'repairReserve')
  return reason === '' ? lowered : `${lowered}: ${reason}`
}
