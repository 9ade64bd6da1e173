import { orThrow } from '../client.js'
import { endMs, isolated, phaseOf, priceOf, standingOf } from '../format.js'
import { html, noChange, nothing } from '../html.js'
import { soon } from '../requests.js'
import { actionsView, createActions } from './actions.js'
import { marksView, pictureView, standingTexts } from './auctions.js'
import { chartView } from './chart.js'
import { repairsView } from './repairs.js'

/**
 * @typedef {import('../app.js').Page} Page
 * @typedef {import('../app.js').Auction} Auction
 * @typedef {import('../client.js').Bid} Bid
 * @typedef {import('./repairs.js').Repair} Repair
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
  /** @type {import('../format.js').Phase | undefined} */
  let phase

  const detail = {
    id,
    problem: '',
    /** Whether the bids were read once. Until then, what is below the price is not shown, because it would move. */
    isLoaded: false,
    /** Newest first. @type {readonly Bid[]} */
    bids: [],
    /** @type {string | null} */
    nextCursor: null,
    /** What staff changed, newest first. @type {readonly Repair[]} */
    repairs: [],
    /** How often the end moved while it was shown. */
    moves: 0,
    actions: createActions(id),

    /** @param {Page} page @returns {Promise<void>} */
    async load(page) {
      await page.readAuction(id, signal)
      page.watch([id])
      await readMore(page)
      detail.isLoaded = true
    },

    /** @param {Page} page @returns {Promise<void>} */
    async loadEarlier(page) {
      const cursor = detail.nextCursor
      if (cursor === null) return
      const { items, nextCursor } = await readBidsOf(page, { limit: pageSize, cursor })
      detail.bids = joined(detail.bids, items)
      detail.nextCursor = detail.bids.length < maxBids ? nextCursor : null
    },

    /** Called with each newer state. @param {Page} page @param {Auction} auction @param {Auction | undefined} before @returns {void} */
    onChange(page, auction, before) {
      if (before === undefined) return
      announceChange(page, auction, before)
      if (endMs(auction) !== endMs(before)) detail.moves += 1
      const isSame =
        auction.bidCount === before.bidCount &&
        auction.repairCount === before.repairCount &&
        (auction.result === null) === (before.result === null)
      if (!isSame) detail.refresh(page)
    },

    /** Reads what the stream does not have: the bids, what staff changed, and what only the user may see. @param {Page} page @returns {void} */
    refresh(page) {
      isBehind = true
      if (isReading || signal.aborted || document.visibilityState === 'hidden' || !page.auctions.has(id)) return
      isReading = true
      void page.attempt(detail, async () => {
        try {
          while (isBehind && !signal.aborted) {
            isBehind = false
            await page.readAuction(id, signal)
            await readMore(page)
            page.schedule()
            await new Promise((resolve) => setTimeout(resolve, betweenReadsMs))
          }
        } finally {
          isReading = false
        }
      })
    },

    /** Announces the last minute when it begins. @param {Page} page @returns {void} */
    tick(page) {
      const auction = page.auctions.get(id)
      if (auction === undefined) return
      const now = phaseOf(auction, page.now())
      if (phase !== 'last' && now === 'last') page.announce(page.format.text('lastMinute'))
      phase = now
    },

    /** Whether the user is among the bidders that are shown. @param {Page} page @returns {boolean} */
    hasBid: (page) => detail.bids.some(({ bidderId, withdrawn }) => !withdrawn && page.isSelf(id)(bidderId)),

    close: () => closing.abort(),
  }

  /** @param {Page} page */
  async function readMore(page) {
    const isWithdrawn = page.auctions.get(id)?.repairCount !== detail.repairs.length && (await readNewRepairs(page))
    await readBids(page, isWithdrawn)
  }

  /** Reads what staff changed. @param {Page} page @returns {Promise<boolean>} Whether bids were withdrawn since the last read. */
  async function readNewRepairs(page) {
    const newest = detail.repairs[0]?.sequence ?? 0
    detail.repairs = orThrow(await page.client.listRepairs(id, soon(signal))).data.items
    return detail.repairs.some(({ type, sequence }) => type === 'withdrawn' && sequence > newest)
  }

  /** @param {Page} page @param {import('../client.js').Query<'listBids'>} query */
  const readBidsOf = async ({ client }, query) => orThrow(await client.listBids(id, query, soon(signal))).data

  /** Reads the bids that are new, or the newest ones if there are too many, or if known ones have changed. @param {Page} page @param {boolean} isWithdrawn */
  async function readBids(page, isWithdrawn) {
    const known = page.auctions.get(id)?.bidCount ?? 0
    if (known === count && !isWithdrawn) return
    const newest = isWithdrawn ? undefined : detail.bids[0]?.id
    const read = (/** @type {number} */ limit) => readBidsOf(page, { limit })
    const follows = (/** @type {readonly Bid[]} */ items) => items.some((bid) => bid.id === newest)
    const isFirst = newest === undefined
    let found = await read(isFirst ? pageSize : Math.min(pageSize, Math.max(0, known - count) + 1))
    // More bids may have arrived in the meantime.
    if (!isFirst && !follows(found.items)) found = await read(pageSize)
    const isNext = follows(found.items)
    detail.bids = isNext ? joined(found.items, detail.bids) : found.items
    if (!isNext) detail.nextCursor = found.nextCursor
    count = known
  }

  return detail
}

