import {
  bidder,
  counted,
  duration,
  endMs,
  incrementText,
  isolated,
  moment,
  money,
  phaseOf,
  priceOf,
  timeLeft,
  timeZone,
  titleOf,
} from '../format.js'
import { html, noChange, nothing } from '../html.js'
import { actionsView, createActions } from './actions.js'
import { marksView, outcomeOf, pictureView } from './auctions.js'
import { chartView } from './chart.js'

/**
 * @typedef {import('../app.js').Page} Page
 * @typedef {import('../app.js').Auction} Auction
 * @typedef {import('../client/client.js').Bid} Bid
 */

const pageSize = 100
/** How many bids are kept and drawn: more would take longer than a frame. */
const maxBids = 300
const betweenReadsMs = 1_000

/** The state of the view of one auction. @param {number} id */
export function openAuction(id) {
  const closing = new AbortController()
  const { signal } = closing
  /** How many bids the auction had at the last read of its bids. */
  let count = 0
  let isReading = false
  let isBehind = false

  const detail = {
    id,
    problem: '',
    /** Newest first. @type {readonly Bid[]} */
    bids: [],
    /** @type {string | null} */
    nextCursor: null,
    actions: createActions(id),

    /** @param {Page} page @returns {Promise<void>} */
    async load(page) {
      page.note(await page.client.read(`api/Auctions/${id}`, { signal }))
      page.watch([id])
      await readBids(page)
    },

    /** @param {Page} page @returns {Promise<void>} */
    async loadEarlier(page) {
      const cursor = detail.nextCursor
      if (cursor === null) return
      const search = new URLSearchParams({ limit: String(pageSize), cursor })
      const { items, nextCursor } = await page.client.read(`api/Auctions/${id}/Bids?${search}`, { signal })
      detail.bids = merged(detail.bids, items)
      detail.nextCursor = detail.bids.length < maxBids ? nextCursor : null
    },

    /** Called with each newer state. @param {Page} page @param {Auction} auction @param {Auction | undefined} before @returns {void} */
    onChange(page, auction, before) {
      if (before === undefined) return
      announceChange(page, auction, before)
      if (auction.bidCount !== before.bidCount || auction.result !== before.result) detail.refresh(page)
    },

    /** Reads what the stream does not have: the bids, and what only the user may see. @param {Page} page @returns {void} */
    refresh(page) {
      isBehind = true
      if (isReading || signal.aborted || document.visibilityState === 'hidden' || !page.auctions.has(id)) return
      isReading = true
      void page.attempt(detail, async () => {
        try {
          while (isBehind && !signal.aborted) {
            isBehind = false
            page.note(await page.client.read(`api/Auctions/${id}`, { signal }))
            await readBids(page)
            page.schedule()
            await new Promise((resolve) => setTimeout(resolve, betweenReadsMs))
          }
        } finally {
          isReading = false
        }
      })
    },

    /** Whether the user is among the bidders that are shown. @param {Page} page @returns {boolean} */
    hasBid: (page) => detail.bids.some(({ bidderId }) => page.isSelf(id)(bidderId)),

    close: () => closing.abort(),
  }

  /** Reads the bids that are new, or the newest ones if there are too many. @param {Page} page */
  async function readBids(page) {
    const known = page.auctions.get(id)?.bidCount ?? 0
    if (known === count) return
    const newest = detail.bids[0]?.id
    /** @param {number} limit @returns {Promise<{ items: Bid[], nextCursor: string | null }>} */
    const read = (limit) => page.client.read(`api/Auctions/${id}/Bids?limit=${limit}`, { signal })
    const follows = (/** @type {readonly Bid[]} */ items) => items.some((bid) => bid.id === newest)
    let found = await read(Math.min(pageSize, known - count + 1))
    // More bids may have arrived in the meantime.
    if (newest !== undefined && !follows(found.items)) found = await read(pageSize)
    const isNext = follows(found.items)
    detail.bids = isNext ? merged(detail.bids, found.items) : found.items
    if (!isNext) detail.nextCursor = found.nextCursor
    count = known
  }

  return detail
}

