import { formatOf } from '../formats.js'
import { html, nothing } from '../html.js'
import { loadForms } from '../on-demand.js'
import { phaseOf } from '../times.js'
import { askToBuy } from './buying.js'
import { problemView } from './problem.js'
/** @import { Page } from '../app.js' */
/** @import { Auction, AuctionClientError } from '../client.js' */
/** @import { Detail } from './auction.js' */

/**
 * @typedef {object} Forms The forms of the seller and of staff.
 * @property {AuctionClientError | undefined} problem
 * @property {() => Promise<void>} load
 * @property {(page: Page, detail: Detail, auction: Auction) => unknown} draw
 */

/** Most readers only bid, so the files of these forms are loaded for those who may use them. @param {Page} page @returns {Forms} */
export function createForms(page) {
  let isAsked = false
  /** @type {Forms} */
  const forms = {
    problem: undefined,
    load() {
      isAsked = true
      return page.known.attempt(forms, async () => {
        const { manageView } = await loadForms(page, () => import('./manage.js'))
        forms.draw = manageView
      })
    },
    draw(page) {
      if (!isAsked) void forms.load()
      return problemView(page, forms)
    },
  }
  return forms
}

/** What the user may do besides bidding. @param {Page} page @param {Detail} detail @param {Auction} auction */
export function offersView(page, detail, auction) {
  if (auction.result !== null) return nothing
  const { reader } = page.known
  const { session } = reader
  const isSeller = reader.isSelf(auction.id)(auction.ownerId)
  const isBarred = detail.actions.isBarred(page, auction)
  const mayManage = session.manage || session.cancelAny || (isSeller && (session.correct || session.cancel))
  return html`
    ${session.bid && isSeller ? html`<p class="hint">${page.format.text(formatOf(auction).own)}</p>` : nothing}
    ${session.bid && !isSeller && auction.buyNowOffered && !isBarred ? buyView(page, detail, auction) : nothing}
    ${mayManage ? detail.forms.draw(page, detail, auction) : nothing}`
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