/** Bids have the order in which the service lists them: neither ids nor amounts always rise. @param {readonly Bid[]} newer @param {readonly Bid[]} older */
function joined(newer, older) {
  const ids = new Set(newer.map(({ id }) => id))
  return [...newer, ...older.filter(({ id }) => !ids.has(id))].slice(0, maxBids)
}

/** @param {Page} page @param {Auction} auction @param {Auction} before */
function announceChange(page, auction, before) {
  const { format } = page
  const isSelf = page.isSelf(auction.id)
  if (auction.result !== null) {
    if (before.result === null) page.announce(format.outcome(auction, isSelf))
    return
  }
  const time = format.moment(endMs(auction), page.now())
  const moved = endMs(auction) - endMs(before)
  const price = format.money(auction.currentPrice, auction)
  const hasLost = isSelf(before.leaderId) && !isSelf(auction.leaderId)
  const hasPrice = auction.currentPrice !== before.currentPrice || auction.bidCount !== before.bidCount
  const said = [
    hasLost ? format.text('outbidFor', { price }) : '',
    hasPrice && !hasLost ? format.text('priceAndBids', { price, count: auction.bidCount }) : '',
    moved === 0 ? '' : format.text(moved > 0 ? 'extendedNow' : 'shortenedNow', { time }),
  ].filter((text) => text !== '')
  if (said.length > 0) page.announce(said.join(' '))
}

/** @param {Page} page */
export function auctionView(page) {
  const { format } = page
  const { detail } = page.state
  const auction = page.auctions.get(detail.id)
  const problem =
    detail.problem === ''
      ? nothing
      : html`<p class="problem" role="alert">${detail.problem} <button @click=${page.load}>${format.text('tryAgain')}</button></p>`
  if (auction === undefined) return html`<h1>${format.text('auctionNumber', { id: detail.id })}</h1>${problem}`
  return html`
    <article>
      <h1><bdi>${format.title(auction)}</bdi></h1>
      ${problem}
      <div class="columns">
        ${pictureView(page, auction)}
        <div class="side">
          ${stateView(page, auction)}
          ${repairsView(page, auction, detail.repairs)}
        </div>
        ${detail.isLoaded || detail.problem !== '' ? restView(page, auction) : nothing}
      </div>
    </article>`
}

