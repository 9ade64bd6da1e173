import { formatOf } from '../formats.js'
import { createHistory } from '../history.js'
import { html, nothing } from '../html.js'
import { loadForms, salesTexts } from '../on-demand.js'
import { endMs, phaseOf } from '../times.js'
import { aboutView, detailsView } from './about.js'
import { createActions } from './actions.js'
import { barView } from './bar.js'
import { bidsView, changesView, pricesView } from './bids.js'
import { galleryView } from './card.js'
import { createForms, offersView } from './offers.js'
import { notFoundView, problemView } from './problem.js'
import { stateView, termsView } from './state.js'
/** @import { Page } from '../app.js' */
/** @import { Auction } from '../client.js' */
/** @import { Phase } from '../times.js' */
/** @import { View } from '../views.js' */
/** @typedef {ReturnType<typeof open>} Detail The state of the view of one auction. */

/** @type {View<Detail>} */
export const auctionView = {
  name: 'auctions',
  takes: (id) => /^[1-9]\d{0,15}$/.test(id),
  open,
  title({ known, format }, { id }) {
    const auction = known.auctions.get(id)
    return auction === undefined ? format.text('auctionNumber', { id }) : format.title(auction)
  },
  draw,
}

/** @param {Page} page */
function open(page) {
  const id = Number(page.route.id)
  const history = createHistory(page.known, id, page.isHidden)
  /** @type {Phase | undefined} */
  let phase
  let isRegisterRead = false
  let isPlaceRead = false
  const closing = new AbortController()

  /** Shows the place of a lot in its sale. @param {Auction} auction */
  async function readPlace(auction) {
    const { openPlace } = await loadForms(page, () => import('./sales/place.js'), salesTexts)
    detail.place = openPlace(page, auction, closing.signal)
    await detail.place.read()
  }

  const detail = {
    id,
    history,
    actions: createActions(id),
    forms: createForms(page),
    gallery: { shown: 0, isEnlarged: false },
    /** How often the end moved while it was shown. */
    moves: 0,
    /** The place of a lot in its sale. @type {{ draw: () => unknown, read: () => Promise<void> } | undefined} */
    place: undefined,
    load: history.load,
    refresh: history.refresh,
    close() {
      closing.abort()
      history.close()
    },

    /** @param {Auction} auction @param {Auction | undefined} before */
    onAuction(auction, before) {
      if (auction.id !== id) return
      if (!isRegisterRead && auction.register !== undefined) {
        isRegisterRead = true
        void detail.actions.readRegistration(page)
      }
      if (!isPlaceRead && auction.saleId !== undefined) {
        isPlaceRead = true
        // The lot is shown like any auction if its place cannot be read.
        void readPlace(auction)
          .catch(() => undefined)
          .then(page.schedule)
      }
      if (before === undefined) return
      announceChange(page, auction, before)
      if (endMs(auction) !== endMs(before)) detail.moves += 1
      const isSame =
        auction.bidCount === before.bidCount &&
        auction.repairCount === before.repairCount &&
        auction.correctedAt === before.correctedAt &&
        (auction.result === null) === (before.result === null)
      if (!isSame) history.refresh()
    },

    /** Announces the last minute when it begins. */
    tick() {
      const auction = page.known.auctions.get(id)
      if (auction === undefined) return
      const now = phaseOf(auction, page.known.now())
      if (phase !== 'last' && now === 'last') page.announce(page.format.text('lastMinute'))
      phase = now
    },
  }
  return detail
}

/** @param {Page} page @param {Auction} auction @param {Auction} before */
function announceChange(page, auction, before) {
  const { format } = page
  const { reader } = page.known
  const isSelf = reader.isSelf(auction.id)
  if (auction.result !== null) {
    if (before.result === null) page.announce(format.outcome(auction, isSelf))
    return
  }
  const time = format.moment(endMs(auction), page.known.now())
  const moved = endMs(auction) - endMs(before)
  const price = format.money(auction.currentPrice ?? auction.startingPrice, auction)
  const hasLost = reader.leads(before) === true && reader.leads(auction) === false && auction.leaderId != null
  // A price that falls with the time is not announced.
  const hasPrice =
    formatOf(auction).hasPriceHistory &&
    (auction.currentPrice !== before.currentPrice || auction.bidCount !== before.bidCount)
  const said = [
    hasLost ? format.text('outbidFor', { price }) : '',
    hasPrice && !hasLost ? format.text('priceAndBids', { price, count: auction.bidCount ?? 0 }) : '',
    moved === 0 ? '' : format.text(moved > 0 ? 'extendedNow' : 'shortenedNow', { time }),
  ].filter((text) => text !== '')
  if (said.length > 0) page.announce(said.join(' '))
}

/** @param {Page} page @param {Detail} detail */
function draw(page, detail) {
  const { format } = page
  const auction = page.known.auctions.get(detail.id)
  const problem = problemView(page, detail.history)
  if (auction === undefined) {
    if (detail.history.problem?.status === 404) return notFoundView.draw(page, detail)
    return html`<h1>${format.text('auctionNumber', { id: detail.id })}</h1>${problem}`
  }
  const { history } = detail
  const { hasPriceHistory } = formatOf(auction)
  const [terms, offers] = [termsView(page, detail, auction), offersView(page, detail, auction)]
  const isShown = history.isLoaded || history.problem !== undefined
  return html`
    <article>
      ${auction.saleId === undefined ? nothing : html`<div class="place" role="navigation" aria-label=${format.text('sales')}>${detail.place?.draw() ?? nothing}</div>`}
      <h1><bdi>${format.title(auction)}</bdi></h1>
      ${problem}
      <div class="columns">
        ${galleryView(page, detail.gallery, auction)}
        <div class="side">
          ${stateView(page, auction)}
          ${barView(page, detail, auction)}
          ${terms === nothing && offers === nothing ? nothing : html`<div class="panel more">${terms}${offers}</div>`}
          ${changesView(page, auction, history.changes)}
        </div>
        <div class="rest">
          ${aboutView(page, auction)}
          ${isShown ? bidsView(page, history, auction) : nothing}
          ${isShown && hasPriceHistory ? pricesView(page, history, auction) : nothing}
          ${isShown ? detailsView(page, auction) : nothing}
        </div>
      </div>
    </article>`
}
