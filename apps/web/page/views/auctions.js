import { bidder, counted, money, phaseOf, pictureOf, priceOf, timeLeft, titleOf } from '../format.js'
import { html, nothing } from '../html.js'

/**
 * @typedef {import('../app.js').Page} Page
 * @typedef {import('../app.js').Auction} Auction
 * @typedef {{ items: Auction[], nextCursor: string | null }} Found
 */

/** The lists, by their names in the URL. @type {Record<string, { title: string, empty: string }>} */
export const lists = {
  ending: { title: 'Ending soon', empty: 'No auction is open.' },
  newest: { title: 'Newest', empty: 'No auction was found.' },
  ended: { title: 'Ended', empty: 'No auction has ended yet.' },
  bids: { title: 'Your bids', empty: 'You have not bid yet.' },
  selling: { title: 'Your auctions', empty: 'You have not created an auction yet.' },
}

const pageSize = 20
/** As many as one stream follows. */
const maxShown = 100
const statuses = ['Active', 'Pending', 'Ended', 'Cancelled']

/** The state of a list. @param {string} name */
export function openList(name) {
  const readEnded = mergeEnded()
  const list = {
    name,
    problem: '',
    isLoaded: false,
    /** @type {number[]} */
    ids: [],
    /** @type {string | null} */
    nextCursor: null,
    /** Reads the next page, or the first one. @param {Page} page @returns {Promise<void>} */
    async load(page) {
      const read = name === 'ended' ? readEnded(page) : readPage(page, name, list.nextCursor)
      const { items, nextCursor } = await read
      if (page.state.list !== list) return
      items.forEach(page.note)
      const shown = items.map(({ id }) => id).filter((id) => !list.ids.includes(id))
      list.ids = [...list.ids, ...shown].slice(0, maxShown)
      list.nextCursor = list.ids.length < maxShown ? nextCursor : null
      list.isLoaded = true
      page.watch(list.ids)
    },
  }
  return list
}

/** @param {Page} page @param {string} name @param {string | null} cursor @returns {Promise<Found>} */
async function readPage({ client, state: { user, route } }, name, cursor) {
  const search = new URLSearchParams({ limit: String(pageSize), ...(cursor !== null && { cursor }) })
  if (name === 'bids') {
    search.set('bidderId', String(user))
    const { items, nextCursor } = await client.read(`api/Bids?${search}`)
    const ids = new Set(items.map((/** @type {import('../client/client.js').Bid} */ { auctionId }) => auctionId))
    const read = ids.size === 0 ? { items: [] } : await client.read(`api/Auctions?ids=${[...ids].join()}`)
    return { items: read.items, nextCursor }
  }
  if (name === 'ending') setAll(search, { status: 'Active', sort: 'endTime' })
  else if (name === 'selling') search.set('ownerId', String(user))
  else
    setAll(
      search,
      Object.fromEntries([...route.query].filter(([key, value]) => ['q', 'status'].includes(key) && value !== '')),
    )
  return client.read(`api/Auctions?${search}`)
}

/** What ended and what was cancelled, which the API lists apart, by the time of the end. */
function mergeEnded() {
  const sources = ['Ended', 'Cancelled'].map((status) => ({
    status,
    /** Those that are not shown yet. @type {Auction[]} */
    items: [],
    /** @type {string | null | undefined} */
    nextCursor: undefined,
  }))

  /** Keeps a whole page of each, so that none is missing between the others. @param {Page} page @param {typeof sources[number]} source */
  async function fill({ client }, source) {
    const { status, items, nextCursor } = source
    if (items.length >= pageSize || nextCursor === null) return
    const search = new URLSearchParams({ limit: String(pageSize), status, sort: 'endedTime' })
    if (nextCursor !== undefined) search.set('cursor', nextCursor)
    const found = /** @type {Found} */ (await client.read(`api/Auctions?${search}`))
    Object.assign(source, { items: [...items, ...found.items], nextCursor: found.nextCursor })
  }

  /** @param {Page} page @returns {Promise<Found>} */
  return async (page) => {
    await Promise.all(sources.map((source) => fill(page, source)))
    const all = sources.flatMap(({ items }) => items).sort((a, b) => endedMs(b) - endedMs(a))
    const items = all.slice(0, pageSize)
    for (const source of sources) source.items = source.items.filter((item) => !items.includes(item))
    const isLast = all.length <= pageSize && sources.every(({ nextCursor }) => nextCursor === null)
    return { items, nextCursor: isLast ? null : 'more' }
  }
}