/** Amounts rise strictly within an auction. @param {readonly Bid[]} bids @param {readonly Bid[]} more */
const merged = (bids, more) =>
  [...new Map([...bids, ...more].map((bid) => [bid.id, bid])).values()]
    .sort((a, b) => b.amount - a.amount)
    .slice(0, maxBids)

/** @param {Page} page @param {Auction} auction @param {Auction} before */
function announceChange(page, auction, before) {
  const isSelf = page.isSelf(auction.id)
  if (auction.result !== null && before.result === null) page.announce(outcomeOf(auction, isSelf))
  else if (isSelf(before.leaderId) && !isSelf(auction.leaderId)) {
    page.announce(`You have been outbid: ${money(auction.currentPrice, auction)}`)
  } else if (auction.currentPrice !== before.currentPrice) {
    page.announce(`${money(auction.currentPrice, auction)}, ${counted(auction.bidCount, 'bid', 'bids')}`)
  }
}

/** @param {Page} page */
export function auctionView(page) {
  const { detail } = page.state
  const auction = page.auctions.get(detail.id)
  const problem =
    detail.problem === ''
      ? nothing
      : html`<p class="problem" role="alert">${detail.problem} <button @click=${page.load}>Try again</button></p>`
  if (auction === undefined) return html`<h1>Auction ${detail.id}</h1>${problem}`
  return html`
    <article>
      <h1><bdi>${titleOf(auction)}</bdi></h1>
      ${problem}
      <div class="columns">
        <section class="panel" aria-labelledby="state-title">
          <h2 id="state-title" class="spoken">State</h2>
          ${stateView(page, auction)}
          ${actionsView(page, auction, detail.actions)}
        </section>
        <section class="panel" aria-labelledby="price-title">
          <h2 id="price-title">Price over time</h2>
          ${chartView(auction, detail.bids, detail.nextCursor === null, page.now())}
          ${factsView(auction, page.now())}
        </section>
      </div>
      ${bidsView(page, auction)}
    </article>`
}

/** @param {Page} page @param {Auction} auction */
function stateView(page, auction) {
  const nowMs = page.now()
  const phase = phaseOf(auction, nowMs)
  const { effectiveEndTime, endTime, result, minimumNextBid, maximumNextBid } = auction
  const isExtended = Date.parse(effectiveEndTime) > Date.parse(endTime)
  return html`
    <p class="price large">${money(priceOf(auction), auction)}</p>
    ${result !== null ? html`<p class="result">${outcomeOf(auction, page.isSelf(auction.id))}</p>` : nothing}
    <p><span class="left" data-phase=${phase}>${timeLeft(auction, nowMs)}</span>
      <span class="hint">${phase === 'over' ? '' : `until ${isolated(moment(endMs(auction), nowMs))}`}</span></p>
    ${isExtended ? html`<p class="extended">Late bids moved the end from ${isolated(moment(endTime, nowMs))} to ${isolated(moment(endMs(auction), nowMs))}.</p>` : nothing}
    <p class="marks">${counted(auction.bidCount, 'bid', 'bids')}${result === null ? marksView(page, auction, page.state.detail.hasBid(page)) : nothing}</p>
    ${result !== null || minimumNextBid === null ? nothing : html`<p>Next bid: at least <strong>${money(minimumNextBid, auction)}</strong>${maximumNextBid === undefined ? nothing : html`, at most ${money(maximumNextBid, auction)}`}</p>`}
    ${auction.yourMaximum !== undefined && auction.youLead ? html`<p>Your maximum: ${money(auction.yourMaximum, auction)}</p>` : nothing}
    ${auction.reservePrice !== undefined ? html`<p>Your reserve: ${money(auction.reservePrice, auction)}</p>` : nothing}`
}

