import { phaseOf, pictureUrl, priceOf, standingOf } from '../format.js'
import { html, nothing } from '../html.js'

/**
 * @typedef {import('../app.js').Page} Page
 * @typedef {import('../app.js').Auction} Auction
 * @typedef {import('../client.js').Data<'listAuctions'>} Found
 */

/** The lists, by their names in the URL and in the texts. */
export const lists = /** @type {const} */ (['ending', 'newest', 'ended', 'bids', 'selling'])

const pageSize = 20
/** As many as one stream follows. */
const maxShown = 100
const statuses = /** @type {const} */ (['Active', 'Pending', 'Ended', 'Cancelled'])

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
async function readPage({ readBids, readAuctions, state: { user, route } }, name, cursor) {
  const part = { limit: pageSize, cursor: cursor ?? undefined }
  if (name === 'bids') {
    const { items, nextCursor } = await readBids({ ...part, bidderId: user })
    const ids = new Set(items.map(({ auctionId }) => auctionId))
    const read = ids.size === 0 ? { items: [] } : await readAuctions({ ids: [...ids] })
    return { items: read.items, nextCursor }
  }
  if (name === 'ending') return readAuctions({ ...part, status: 'Active', sort: 'endTime' })
  if (name === 'selling') return readAuctions({ ...part, ownerId: user })
  const status = statuses.find((each) => each === route.query.get('status'))
  return readAuctions({ ...part, q: route.query.get('q') || undefined, status })
}

/** What ended and what was cancelled, which the API lists apart, by the time of the end. */
function mergeEnded() {
  const sources = /** @type {const} */ (['Ended', 'Cancelled']).map((status) => ({
    status,
    /** Those that are not shown yet. @type {Auction[]} */
    items: [],
    /** @type {string | null | undefined} */
    nextCursor: undefined,
  }))

  /** Keeps a whole page of each, so that none is missing between the others. @param {Page} page @param {typeof sources[number]} source */
  async function fill({ readAuctions }, source) {
    const { status, items, nextCursor } = source
    if (items.length >= pageSize || nextCursor === null) return
    const found = await readAuctions({ limit: pageSize, cursor: nextCursor, status, sort: 'endedTime' })
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

/** @param {Page} page */
export function auctionsView(page) {
  const { list } = page.state
  const { text } = page.format
  const name = lists.find((each) => each === list.name)
  const more = () => void page.attempt(list, () => list.load(page))
  return html`
    <div class="heading">
      <h1>${text(name ?? 'auctions')}</h1>
      ${searchView(page)}
    </div>
    ${list.problem === '' ? nothing : html`<p class="problem" role="alert">${list.problem} <button @click=${more}>${text('tryAgain')}</button></p>`}
    ${list.isLoaded && list.ids.length === 0 ? html`<p>${text(name === undefined ? 'newestEmpty' : `${name}Empty`)}</p>` : nothing}
    <ul class="auctions">${list.ids.map((id) => itemView(page, id))}</ul>
    ${list.nextCursor === null ? nothing : html`<button class="more" @click=${more}>${text('more')}</button>`}`
}

/** @param {Page} page */
function searchView({ state: { route }, format: { text } }) {
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
      <label>${text('words')} <input name="q" type="search" maxlength="200" .value=${route.query.get('q') ?? ''}></label>
      <label>${text('status')}
        <select name="status">
          <option value="">${text('any')}</option>
          ${statuses.map((each) => html`<option value=${each} .selected=${each === chosen}>${text(`status${each}`)}</option>`)}
        </select>
      </label>
      <button>${text('search')}</button>
    </form>`
}

/** @param {Page} page @param {number} id */
function itemView(page, id) {
  const auction = page.auctions.get(id)
  if (auction === undefined) return nothing
  return html`<li class="card">${cardView(page, auction, `#/auctions/${id}`)}</li>`
}

/** What a list shows of an auction. @param {Page} page @param {Auction} auction @param {string} [link] */
export function cardView(page, auction, link) {
  const { format } = page
  const nowMs = page.now()
  const title = html`<bdi>${format.title(auction)}</bdi>`
  return html`
    ${pictureView(page, auction)}
    ${standingView(page, auction)}
    <div class="words">
      ${link === undefined ? html`<strong class="name">${title}</strong>` : html`<a class="name" href=${link}>${title}</a>`}
      <p><span class="price">${format.money(priceOf(auction), auction)}</span>
        <span class="left" data-phase=${phaseOf(auction, nowMs)}>${format.timeLeft(auction, nowMs)}</span></p>
      <p class="marks">${format.text('bidCount', { count: auction.bidCount })}${marksView(page, auction)}</p>
    </div>`
}

const hues = 6

/** The picture of the seller, which is on another origin, or the first letter of the title. @param {Page} page @param {Auction} auction */
export function pictureView({ format }, auction) {
  const url = pictureUrl(auction.metadata?.['pictureUrl'])
  if (url !== undefined)
    return html`<img class="picture" src=${url} alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">`
  const [letter = ''] = [...format.title(auction).trim()]
  return html`<span class="picture blank" data-hue=${auction.id % hues} aria-hidden="true">${letter}</span>`
}

/** Where the user stands, as a sign that needs no reading. @param {Page} page @param {Auction} auction */
function standingView(page, auction) {
  const standing = standingOf(auction, page.isSelf(auction.id), page.bidOn.has(auction.id))
  return standing === 'none'
    ? nothing
    : html`<p class="standing" data-standing=${standing}>${page.format.text(standingTexts[standing])}</p>`
}

export const standingTexts = /** @type {const} */ ({
  leads: 'youLead',
  outbid: 'outbid',
  won: 'youWon',
  lost: 'youLost',
})

/** What is special about an auction. @param {Page} page @param {Auction} auction */
export function marksView({ format, isSelf }, auction) {
  const { reserveMet, buyNowOffered, buyNowPrice, result, id } = auction
  if (result !== null) return html`<span class="mark">${format.outcome(auction, isSelf(id))}</span>`
  return [
    reserveMet === undefined
      ? nothing
      : html`<span class="mark">${format.text(reserveMet ? 'reserveMet' : 'reserveNotMet')}</span>`,
    buyNowOffered && buyNowPrice !== undefined
      ? html`<span class="mark">${format.text('buyNowMark', { price: format.money(buyNowPrice, auction) })}</span>`
      : nothing,
  ]
}
