import { formatOf } from '../formats.js'
import { html, nothing } from '../html.js'
import { correctView } from './correct.js'
import { cancellation, lowering, repairForm, staffView } from './staff.js'
/** @import { Page } from '../app.js' */
/** @import { Auction } from '../client.js' */
/** @import { Detail } from './auction.js' */

/** The forms of the seller and of staff. @param {Page} page @param {Detail} detail @param {Auction} auction */
export function manageView(page, detail, auction) {
  const { reader, now } = page.known
  const { session } = reader
  const isSeller = reader.isSelf(auction.id)(auction.ownerId)
  const mayLower = auction.reserveMet !== undefined && session.correct && isSeller && !session.manage
  const isFree = formatOf(auction).isFree(auction, now())
  const mayCancel = session.cancel && isSeller && (isFree || auction.cancellableUntilEnd)
  return html`
    ${session.correct && isSeller && isFree ? correctView(page, detail, auction) : nothing}
    ${mayLower ? repairForm(page, detail, lowering(page, detail, auction, false)) : nothing}
    ${mayCancel ? repairForm(page, detail, cancellation(false)) : nothing}
    ${session.manage || (session.cancelAny && !isSeller) ? staffView(page, detail, auction) : nothing}`
}