/** What is below the price. @param {Page} page @param {Auction} auction */
function restView(page, auction) {
  const { format } = page
  const { detail } = page.state
  return html`
    <div class="rest">
      <section class="panel" aria-labelledby="price-title">
        <h2 id="price-title">${format.text('priceOverTime')}</h2>
        ${chartView(format, auction, pointsOf(detail), detail.nextCursor === null, page.now())}
      </section>
      ${bidsView(page)}
      ${aboutView(page, auction)}
    </div>`
}

/** The prices that a view has: of its bids, and after each withdrawal. @param {{ bids: readonly Bid[], repairs: readonly Repair[] }} detail */
function pointsOf({ bids, repairs }) {
  const points = bids.map(({ timestamp, amount }) => ({ ms: Date.parse(timestamp), amount })).reverse()
  const [first] = points
  const falls = repairs
    .filter(({ type }) => type === 'withdrawn')
    .map(({ timestamp, currentPrice: amount }) => ({ ms: Date.parse(timestamp), amount }))
  // Times never fall within an auction, and the sort is stable.
  return [...points, ...falls.filter(({ ms }) => first !== undefined && ms >= first.ms)].sort((a, b) => a.ms - b.ms)
}

/** @param {Page} page @param {Auction} auction */
function stateView(page, auction) {
  const { format } = page
  const { text } = format
  const { detail } = page.state
  const nowMs = page.now()
  const phase = phaseOf(auction, nowMs)
  const standing = standingOf(auction, page.isSelf(auction.id), detail.hasBid(page))
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
      ${movedView(page, auction)}
      <p class="marks">${text('bidCount', { count: bidCount })}${result === null ? marksView(page, auction) : nothing}</p>
      ${termsView(page, auction)}
      ${actionsView(page, auction, detail.actions)}
    </section>`
}

/** Where the user stands, and what came of the auction. @param {Page} page @param {Auction} auction @param {import('../format.js').Standing} standing */
function bannerView({ format, isSelf }, auction, standing) {
  const outcome = format.outcome(auction, isSelf(auction.id))
  if (standing === 'none') return outcome === '' ? nothing : html`<p class="result">${outcome}</p>`
  const hint = outcome === '' ? format.text(standing === 'leads' ? 'youLeadHint' : 'outbidHint') : outcome
  return html`
    <p class="banner" data-standing=${standing}><strong>${format.text(standingTexts[standing])}</strong> <span>${hint}</span></p>`
}

/** That late bids moved the end. Staff give their reason in the list of what they changed. @param {Page} page @param {Auction} auction */
function movedView({ format, now, state: { detail } }, auction) {
  const isMoved = endMs(auction) > Date.parse(auction.endTime)
  if (!isMoved || detail.repairs.some(({ type }) => type === 'extended')) return nothing
  const [from, to] = [Date.parse(auction.endTime), endMs(auction)].map((ms) => isolated(format.moment(ms, now())))
  const moved = format.text('lateBidsMoved', { from: from ?? '', to: to ?? '' })
  return html`<p class="extended" data-turn=${detail.moves === 0 ? nothing : detail.moves % 2}>${moved}</p>`
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

/** @param {Page} page @param {Auction} auction */
export function aboutView({ format, now }, auction) {
  const { text, moment, money } = format
  const nowMs = now()
  const { softClose, description, maximumBidIncrement } = auction
  const phase = phaseOf(auction, nowMs)
  // No event comes at the start.
  const status = phase === 'over' ? auction.status : phase === 'soon' ? 'Pending' : 'Active'
  /** @param {string} name @param {unknown} value */
  const fact = (name, value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`
  const duration = (/** @type {number} */ seconds) => isolated(format.duration(seconds * 1000))
  return html`
    <section class="panel" aria-labelledby="about-title">
      <h2 id="about-title">${text('about')}</h2>
      ${description === undefined ? nothing : html`<p class="description" dir="auto">${description}</p>`}
      <dl>
        ${fact(text('status'), text(`status${status}`))}
        ${fact(text('start'), moment(auction.startTime, nowMs))}
        ${fact(text('end'), moment(endMs(auction), nowMs))}
        ${fact(text('timeZone'), format.timeZone)}
        ${fact(text('startingPrice'), money(auction.startingPrice, auction))}
        ${
          maximumBidIncrement === undefined
            ? nothing
            : fact(text('bidLimit'), text('abovePrice', { amount: money(maximumBidIncrement, auction) }))
        }
        ${fact(text('seller'), text('userNumber', { id: auction.ownerId }))}
        ${fact(text('product'), auction.productId)}
        ${
          softClose === undefined
            ? nothing
            : fact(
                text('lateBids'),
                text('lateBidsRule', {
                  window: duration(softClose.windowSeconds),
                  extension: duration(softClose.extensionSeconds),
                }),
              )
        }
      </dl>
    </section>`
}

