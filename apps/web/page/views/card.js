import { priceOf } from '../amounts.js'
import { html, nothing } from '../html.js'
import { pictureUrl } from '../pictures.js'
import { phaseOf } from '../times.js'

/** @typedef {import('../app.js').Page} Page */
/** @typedef {import('../app.js').Auction} Auction */

/** What a list shows of an auction. @param {Page} page @param {Auction} auction @param {string} [link] */
export function cardView(page, auction, link) {
  const { format } = page
  const nowMs = page.known.now()
  const title = html`<bdi>${format.title(auction)}</bdi>`
  return html`
    ${pictureView(page, auction)}
    ${standingView(page, auction)}
    <div class="words">
      ${link === undefined ? html`<strong class="name">${title}</strong>` : html`<a class="name" href=${link}>${title}</a>`}
      <p><span class="price">${format.money(priceOf(auction), auction)}</span>
        <span class="left" data-phase=${phaseOf(auction, nowMs)}>${format.timeLeft(auction, nowMs)}</span></p>
      <p class="marks">${format.text('bidCount', { count: auction.bidCount })}${marksView(page, auction)}</p>
    </div>`
}

const hues = 6

/** The picture of the seller, which is on another origin, or the first letter of the title. @param {Page} page @param {Auction} auction */
export function pictureView({ format }, auction) {
  const url = pictureUrl(auction.metadata?.['pictureUrl'])
  if (url !== undefined)
    return html`<img class="picture" src=${url} alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">`
  const [letter = ''] = [...format.title(auction).trim()]
  return html`<span class="picture blank" data-hue=${auction.id % hues} aria-hidden="true">${letter}</span>`
}

/** Where the user stands, as a sign that needs no reading. @param {Page} page @param {Auction} auction */
function standingView(page, auction) {
  const standing = page.known.reader.standingOf(auction)
  return standing === 'none'
    ? nothing
    : html`<p class="standing" data-standing=${standing}>${page.format.text(standingTexts[standing])}</p>`
}

export const standingTexts = /** @type {const} */ ({
  leads: 'youLead',
  outbid: 'outbid',
  won: 'youWon',
  lost: 'youLost',
})

/** What is special about an auction. @param {Page} page @param {Auction} auction */
export function marksView({ format, known: { reader } }, auction) {
  const { reserveMet, buyNowOffered, buyNowPrice, result, id } = auction
  if (result !== null) return html`<span class="mark">${format.outcome(auction, reader.isSelf(id))}</span>`
  return [
    reserveMet === undefined
      ? nothing
      : html`<span class="mark">${format.text(reserveMet ? 'reserveMet' : 'reserveNotMet')}</span>`,
    buyNowOffered && buyNowPrice !== undefined
      ? html`<span class="mark">${format.text('buyNowMark', { price: format.money(buyNowPrice, auction) })}</span>`
      : nothing,
  ]
}
