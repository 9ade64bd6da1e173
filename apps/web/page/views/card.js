import { priceOf } from '../amounts.js'
import { formatOf } from '../formats.js'
import { html, nothing } from '../html.js'
import { picturesOf } from '../pictures.js'
import { phaseOf } from '../times.js'

/** @import { Page } from '../app.js' */
/** @import { Auction } from '../client.js' */
/** @import { Standing } from '../reader.js' */
/** @typedef {{ shown: number, isEnlarged: boolean }} Gallery Which picture is shown. */

const hues = 6

/** What a list shows of an auction. @param {Page} page @param {Auction} auction @param {string} [link] */
export function cardView(page, auction, link) {
  const { format } = page
  const nowMs = page.known.now()
  const title = html`<bdi>${format.title(auction)}</bdi>`
  const price = priceOf(auction, nowMs)
  const isUnbid = auction.result === null && auction.bidCount === 0
  return html`
    ${pictureView(page, auction)}
    ${standingView(page, auction)}
    <div class="words">
      ${link === undefined ? html`<strong class="name">${title}</strong>` : html`<a class="name" href=${link}>${title}</a>`}
      <p class="offer"><span class="price">${price === undefined ? format.text(formatOf(auction).title) : format.money(price, auction)}</span>
        ${isUnbid ? html`<span class="hint">${format.text('startingPriceNow')}</span>` : nothing}</p>
      <p class="left" data-phase=${phaseOf(auction, nowMs)}>${format.timeLeft(auction, nowMs)}</p>
      <p class="marks">${formatOf(auction).mark(format, auction, nowMs)}${marksView(page, auction)}</p>
    </div>`
}

/** The first picture, or the first letter of the title. @param {Page} page @param {Auction} auction */
export function pictureView(page, auction) {
  const [url] = picturesOf(auction)
  if (url === undefined || page.brokenPictures.has(url)) return blankView(page, auction)
  return imageView(page, url)
}

/** A picture of the seller, which is on another origin. @param {Page} page @param {string} url */
function imageView(page, url) {
  const forget = () => {
    page.brokenPictures.add(url)
    page.schedule()
  }
  return html`<img class="picture" src=${url} alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer" @error=${forget}>`
}

/** @param {Page} page @param {Auction} auction */
function blankView({ format }, auction) {
  const [letter = ''] = [...format.title(auction).trim()]
  return html`<span class="picture blank" data-hue=${auction.id % hues} aria-hidden="true">${letter}</span>`
}

/** Where the user is, as a sign that needs no reading. @param {Page} page @param {Auction} auction @param {Standing} [standing] */
export function standingView(page, auction, standing = page.known.reader.standingOf(auction)) {
  return standing === 'none'
    ? nothing
    : html`<p class="standing" data-standing=${standing}>${standingText(page, auction, standing, 'sealedBid')}</p>`
}

const standingTexts = /** @type {const} */ ({
  leads: 'youLead',
  outbid: 'outbid',
  withdrawn: 'bidWithdrawn',
  won: 'youWon',
  lost: 'youLost',
})

/** Where the user is, in a few words. @param {Page} page @param {Auction} auction @param {Exclude<Standing, 'none'>} standing @param {'sealedBid' | 'yourSealedBid'} sealedName */
export function standingText({ format, known: { reader } }, auction, standing, sealedName) {
  if (standing !== 'sealed') return format.text(standingTexts[standing])
  return format.text(sealedName, { price: format.money(Number(reader.sealedBidIn(auction)), auction) })
}

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

/** The pictures of an auction, each whole, and enlarged by a click or a key. @param {Page} page @param {Gallery} gallery @param {Auction} auction */
export function galleryView(page, gallery, auction) {
  const { text } = page.format
  const urls = picturesOf(auction).filter((url) => !page.brokenPictures.has(url))
  if (urls.length === 0) return html`<div class="gallery">${blankView(page, auction)}</div>`
  const count = urls.length
  const at = Math.min(gallery.shown, count - 1)
  const show = (/** @type {number} */ index, isEnlarged = gallery.isEnlarged) => {
    Object.assign(gallery, { shown: (index + count) % count, isEnlarged })
    page.schedule()
  }
  const name = (/** @type {number} */ index) => text('pictureOf', { number: index + 1, count })
  /** @param {KeyboardEvent} event */
  function move({ key }) {
    if (key === 'ArrowRight') show(at + 1)
    if (key === 'ArrowLeft') show(at - 1)
  }
  return html`
    <div class="gallery" @keydown=${move}>
      <button class="picture-button" aria-label="${text('enlarge')}: ${name(at)}" @click=${() => show(at, true)}>${imageView(page, urls[at] ?? '')}</button>
      ${
        count === 1
          ? nothing
          : html`<div class="thumbs">${urls.map(
              (url, index) =>
                html`<button aria-label=${name(index)} aria-pressed=${index === at} @click=${() => show(index)}>${imageView(page, url)}</button>`,
            )}</div>`
      }
      <dialog class="enlarged" data-open=${gallery.isEnlarged} aria-label=${name(at)} @close=${() => show(at, false)}>
        ${gallery.isEnlarged ? html`<img src=${urls[at]} alt=${name(at)} referrerpolicy="no-referrer" @click=${() => show(at, false)}>` : nothing}
        <div class="moves">
          ${count === 1 ? nothing : html`<button aria-label=${text('previousPicture')} @click=${() => show(at - 1)}>‹</button>`}
          <button @click=${() => show(at, false)}>${text('close')}</button>
          ${count === 1 ? nothing : html`<button aria-label=${text('nextPicture')} @click=${() => show(at + 1)}>›</button>`}
        </div>
      </dialog>
    </div>`
}
