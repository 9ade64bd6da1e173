import { isFalling } from '../falling.js'
import { html, nothing } from '../html.js'
import { phaseOf } from '../times.js'
import { askToBuy } from './buying.js'
import { correctView } from './correct.js'
import { cancellation, lowering, repairForm, staffView } from './staff.js'
/** @import { Page } from '../app.js' */
/** @import { Auction } from '../client.js' */
/** @import { Detail } from './auction.js' */

/** What the user may do besides bidding. @param {Page} page @param {Detail} detail @param {Auction} auction */
export function offersView(page, detail, auction) {
  if (auction.result !== null) return nothing
  const { reader } = page.known
  const { session } = reader
  const isSeller = reader.isSelf(auction.id)(auction.ownerId)
  const mayLower = auction.reserveMet !== undefined && session.correct && isSeller && !session.manage
  const isFree = isFalling(auction) ? phaseOf(auction, page.known.now()) === 'soon' : auction.bidCount === 0
  const mayCancel = session.cancel && isSeller && (isFree || auction.cancellableUntilEnd)
  return html`
    ${session.bid && isSeller ? html`<p class="hint">${page.format.text(isFalling(auction) ? 'ownFalling' : 'ownAuction')}</p>` : nothing}
    ${session.bid && !isSeller && auction.buyNowOffered ? buyView(page, detail, auction) : nothing}
    ${session.correct && isSeller && isFree ? correctView(page, detail, auction) : nothing}
    ${mayLower ? repairForm(page, detail, lowering(page, detail, auction, false)) : nothing}
    ${mayCancel ? repairForm(page, detail, cancellation(false)) : nothing}
    ${session.manage || (session.cancelAny && !isSeller) ? staffView(page, detail, auction) : nothing}`
}

/** A purchase for the buy-now price. @param {Page} page @param {Detail} detail @param {Auction} auction */
function buyView(page, { actions }, auction) {
  const { format, known } = page
  const { text } = format
  if (phaseOf(auction, known.now()) === 'soon') return nothing
  const price = format.money(auction.buyNowPrice ?? 0, auction)
  const ask = () => askToBuy(page, actions, auction, auction.buyNowPrice ?? 0, 'buyEnds')
  return html`<button class="buy" @click=${ask}>${text('buyNowFor', { price })}</button>`
}
