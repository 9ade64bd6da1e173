import { orThrow } from './client.js'
import { soon } from './requests.js'

/**
 * @typedef {import('./client.js').Bid} Bid
 * @typedef {import('./client.js').Data<'listRepairs'>['items'][number]} Change A repair or a correction.
 * @typedef {ReturnType<typeof createHistory>} History
 */

const pageSize = 100
/** How many bids are kept and drawn: more would take longer than a frame. */
const maxBids = 300
const betweenReadsMs = 1_000

/** The bids and repairs of one auction. @param {import('./known.js').Known} known @param {number} id @param {() => boolean} isHidden */
export function createHistory(known, id, isHidden) {
  const closing = new AbortController()
  const { signal } = closing
  /** How many bids the auction had at the last read of its bids. */
  let count = 0
  /** Which changes were read. */
  let changesRead = '0 null'
  let isReading = false
  let isBehind = false

  const history = {
    problem: /** @type {import('./client.js').AuctionClientError | undefined} */ (undefined),
    /** Whether the bids were read once. Until then, what is below the price is not shown, because it would move. */
    isLoaded: false,
    /** Newest first. @type {readonly Bid[]} */
    bids: [],
    /** @type {string | null} */
    nextCursor: null,
    /** Newest first. @type {readonly Change[]} */
    changes: [],

    /** @returns {Promise<void>} */
    load: () =>
      known.attempt(history, async () => {
        await known.readAuction(id, signal)
        known.connection.watch([id])
        await readMore()
        history.isLoaded = true
      }),

    /** @returns {Promise<void>} */
    loadEarlier: () =>
      known.attempt(history, async () => {
        const cursor = history.nextCursor
        if (cursor === null) return
        const { items, nextCursor } = await readBidsOf({ limit: pageSize, cursor })
        history.bids = joined(history.bids, items)
        history.nextCursor = history.bids.length < maxBids ? nextCursor : null
      }),

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

  async function readMore() {
    const auction = known.auctions.get(id)
    const wanted = `${auction?.repairCount} ${auction?.correctedAt}`
    const isWithdrawn = wanted !== changesRead && (await readNewChanges())
    changesRead = wanted
    await readBids(isWithdrawn)
    noteOwn()
  }

  /** Notes whether the reader has bids that count. */
  function noteOwn() {
    const own = history.bids.filter(({ bidderId }) => known.reader.isSelf(id)(bidderId))
    if (own.some(({ withdrawn }) => !withdrawn)) known.reader.bidOn.add(id)
    else if (own.length > 0 && history.nextCursor === null) known.reader.bidOn.delete(id)
  }

  /** @returns {Promise<boolean>} Whether bids were withdrawn since the last read. */
  async function readNewChanges() {
    const newest = history.changes[0]?.sequence ?? 0
    history.changes = orThrow(await known.client.listRepairs(id, soon(signal))).data.items
    return history.changes.some(({ type, sequence }) => type === 'withdrawn' && sequence > newest)
  }

  /** @param {import('./client.js').Query<'listBids'>} query */
  const readBidsOf = async (query) => orThrow(await known.client.listBids(id, query, soon(signal))).data

  /** Reads the bids that are new, or the newest ones if there are too many, or if known ones have changed. @param {boolean} isWithdrawn */
  async function readBids(isWithdrawn) {
    const bidCount = known.auctions.get(id)?.bidCount ?? 0
    if (bidCount === count && !isWithdrawn) return
    const newest = isWithdrawn ? undefined : history.bids[0]?.id
    const follows = (/** @type {readonly Bid[]} */ items) => items.some((bid) => bid.id === newest)
    const isFirst = newest === undefined
    const limit = isFirst ? pageSize : Math.min(pageSize, Math.max(0, bidCount - count) + 1)
    let read = await readBidsOf({ limit })
    // More bids may have arrived in the meantime.
    if (!isFirst && !follows(read.items)) read = await readBidsOf({ limit: pageSize })
    const isNext = follows(read.items)
    history.bids = isNext ? joined(read.items, history.bids) : read.items
    if (!isNext) history.nextCursor = read.nextCursor
    count = bidCount
  }

  return history
}

/** Bids have the order in which the service lists them: neither ids nor amounts always rise. @param {readonly Bid[]} newer @param {readonly Bid[]} older */
function joined(newer, older) {
  const ids = new Set(newer.map(({ id }) => id))
  return [...newer, ...older.filter(({ id }) => !ids.has(id))].slice(0, maxBids)
}
