import { priceOf } from '../../amounts.js'
import { html, nothing } from '../../html.js'
import { phaseOf } from '../../times.js'
import { standingView } from '../card.js'
import { nameView } from './lot.js'

/** @import { Page } from '../../app.js' */
/** @import { Lot } from './lots.js' */
/** @import { SaleState } from './sale.js' */

/** The lots that end next, with their countdowns. @param {Page} page @param {SaleState} state */
export function stripView(page, state) {
  const { lots } = state
  const { now } = page.known
  if (lots === undefined || now() < Date.parse(lots.sale.startTime)) return nothing
  const shown = state.held ?? lots.next()
  if (shown.length === 0) return nothing
  const hold = () => {
    state.held ??= lots.next()
  }
  /** @param {Event & { currentTarget: HTMLElement }} event */
  const release = ({ currentTarget }) => {
    if (!currentTarget.matches(':hover, :focus-within')) state.held = undefined
  }
  return html`
    <section class="soon" aria-labelledby="next-title">
      <h2 id="next-title">${page.format.text('nextLots')}</h2>
      <ol class="strip" @pointerenter=${hold} @pointerdown=${hold} @focusin=${hold} @pointerleave=${release} @focusout=${release}>
        ${shown.map((lot) => itemView(page, lot, now()))}
      </ol>
    </section>`
}

/** @param {Page} page @param {Lot} lot @param {number} nowMs */
function itemView(page, lot, nowMs) {
  const auction = lot.auction()
  const price = priceOf(auction, nowMs)
  return html`
    <li class="panel linked">
      <a class="name" href="#/auctions/${lot.id}">${nameView(page, lot)}</a>
      <span class="price">${price === undefined ? nothing : page.format.money(price, auction)}</span>
      <span class="left" data-phase=${phaseOf(auction, nowMs)}>${page.format.timeLeft(auction, nowMs)}</span>
      ${standingView(page, auction, lot.standing)}
    </li>`
}
