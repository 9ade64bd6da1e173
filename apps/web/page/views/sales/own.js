import { priceOf } from '../../amounts.js'
import { html, nothing } from '../../html.js'
import { phaseOf } from '../../times.js'
import { standingView } from '../card.js'
import { nameView, whenText } from './lot.js'

/** @import { Page } from '../../app.js' */
/** @import { Lot, Lots } from './lots.js' */

/** What matters first. @type {Partial<Record<Lot['standing'], number>>} */
const ranks = { outbid: 0, leads: 1, sealed: 1, won: 2 }
const rankOf = (/** @type {Lot} */ { standing }) => ranks[standing] ?? 3

/** The lots on which the reader has bid, and what they cost at most. @param {Page} page @param {Lots} lots */
export function ownView(page, { sale, own, totals }) {
  const { text, money } = page.format
  const shown = own().filter(({ standing }) => standing !== 'none')
  if (shown.length === 0) return nothing
  const { leads, outbid, won, toPay, atMost } = totals()
  const parts = [
    leads === 0 ? '' : text('ownLeads', { count: leads }),
    outbid === 0 ? '' : text('ownOutbid', { count: outbid }),
    won === 0 ? '' : text('ownWon', { count: won }),
  ].filter((part) => part !== '')
  const summary = parts.join(', ')
  return html`
    <section class="panel" aria-labelledby="own-title">
      <h2 id="own-title">${text('ownLots')}</h2>
      <p>${summary === '' ? nothing : `${summary[0]?.toUpperCase()}${summary.slice(1)}. `}
        ${leads === 0 || atMost === undefined ? nothing : text('ownAtMost', { price: money(atMost, sale) })}
        ${won === 0 ? nothing : text('toPay', { price: money(toPay, sale) })}</p>
      <ul class="own">${shown.toSorted((one, other) => rankOf(one) - rankOf(other)).map((lot) => rowView(page, lot))}</ul>
    </section>`
}

/** @param {Page} page @param {Lot} lot */
function rowView(page, lot) {
  const { format, known } = page
  const nowMs = known.now()
  const auction = lot.auction()
  const price = priceOf(auction, nowMs)
  const { yourMaximum } = auction
  const isLeading = lot.standing === 'leads' && yourMaximum !== undefined
  return html`
    <li class="linked">
      <a class="name" href="#/auctions/${lot.id}">${nameView(page, lot)}</a>
      ${standingView(page, auction, lot.standing)}
      <span><span class="price">${price === undefined ? nothing : format.money(price, auction)}</span>
        ${isLeading ? html`<span class="hint">${format.text('ownUpTo', { price: format.money(yourMaximum, auction) })}</span>` : nothing}</span>
      <span class="left" data-phase=${phaseOf(auction, nowMs)}>${whenText(page, lot, nowMs)}</span>
    </li>`
}
