import { priceOf } from '../amounts.js'
import { html, nothing } from '../html.js'
import { endMs, isolated, phaseOf } from '../times.js'
import { actionsView } from './actions.js'
import { marksView, standingTexts } from './card.js'

/**
 * @typedef {import('../app.js').Page} Page
 * @typedef {import('../app.js').Auction} Auction
 * @typedef {import('./auction.js').Detail} Detail
 */

/** Where an auction is, and what the reader may do. @param {Page} page @param {Detail} detail @param {Auction} auction */
export function stateView(page, detail, auction) {
  const { format, known } = page
  const { text } = format
  const nowMs = known.now()
  const phase = phaseOf(auction, nowMs)
  const standing = known.reader.standingOf(auction)
  const { result, bidCount } = auction
  const isSold = result !== null && 'price' in result
  return html`
    <section class="panel state" aria-labelledby="state-title" data-standing=${standing} data-phase=${phase}>
      <h2 id="state-title" class="spoken">${text('state')}</h2>
      ${bannerView(page, auction, standing)}
      <div class="figures">
        <div>
          <p class="hint">${text(isSold ? 'finalPrice' : bidCount === 0 ? 'startingPriceNow' : 'currentPrice')}</p>
          <p class="price large">${format.money(priceOf(auction), auction)}</p>
        </div>
        <p class="clock"><span class="left" data-phase=${phase}>${format.timeLeft(auction, nowMs)}</span>
          <span class="hint">${phase === 'over' ? '' : text('until', { time: isolated(format.moment(endMs(auction), nowMs)) })}</span></p>
      </div>
      ${movedView(page, detail, auction)}
      <p class="marks">${text('bidCount', { count: bidCount })}${result === null ? marksView(page, auction) : nothing}</p>
      ${termsView(page, auction)}
      ${actionsView(page, detail, auction)}
    </section>`
}

/** Where the user stands, and what came of the auction. @param {Page} page @param {Auction} auction @param {import('../reader.js').Standing} standing */
function bannerView({ format, known }, auction, standing) {
  const outcome = format.outcome(auction, known.reader.isSelf(auction.id))
  if (standing === 'none') return outcome === '' ? nothing : html`<p class="result">${outcome}</p>`
  const hint = outcome === '' ? format.text(standing === 'leads' ? 'youLeadHint' : 'outbidHint') : outcome
  return html`
    <p class="banner" data-standing=${standing}><strong>${format.text(standingTexts[standing])}</strong> <span>${hint}</span></p>`
}

/** That late bids moved the end. Staff give their reason in the list of what they changed. @param {Page} page @param {Detail} detail @param {Auction} auction */
function movedView({ format, known }, { history, moves }, auction) {
  const isMoved = endMs(auction) > Date.parse(auction.endTime)
  if (!isMoved || history.repairs.some(({ type }) => type === 'extended')) return nothing
  const [from, to] = [Date.parse(auction.endTime), endMs(auction)].map((ms) => isolated(format.moment(ms, known.now())))
  const moved = format.text('lateBidsMoved', { from: from ?? '', to: to ?? '' })
  return html`<p class="extended" data-turn=${moves === 0 ? nothing : moves % 2}>${moved}</p>`
}

/** How to bid, and what only the user may see. @param {Page} page @param {Auction} auction */
function termsView({ format }, auction) {
  const { result, minimumNextBid, maximumNextBid, yourMaximum, youLead, reservePrice } = auction
  const money = (/** @type {number} */ amount) => format.money(amount, auction)
  const least = minimumNextBid === null ? '' : money(minimumNextBid)
  const next =
    maximumNextBid === undefined
      ? format.text('nextBid', { least })
      : format.text('nextBidBetween', { least, most: money(maximumNextBid) })
  return html`
    ${result !== null || minimumNextBid === null ? nothing : html`<p>${next} <span class="hint">${format.rise(auction)}</span></p>`}
    ${yourMaximum !== undefined && youLead ? html`<p>${format.text('yourMaximum', { price: money(yourMaximum) })}</p>` : nothing}
    ${reservePrice !== undefined ? html`<p>${format.text('yourReserve', { price: money(reservePrice) })}</p>` : nothing}`
}
