import { html, nothing } from '../html.js'
import { isolated } from '../times.js'

/**
 * @typedef {import('../app.js').Page} Page
 * @typedef {import('../app.js').Auction} Auction
 * @typedef {import('../history.js').Repair} Repair
 */

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
