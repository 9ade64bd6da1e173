import { html, nothing } from '../html.js'
import { phaseOf } from '../times.js'
import { correctView } from './correct.js'
import { cancellation, lowering, repairForm, staffView } from './staff.js'

/**
 * @typedef {import('../app.js').Page} Page
 * @typedef {import('../app.js').Auction} Auction
 * @typedef {import('./auction.js').Detail} Detail
 */

/** What the user may do besides bidding. @param {Page} page @param {Detail} detail @param {Auction} auction */
export function offersView(page, detail, auction) {
  if (auction.result !== null) return nothing
  const { reader } = page.known
  const { session } = reader
  const isSeller = reader.isSelf(auction.id)(auction.ownerId)
  const mayLower = auction.reserveMet !== undefined && session.correct && isSeller && !session.manage
  const mayCancel = session.cancel && isSeller && (auction.bidCount === 0 || auction.cancellableUntilEnd)
  return html`
    ${session.bid && isSeller ? html`<p class="hint">${page.format.text('ownAuction')}</p>` : nothing}
    ${session.bid && !isSeller && auction.buyNowOffered ? buyView(page, detail, auction) : nothing}
    ${session.correct && isSeller && auction.bidCount === 0 ? correctView(page, detail, auction) : nothing}
    ${mayLower ? repairForm(page, detail, lowering(page, detail, auction, false)) : nothing}
    ${mayCancel ? repairForm(page, detail, cancellation(false)) : nothing}
    ${session.manage || (session.cancelAny && !isSeller) ? staffView(page, detail, auction) : nothing}`
}

/** A purchase, which is sent after a question. @param {Page} page @param {Detail} detail @param {Auction} auction */
function buyView(page, { actions }, auction) {
  const { format, known } = page
  const { text } = format
  if (phaseOf(auction, known.now()) === 'soon') return nothing
  const price = format.money(auction.buyNowPrice ?? 0, auction)
  const send = () =>
    void actions.send(page, 'buyNow', { buyerId: known.reader.user }, (data) => {
      known.reader.notePseudonym(auction.id, data.yourPseudonym)
      return { isGood: true, text: text('boughtIt', { price }) }
    })
  const ask = () =>
    page.ask({ title: text('buyNowFor', { price }), text: () => text('buyEnds'), yes: text('buyFor', { price }), send })
  return html`<button class="buy" @click=${ask}>${text('buyNowFor', { price })}</button>`
}
