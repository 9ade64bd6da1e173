import { priceOf } from '../amounts.js'
import { formatOf } from '../formats.js'
import { html, nothing } from '../html.js'
import { endMs, isolated, phaseOf } from '../times.js'
import { nextPriceView } from './buying.js'
import { marksView, standingText } from './card.js'
import { sealedTerms } from './sealing.js'

/** @import { Page } from '../app.js' */
/** @import { Auction } from '../client.js' */
/** @import { Standing } from '../reader.js' */
/** @import { Phase } from '../times.js' */
/** @import { Detail } from './auction.js' */

/** A price with more characters has smaller ones. */
const longLength = 13

/** Where an auction is. Until its end, it has the same height in all states, so that what is below stays. @param {Page} page @param {Auction} auction */
export function stateView(page, auction) {
  const { format, known } = page
  const { text } = format
  const nowMs = known.now()
  const phase = phaseOf(auction, nowMs)
  const standing = known.reader.standingOf(auction)
  const price = format.money(priceOf(auction, nowMs) ?? auction.startingPrice, auction)
  const isPaid = auction.result !== null && 'price' in auction.result
  const priceTitle = isPaid ? 'finalPrice' : formatOf(auction).priceTitle(auction, phase)
  return html`
    <section class="panel state" aria-labelledby="state-title" data-standing=${standing} data-phase=${phase}>
      <h2 id="state-title" class="spoken">${text('state')}</h2>
      ${bannerView(page, auction, standing)}
      <div class="figures">
        <div>
          <p class="hint">${text(priceTitle)}</p>
          <p class="price large" ?data-long=${price.length > longLength}>${price}</p>
        </div>
        <p class="clock"><span class="left" data-phase=${phase}>${format.timeLeft(auction, nowMs)}</span>
          <span class="hint">${phase === 'over' ? nothing : untilView(page, auction, phase)}</span></p>
      </div>
    </section>`
}

/** @param {Page} page @param {Auction} auction @param {Phase} phase */
function untilView({ format, known }, auction, phase) {
  const ms = phase === 'soon' ? Date.parse(auction.startTime) : endMs(auction)
  const time = isolated(format.moment(ms, known.now()))
  return format.text(phase === 'soon' ? 'atTime' : 'until', { time })
}

/** Where the user is, and the outcome. @param {Page} page @param {Auction} auction @param {Standing} standing */
function bannerView(page, auction, standing) {
  const { format, known } = page
  const outcome = format.outcome(auction, known.reader.isSelf(auction.id))
  if (auction.result !== null) {
    const title =
      standing === 'none' ? nothing : html`<strong>${standingText(page, auction, standing, 'yourSealedBid')}</strong> `
    const price =
      standing === 'won'
        ? format.text('toPay', { price: format.money(priceOf(auction, known.now()) ?? 0, auction) })
        : ''
    return html`<p class="banner" data-standing=${standing}>${title}<span>${outcome}</span> <strong>${price}</strong></p>`
  }
  const phase = phaseOf(auction, known.now())
  const { open, opening } = formatOf(auction)
  const neutral = phase === 'soon' ? 'notOpenYet' : phase === 'ending' && opening ? opening : open(auction)
  const isNeutral = standing === 'none' || neutral === opening
  const title = isNeutral ? format.text(neutral) : standingText(page, auction, standing, 'yourSealedBid')
  return html`
    <p class="banner" data-standing=${standing}><strong>${title}</strong> <span>${leadText(page, auction, standing)}</span></p>`
}

/** Who leads, if that is public. @param {Page} page @param {Auction} auction @param {Standing} standing */
function leadText({ format: { text } }, { leaderPaddle: paddle }, standing) {
  if (standing === 'leads') return text('youLeadHint')
  if (paddle !== undefined && standing !== 'withdrawn') return text('paddleLeads', { paddle })
  return standing === 'outbid' ? text('outbidHint') : ''
}

/** How to take part, by the `action` of the format. */
const terms = {
  bid: bidTerms,
  buy: (/** @type {Page} */ page, /** @type {Detail} */ _detail, /** @type {Auction} */ auction) =>
    auction.result === null ? html`<div class="terms">${nextPriceView(page, auction)}</div>` : nothing,
  seal: sealedTerms,
}

/** How to take part, and what only the user may see. @param {Page} page @param {Detail} detail @param {Auction} auction */
export const termsView = (page, detail, auction) => terms[formatOf(auction).action](page, detail, auction)

/** @param {Page} page @param {Detail} detail @param {Auction} auction */
function bidTerms(page, detail, auction) {
  const { format } = page
  const { result, minimumNextBid, maximumNextBid, yourMaximum, youLead, reservePrice, bidCount } = auction
  const money = (/** @type {number} */ amount) => format.money(amount, auction)
  const least = minimumNextBid == null ? '' : money(minimumNextBid)
  const next =
    maximumNextBid === undefined
      ? format.text('nextBid', { least })
      : format.text('nextBidBetween', { least, most: money(maximumNextBid) })
  return html`
    <div class="terms">
      <p class="marks">${format.text('bidCount', { count: bidCount ?? 0 })}${result === null ? marksView(page, auction) : nothing}</p>
      ${movedView(page, detail, auction)}
      ${result !== null || minimumNextBid == null ? nothing : html`<p>${next} <span class="hint">${formatOf(auction).rule(format, auction)}</span></p>`}
      ${yourMaximum !== undefined && youLead ? html`<p>${format.text('yourMaximum', { price: money(yourMaximum) })}</p>` : nothing}
      ${reservePrice !== undefined ? html`<p>${format.text('yourReserve', { price: money(reservePrice) })}</p>` : nothing}
    </div>`
}

/** That late bids moved the end. Staff give their reason in the list of changes. @param {Page} page @param {Detail} detail @param {Auction} auction */
function movedView({ format, known }, { history, moves }, auction) {
  const isMoved = endMs(auction) > Date.parse(auction.endTime)
  if (!isMoved || history.changes.some(({ type }) => type === 'extended')) return nothing
  const [from, to] = [Date.parse(auction.endTime), endMs(auction)].map((ms) => isolated(format.moment(ms, known.now())))
  const moved = format.text('lateBidsMoved', { from: from ?? '', to: to ?? '' })
  return html`<p class="extended" data-turn=${moves === 0 ? nothing : moves % 2}>${moved}</p>`
}
