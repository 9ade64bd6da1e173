import { orThrow } from '../../client.js'
import { soon } from '../../requests.js'

/**
 * @import { Known } from '../../known.js'
 * @import { Lot, Lots } from './lots.js'
 */

/** One request reads as many auctions. */
export const groupSize = 100
/** The pages of the reader's bids that are read. */
const maxBidPages = 3
const betweenReadsMs = 1_000

/** What lines do not have: titles and pictures of lots, and where the reader is. @param {Known} known @param {Lots} lots @param {(lot: Lot, before: Lot['standing']) => void} onStanding The reader has another standing than before. */
export function createReads({ client, reader, readOwnBids }, lots, onStanding) {
  let isReadingOwn = false

  /** Reads auctions, up to 100. @param {readonly Lot[]} wanted @param {AbortSignal} signal */
  async function read(wanted, signal) {
    const changes = new Map(wanted.map((lot) => [lot.id, lot.changes]))
    for (const lot of wanted) lot.isReading = true
    try {
      const { data } = orThrow(await client.listAuctions({ ids: wanted.map(({ id }) => id) }, soon(signal)))
      const found = new Map(data.items.map((auction) => [auction.id, auction]))
      for (const lot of wanted) {
        const before = lot.standing
        const auction = found.get(lot.id)
        // One that cannot be read is not read again and again.
        if (auction === undefined) lot.isStale = false
        else lot.noteRead(auction, changes.get(lot.id) ?? -1)
        if (lot.standing !== before) onStanding(lot, before)
      }
    } finally {
      for (const lot of wanted) lot.isReading = false
      lots.touch()
    }
  }

  return {
    /** Reads what is missing of lots, once. @param {readonly Lot[]} wanted @param {AbortSignal} signal */
    async readDetails(wanted, signal) {
      const missing = wanted.filter(({ detail, isReading }) => detail === undefined && !isReading)
      const groups = []
      for (let at = 0; at < missing.length; at += groupSize)
        groups.push(read(missing.slice(at, at + groupSize), signal))
      await Promise.all(groups)
    },

    /** Reads on which lots the reader has bid: bids since the creation of the sale. @returns {Promise<void>} */
    async readBids() {
      if (!reader.session.bid) return
      /** @type {string | undefined} */
      let cursor
      for (let pages = 0; pages < maxBidPages; pages++) {
        const page = await readOwnBids({ bidderId: reader.user, limit: 100, cursor }).catch(() => undefined)
        const last = page?.items.at(-1)
        if (page?.nextCursor == null || last === undefined || last.timestamp < lots.sale.createdAt) break
        cursor = page.nextCursor
      }
      lots.touch()
    },

    /** Reads where the reader is in the lots that have changed, as long as some do. @param {AbortSignal} signal */
    async readOwn(signal) {
      if (isReadingOwn) return
      isReadingOwn = true
      try {
        for (;;) {
          const stale = lots.own().filter(({ isStale, isReading }) => isStale && !isReading)
          if (stale.length === 0 || signal.aborted) return
          await read(stale.slice(0, groupSize), signal)
          await new Promise((resolve) => setTimeout(resolve, betweenReadsMs))
        }
      } finally {
        isReadingOwn = false
      }
    },
  }
}
