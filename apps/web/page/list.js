/**
 * @import { Auction, AuctionClientError, Data } from './client.js'
 * @import { Known } from './known.js'
 * @typedef {Data<'listAuctions'>} Found
 * @typedef {{ name: string, query: URLSearchParams }} Wanted
 * @typedef {ReturnType<typeof createList>} List
 */

export const statuses = /** @type {const} */ (['Active', 'Pending', 'Ended', 'Cancelled'])

const pageSize = 20
/** One stream follows as many auctions. */
const maxShown = 100

/** A list of auctions. @param {Known} known @param {Wanted} wanted */
export function createList(known, wanted) {
  const read = readers[wanted.name] ?? readNewest
  const context = { ended: createMerged(known) }
  let isClosed = false

  const list = {
    problem: /** @type {AuctionClientError | undefined} */ (undefined),
    isLoaded: false,
    /** @type {number[]} */
    ids: [],
    /** @type {string | null} */
    nextCursor: null,

    /** Reads the next page, or the first one. @returns {Promise<void>} */
    load: () =>
      known.attempt(list, async () => {
        const part = { limit: pageSize, cursor: list.nextCursor ?? undefined }
        const { items, nextCursor } = await read(known, part, wanted.query, context)
        if (isClosed) return
        const added = items.map(({ id }) => id).filter((id) => !list.ids.includes(id))
        list.ids = [...list.ids, ...added].slice(0, maxShown)
        list.nextCursor = list.ids.length < maxShown ? nextCursor : null
        list.isLoaded = true
        known.connection.watch(list.ids)
      }),

    close() {
      isClosed = true
    },
  }
  return list
}

/** @typedef {{ limit: number, cursor: string | undefined }} Part */

/** @param {Known} known @param {Part} part @param {URLSearchParams} query */
function readNewest(known, part, query) {
  const status = statuses.find((each) => each === query.get('status'))
  return known.readAuctions({ ...part, q: query.get('q') || undefined, status })
}

/** @param {Known} known @param {Part} part */
async function readBidOn(known, part) {
  const { items, nextCursor } = await known.readOwnBids({ ...part, bidderId: known.reader.user })
  const ids = new Set(items.map(({ auctionId }) => auctionId))
  const read = ids.size === 0 ? { items: [] } : await known.readAuctions({ ids: [...ids] })
  return { items: read.items, nextCursor }
}

/** Those that start first, among as many as the page shows. @param {Known} known */
async function readUpcoming(known) {
  const { items } = await known.readAuctions({ limit: maxShown, status: 'Pending' })
  const startMs = (/** @type {Auction} */ { startTime }) => Date.parse(startTime)
  return { items: items.toSorted((a, b) => startMs(a) - startMs(b)), nextCursor: null }
}

/**
 * How each list reads a page, by its name in the URL; without one, as `newest`.
 * @type {Readonly<Record<string, (known: Known, part: Part, query: URLSearchParams, context: { ended: () => Promise<Found> }) => Promise<Found>>>}
 */
const readers = {
  ending: (known, part) => known.readAuctions({ ...part, status: 'Active', sort: 'endTime' }),
  ended: (_known, _part, _query, { ended }) => ended(),
  bids: readBidOn,
  upcoming: readUpcoming,
  selling: (known, part) => known.readAuctions({ ...part, ownerId: known.reader.user }),
}

/** What ended and what was cancelled, which the API lists separately, by the time of the end. @param {Known} known */
function createMerged(known) {
  const sources = /** @type {const} */ (['Ended', 'Cancelled']).map((status) => ({
    status,
    /** Those that are not shown yet. @type {Auction[]} */
    items: [],
    /** @type {string | null | undefined} */
    nextCursor: undefined,
  }))

  /** Keeps a whole page of each, so that none is missing between the others. @param {typeof sources[number]} source */
  async function fill(source) {
    const { status, items, nextCursor } = source
    if (items.length >= pageSize || nextCursor === null) return
    const found = await known.readAuctions({ limit: pageSize, cursor: nextCursor, status, sort: 'endedTime' })
    Object.assign(source, { items: [...items, ...found.items], nextCursor: found.nextCursor })
  }

  /** @returns {Promise<Found>} */
  return async () => {
    await Promise.all(sources.map(fill))
    const all = sources.flatMap(({ items }) => items).sort((a, b) => endedMs(b) - endedMs(a))
    const items = all.slice(0, pageSize)
    for (const source of sources) source.items = source.items.filter((item) => !items.includes(item))
    const isLast = all.length <= pageSize && sources.every(({ nextCursor }) => nextCursor === null)
    return { items, nextCursor: isLast ? null : 'more' }
  }
}

/** @param {Auction} auction */
const endedMs = ({ endedAt }) => Date.parse(endedAt ?? '')