/** @param {Auction} auction */
const endedMs = ({ endedAt }) => Date.parse(endedAt ?? '')

/** @param {URLSearchParams} search @param {Record<string, string>} values */
const setAll = (search, values) => Object.entries(values).forEach(([key, value]) => void search.set(key, value))

/** @param {Page} page */
export function auctionsView(page) {
  const { list } = page.state
  const { title, empty } = lists[list.name] ?? { title: 'Auctions', empty: '' }
  const more = () => void page.attempt(list, () => list.load(page))
  return html`
    <h1>${title}</h1>
    ${searchView(page)}
    ${list.problem === '' ? nothing : html`<p class="problem" role="alert">${list.problem} <button @click=${more}>Try again</button></p>`}
    ${list.isLoaded && list.ids.length === 0 ? html`<p>${empty}</p>` : nothing}
    <ul class="auctions">${list.ids.map((id) => rowView(page, id))}</ul>
    ${list.nextCursor === null ? nothing : html`<button class="more" @click=${more}>More</button>`}`
}

/** @param {Page} page */
function searchView({ state: { route } }) {
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    const form = /** @type {HTMLFormElement} */ (event.currentTarget)
    const given = /** @type {[string, string][]} */ ([...new FormData(form)])
    location.hash = `#/newest?${new URLSearchParams(given)}`
  }
  const chosen = route.query.get('status') ?? ''
  return html`
    <form class="search" role="search" @submit=${submit}>
      <label>Words in the title <input name="q" type="search" maxlength="200" .value=${route.query.get('q') ?? ''}></label>
      <label>Status
        <select name="status">
          <option value="">Any</option>
          ${statuses.map((each) => html`<option ?selected=${each === chosen}>${each}</option>`)}
        </select>
      </label>
      <button>Search</button>
    </form>`
}

/** @param {Page} page @param {number} id */
function rowView(page, id) {
  const auction = page.auctions.get(id)
  if (auction === undefined) return nothing
  return html`
    <li class="panel">
      ${pictureView(auction)}
      <a href="#/auctions/${id}"><bdi>${titleOf(auction)}</bdi></a>
      <span class="price">${money(priceOf(auction), auction)}</span>
      <span class="left" data-phase=${phaseOf(auction, page.now())}>${timeLeft(auction, page.now())}</span>
      <span class="marks">${counted(auction.bidCount, 'bid', 'bids')}${marksView(page, auction, page.state.list.name === 'bids')}</span>
    </li>`
}

/** The picture of the seller, which is on another origin. @param {Auction} auction */
export function pictureView(auction) {
  const url = pictureOf(auction)
  return url === undefined
    ? nothing
    : html`<img class="picture" src=${url} alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">`
}

/** What is special about an auction. @param {Page} page @param {Auction} auction @param {boolean} hasBid Whether the user has bid. */
export function marksView(page, auction, hasBid) {
  const { bidCount, reserveMet, buyNowOffered, buyNowPrice, leaderId, result, id } = auction
  const isSelf = page.isSelf(id)
  const isOver = result !== null
  return [
    !isOver && isSelf(leaderId) ? html`<span class="mark good">You lead</span>` : nothing,
    !isOver && bidCount > 0 && hasBid && !isSelf(leaderId) ? html`<span class="mark bad">Outbid</span>` : nothing,
    reserveMet === undefined || isOver
      ? nothing
      : html`<span class="mark">Reserve ${reserveMet ? 'met' : 'not met'}</span>`,
    buyNowOffered && buyNowPrice !== undefined && !isOver
      ? html`<span class="mark">Buy now ${money(buyNowPrice, auction)}</span>`
      : nothing,
    isOver ? html`<span class="mark">${outcomeOf(auction, isSelf)}</span>` : nothing,
  ]
}

/** @param {Auction} auction @param {(id: number | null) => boolean} isSelf */
export function outcomeOf(auction, isSelf) {
  const { result } = auction
  /** @param {number} id */
  const nameOf = (id) => (isSelf(id) ? 'you' : bidder(id, isSelf))
  if (result === null) return ''
  if (result.outcome === 'sold') return `Sold to ${nameOf(result.winnerId)} for ${money(result.price, auction)}`
  if (result.outcome === 'bought') return `Bought by ${nameOf(result.buyerId)} for ${money(result.price, auction)}`
  if (result.outcome === 'cancelled') return result.reason === undefined ? 'Cancelled' : `Cancelled: ${result.reason}`
  return result.reason === 'no-bids' ? 'Not sold: no bids' : 'Not sold: the reserve was not met'
}