/** @param {Auction} auction @param {number} nowMs */
function factsView(auction, nowMs) {
  const { softClose, description, maximumBidIncrement } = auction
  /** @param {string} name @param {unknown} value */
  const fact = (name, value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`
  return html`
    ${pictureView(auction)}
    ${description === undefined ? nothing : html`<p class="description" dir="auto">${description}</p>`}
    <dl>
      ${fact('Status', auction.status)}
      ${fact('Start', moment(auction.startTime, nowMs))}
      ${fact('End', moment(auction.endTime, nowMs))}
      ${fact('Time zone', timeZone)}
      ${fact('Starting price', money(auction.startingPrice, auction))}
      ${fact('Increment', incrementText(auction))}
      ${maximumBidIncrement === undefined ? nothing : fact('Limit of a bid', `${money(maximumBidIncrement, auction)} above the price`)}
      ${fact('Seller', `User ${auction.ownerId}`)}
      ${fact('Product', auction.productId)}
      ${
        softClose === undefined
          ? nothing
          : fact(
              'Late bids',
              `A bid in the last ${isolated(duration(softClose.windowSeconds * 1000))} moves the end to ${isolated(duration(softClose.extensionSeconds * 1000))} after it`,
            )
      }
    </dl>`
}

/** @param {Page} page @param {Auction} auction */
function bidsView(page, auction) {
  const { detail } = page.state
  if (auction.bidCount === 0) return nothing
  const nowMs = page.now()
  const earlier = () => void page.attempt(detail, () => detail.loadEarlier(page))
  return html`
    <section class="panel" aria-labelledby="bids-title">
      <h2 id="bids-title">Bids</h2>
      <table>
        <thead><tr><th scope="col">Amount</th><th scope="col">Bidder</th><th scope="col">Time</th></tr></thead>
        <tbody>${rowsView(page, auction, nowMs)}</tbody>
      </table>
      ${detail.nextCursor === null ? nothing : html`<button class="more" @click=${earlier}>Earlier bids</button>`}
    </section>`
}

/** The bids that a view has as rows, and what these depend on. @type {WeakMap<object, { bids: readonly Bid[], context: string }>} */
const drawn = new WeakMap()

/** The rows, only if they have changed: the countdown renders four times a second. @param {Page} page @param {Auction} auction @param {number} nowMs */
function rowsView({ state: { detail, user }, isSelf, pseudonyms }, auction, nowMs) {
  const { bids } = detail
  const context = [user, pseudonyms.get(auction.id), isSelf(auction.id)(user), new Date(nowMs).toDateString()].join()
  const before = drawn.get(detail)
  if (before?.bids === bids && before.context === context) return noChange
  drawn.set(detail, { bids, context })
  return bids.map((bid) => bidView(bid, auction, isSelf(auction.id), nowMs))
}

/** Rows by their bids, because formats cost more than the rest of a view. @type {WeakMap<Bid, { isOwn: boolean, day: string, row: unknown }>} */
const rows = new WeakMap()

/** @param {Bid} bid @param {Auction} auction @param {(id: number | null) => boolean} isSelf @param {number} nowMs */
function bidView(bid, auction, isSelf, nowMs) {
  const isOwn = isSelf(bid.bidderId)
  const day = new Date(nowMs).toDateString()
  const known = rows.get(bid)
  if (known?.isOwn === isOwn && known.day === day) return known.row
  const row = html`
    <tr ?data-own=${isOwn}>
      <td class="price">${money(bid.amount, auction)}</td>
      <td>${bidder(bid.bidderId, isSelf)}${bid.automatic ? html` <span class="hint">automatic</span>` : nothing}</td>
      <td><time datetime=${bid.timestamp}>${moment(bid.timestamp, nowMs)}</time></td>
    </tr>`
  rows.set(bid, { isOwn, day, row })
  return row
}
