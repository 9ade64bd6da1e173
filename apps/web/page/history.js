import { orThrow } from './client.js'
import { formatOf } from './formats.js'
import { soon } from './requests.js'

/**
 * @import { Auction, AuctionClientError, Bid, Data, Query } from './client.js'
 * @import { Known } from './known.js'
 * @typedef {Data<'listRepairs'>['items'][number]} Change A repair or a correction.
 * @typedef {ReturnType<typeof createHistory>} History
 */

const pageSize = 100
/** How many bids are kept and drawn: more would take longer than a frame. */
const maxBids = 300
const betweenReadsMs = 1_000

/** The bids and repairs of one auction. @param {Known} known @param {number} id @param {() => boolean} isHidden */
export function createHistory(known, id, isHidden) {
  const closing = new AbortController()
  const { signal } = closing
  const bids = createBids(known, id, signal)
  const changes = createChanges(known, id, signal)
  let isReading = false
  let isBehind = false

  async function readMore() {
    const auction = known.auctions.get(id)
    if (auction === undefined) return
    const isWithdrawn = await changes.read(auction)
    const count = formatOf(auction).bidsListed(auction)
    if (count !== undefined) await bids.read(count, isWithdrawn)
  }

  const history = {
    problem: /** @type {AuctionClientError | undefined} */ (undefined),
    /** Whether the bids were read once. Until then, what is below the price is not shown, because it would move. */
    isLoaded: false,
    /** Newest first. */
    get bids() {
      return bids.items
    },
    get nextCursor() {
      return bids.nextCursor
    },
    /** Newest first. */
    get changes() {
      return changes.items
    },

    /** @returns {Promise<void>} */
    load: () =>
      known.attempt(history, async () => {
        await known.readAuction(id, signal)
        known.connection.watch([id])
        await readMore()
        history.isLoaded = true
      }),

    /** @returns {Promise<void>} */
    loadEarlier: () => known.attempt(history, bids.readEarlier),

    /** Reads what the stream does not have: the bids, the repairs, and what only the reader may see. @returns {void} */
    refresh() {
      isBehind = true
      if (isReading || signal.aborted || isHidden() || !known.auctions.has(id)) return
      isReading = true
      void known.attempt(history, async () => {
        try {
          while (isBehind && !signal.aborted) {
            isBehind = false
            await known.readAuction(id, signal)
            await readMore()
            await new Promise((resolve) => setTimeout(resolve, betweenReadsMs))
          }
        } finally {
          isReading = false
        }
      })
    },

    close: () => closing.abort(),
  }
  return history
}

/** @param {Known} known @param {number} id @param {AbortSignal} signal */
function createChanges({ client }, id, signal) {
  /** The changes that were read. */
  let read = '0 null'
  const changes = {
    items: /** @type {readonly Change[]} */ ([]),
    /** Reads the changes that are new. @param {Auction} auction @returns {Promise<boolean>} Whether bids were withdrawn since the last read. */
    async read({ repairCount, correctedAt }) {
      const wanted = `${repairCount} ${correctedAt}`
      if (wanted === read) return false
      const newest = changes.items[0]?.sequence ?? 0
      changes.items = orThrow(await client.listRepairs(id, soon(signal))).data.items
      read = wanted
      return changes.items.some(({ type, sequence }) => type === 'withdrawn' && sequence > newest)
    },
  }
  return changes
}

/** @param {Known} known @param {number} id @param {AbortSignal} signal */
function createBids({ client, reader }, id, signal) {
  /** How many bids the auction had at the last read of its bids. */
  let count = 0
  /** @param {Query<'listBids'>} query */
  const readSome = async (query) => orThrow(await client.listBids(id, query, soon(signal))).data

  /** Notes whether the reader has bids that count. */
  function noteOwn() {
    const own = bids.items.filter(({ bidderId }) => reader.isSelf(id)(bidderId))
    if (own.some(({ withdrawn }) => !withdrawn)) reader.bidOn.add(id)
    else if (own.length > 0 && bids.nextCursor === null) reader.bidOn.delete(id)
  }

  const bids = {
    items: /** @type {readonly Bid[]} */ ([]),
    nextCursor: /** @type {string | null} */ (null),

    /** Reads the bids that are new, or the newest ones if there are too many, or if known ones have changed. @param {number} bidCount @param {boolean} isWithdrawn */
    async read(bidCount, isWithdrawn) {
      if (bidCount !== count || isWithdrawn) {
        const newest = isWithdrawn ? undefined : bids.items[0]?.id
        const follows = (/** @type {readonly Bid[]} */ items) => items.some((bid) => bid.id === newest)
        const isFirst = newest === undefined
        const limit = isFirst ? pageSize : Math.min(pageSize, Math.max(0, bidCount - count) + 1)
        let { items, nextCursor } = await readSome({ limit })
        // More bids may have arrived in the meantime.
        if (!isFirst && !follows(items)) ({ items, nextCursor } = await readSome({ limit: pageSize }))
        const isNext = follows(items)
        bids.items = isNext ? joined(items, bids.items) : items
        if (!isNext) bids.nextCursor = nextCursor
        count = bidCount
      }
      noteOwn()
    },

    async readEarlier() {
      const cursor = bids.nextCursor
      if (cursor === null) return
      const { items, nextCursor } = await readSome({ limit: pageSize, cursor })
      bids.items = joined(bids.items, items)
      bids.nextCursor = bids.items.length < maxBids ? nextCursor : null
    },
  }
  return bids
}

/** Bids have the order in which the service lists them: neither ids nor amounts always rise. @param {readonly Bid[]} newer @param {readonly Bid[]} older */
function joined(newer, older) {
  const ids = new Set(newer.map(({ id }) => id))
  return [...newer, ...older.filter(({ id }) => !ids.has(id))].slice(0, maxBids)
}
