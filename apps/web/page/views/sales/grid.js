import { priceOf } from '../../amounts.js'
import { formatOf } from '../../formats.js'
import { html, nothing } from '../../html.js'
import { phaseOf } from '../../times.js'
import { pictureView, standingView } from '../card.js'
import { nameView, nearMs, whenText } from './lot.js'
import { groupSize } from './reads.js'

/** @import { Page } from '../../app.js' */
/** @import { Lot } from './lots.js' */
/** @import { SaleState } from './sale.js' */

/** The lots by number, as many as the reader has scrolled to. @param {Page} page @param {SaleState} state @param {() => void} fill Reads what the drawn lots lack. */
export function gridView(page, state, fill) {
  const { text } = page.format
  const { lots, words } = state
  if (lots === undefined || (lots.all().length === 0 && !lots.isReady)) return nothing
  if (lots.all().length === 0) return html`<p class="empty">${text('lotsEmpty')}</p>`
  const found = lots.found(words)
  const nowMs = page.known.now()
  const more = () => {
    state.shown += groupSize
    fill()
    page.schedule()
  }
  // A browser without this event shows the button.
  const reach = (/** @type {Event & { skipped: boolean }} */ { skipped }) => !skipped && more()
  /** @param {{ currentTarget: HTMLInputElement }} event */
  function find({ currentTarget }) {
    Object.assign(state, { words: currentTarget.value, shown: groupSize })
    fill()
    page.schedule()
  }
  return html`
    <section class="lots" aria-labelledby="lots-title">
      <div class="heading">
        <h2 id="lots-title">${text('lots')}</h2>
        <search class="search"><label>${text('findLots')} <input name="words" type="search" maxlength="200" autocomplete="off" .value=${words} @input=${find}></label></search>
      </div>
      ${words.trim() === '' ? nothing : html`<p role="status">${text(found.length === 0 ? 'noLotFound' : 'lotsFound', { count: found.length })}</p>`}
      <ul class="auctions">${found.slice(0, state.shown).map((lot) => rowOf(page, lot, nowMs))}</ul>
      ${found.length > state.shown ? html`<p class="sentinel" @contentvisibilityautostatechange=${reach}><button class="next" @click=${more}>${text('moreLots')}</button></p>` : nothing}
    </section>`
}

/** A lot that is drawn again only if something of it has changed: formats cost more than the rest. @param {Page} page @param {Lot} lot @param {number} nowMs */
function rowOf(page, lot, nowMs) {
  if (lot.row !== undefined && nowMs < lot.row.untilMs && lot.row.standing === lot.standing) return lot.row.view
  const auction = lot.auction()
  const isLive =
    auction.result === null &&
    (formatOf(auction).nextMark !== undefined || Date.parse(lot.line.effectiveEndTime) - nowMs < nearMs)
  const view = cardView(page, lot, nowMs)
  lot.row = { view, standing: lot.standing, untilMs: isLive ? nowMs : changeMs(lot, nowMs) }
  return view
}

/** When time alone changes what is shown. @param {Lot} lot @param {number} nowMs */
function changeMs(lot, nowMs) {
  const auction = lot.auction()
  if (auction.result !== null) return Number.POSITIVE_INFINITY
  const startMs = Date.parse(auction.startTime)
  return nowMs < startMs ? startMs : Date.parse(lot.line.effectiveEndTime) - nearMs
}

/** @param {Page} page @param {Lot} lot @param {number} nowMs */
function cardView(page, lot, nowMs) {
  const { format } = page
  const { text } = format
  const auction = lot.auction()
  const price = priceOf(auction, nowMs)
  const { outcome } = lot.line
  const shownPrice = price === undefined ? text(formatOf(auction).title) : format.money(price, auction)
  const isSold = outcome === 'sold' || outcome === 'bought'
  const forget = () => {
    lot.row = undefined
  }
  return html`
    <li class="card lot" data-outcome=${outcome ?? nothing} @error=${{ handleEvent: forget, capture: true }}>
      ${pictureView(page, auction)}
      ${standingView(page, auction, lot.standing)}
      <div class="words">
        <a class="name" href="#/auctions/${lot.id}">${nameView(page, lot)}</a>
        ${
          outcome === undefined || isSold
            ? html`<p class="offer"><span class="price">${isSold ? text('lotSold', { price: shownPrice }) : shownPrice}</span>
          <span class="hint">${isSold ? nothing : formatOf(auction).mark(format, auction, nowMs)}</span></p>`
            : html`<p class="offer"><span class="price">${text(outcome === 'cancelled' ? 'cancelled' : 'lotUnsold')}</span></p>`
        }
        <p class="left" data-phase=${phaseOf(auction, nowMs)}>${whenText(page, lot, nowMs)}</p>
      </div>
    </li>`
}