/** @param {Page} page */
function bidsView(page) {
  const { text } = page.format
  const { detail } = page.state
  const auction = page.auctions.get(detail.id)
  if (auction === undefined || detail.bids.length === 0) return nothing
  const earlier = () => void page.attempt(detail, () => detail.loadEarlier(page))
  return html`
    <section class="panel" aria-labelledby="bids-title">
      <h2 id="bids-title">${text('bidsHeading')}</h2>
      <table>
        <thead><tr><th scope="col">${text('amount')}</th><th scope="col">${text('bidder')}</th><th scope="col">${text('time')}</th></tr></thead>
        <tbody>${rowsView(page, auction)}</tbody>
      </table>
      ${detail.nextCursor === null ? nothing : html`<button class="more" @click=${earlier}>${text('earlierBids')}</button>`}
    </section>`
}

/** The bids that a view has as rows, and what these depend on. @type {WeakMap<object, { bids: readonly Bid[], context: string }>} */
const drawn = new WeakMap()

/** The rows, only if they have changed: the countdown renders four times a second. @param {Page} page @param {Auction} auction */
function rowsView(page, auction) {
  const { state, isSelf, pseudonyms } = page
  const { detail, user } = state
  const { bids } = detail
  const day = new Date(page.now()).toDateString()
  const context = [user, pseudonyms.get(auction.id), isSelf(auction.id)(user), day].join()
  const before = drawn.get(detail)
  if (before?.bids === bids && before.context === context) return noChange
  drawn.set(detail, { bids, context })
  return bids.map((bid) => bidView(page, bid, auction))
}

/** Rows by their bids, because formats cost more than the rest of a view. @type {WeakMap<Bid, { isOwn: boolean, day: string, row: unknown }>} */
const rows = new WeakMap()

/** @param {Page} page @param {Bid} bid @param {Auction} auction */
function bidView({ format, isSelf, now }, bid, auction) {
  const nowMs = now()
  const isOwn = isSelf(auction.id)(bid.bidderId)
  const day = new Date(nowMs).toDateString()
  const known = rows.get(bid)
  if (known?.isOwn === isOwn && known.day === day) return known.row
  const amount = format.money(bid.amount, auction)
  const mark = (/** @type {'automatic' | 'withdrawn'} */ name) => html` <span class="mark">${format.text(name)}</span>`
  const row = html`
    <tr ?data-own=${isOwn} ?data-withdrawn=${bid.withdrawn}>
      <td class="price">${bid.withdrawn ? html`<s>${amount}</s>` : amount}</td>
      <td>${format.bidder(bid.bidderId, isSelf(auction.id))}${bid.automatic ? mark('automatic') : nothing}${bid.withdrawn ? mark('withdrawn') : nothing}</td>
      <td><time datetime=${bid.timestamp}>${format.moment(bid.timestamp, nowMs)}</time></td>
    </tr>`
  rows.set(bid, { isOwn, day, row })
  return row
}
