/**
 * @import { Auction } from './client.js'
 * @typedef {{ auction: Auction, sequence: number, sentMs: number, event: number }} Known A state, its sequence if it came by the
 *   stream, when the service sent it, and the number of the newest event.
 */

/**
 * Keeps the newest state of each auction. Prices and the number of bids may fall, so states have the order of their sequences. Reads
 * have none: a read is newer if the service sent it later, and nothing came by the stream since the read began.
 * @param {(auction: Auction, before: Auction | undefined) => void} onChange
 */
export function createNewest(onChange) {
  /** @type {Map<number, Known>} */
  const states = new Map()
  let events = 0

  /** @param {Auction} auction @param {Known | undefined} known @param {Omit<Known, 'auction'>} order @param {boolean} isNewer */
  function note(auction, known, order, isNewer) {
    const before = known?.auction
    const isUndone = before !== undefined && before.result !== null && auction.result === null
    if (known !== undefined && before !== undefined && (!isNewer || isUndone)) {
      // An older read can still have what only the user may see.
      if (isSameStanding(before, auction)) known.auction = { ...before, ...secretsOf(auction, before) }
      return
    }
    const merged = /** @type {Auction} */ ({ ...secretsOf(before, auction), ...auction })
    states.set(auction.id, { ...order, auction: merged })
    onChange(merged, before)
  }

  return {
    /** @param {number} id */
    get: (id) => states.get(id)?.auction,
    /** @param {number} id */
    has: (id) => states.has(id),
    isEmpty: () => states.size === 0,
    clear: () => states.clear(),

    /** Notes a state of the stream. A sequence of 0 is unknown. @param {Auction} auction @param {number} sequence @param {number} sentMs */
    noteEvent(auction, sequence, sentMs) {
      const known = states.get(auction.id)
      const isNewer = known === undefined || sequence > known.sequence || sentMs >= known.sentMs
      events += 1
      note(auction, known, { sequence: Math.max(sequence, known?.sequence ?? 0), sentMs, event: events }, isNewer)
    },

    /** Begins to read. @returns {(auction: Auction, sentMs: number) => void} Notes an auction that was read. */
    startReading() {
      const start = events
      return (auction, sentMs) => {
        const known = states.get(auction.id)
        const isNewer = known === undefined || (known.event <= start && sentMs >= known.sentMs)
        note(auction, known, { sequence: known?.sequence ?? 0, sentMs, event: known?.event ?? 0 }, isNewer)
      }
    },
  }
}

/** @param {Auction} one @param {Auction} other */
const isSameStanding = (one, other) => one.bidCount === other.bidCount && one.currentPrice === other.currentPrice

/** What only the reads of the user contain, and the stream does not. @param {Auction | undefined} known @param {Auction} other */
function secretsOf(known, other) {
  if (known === undefined) return {}
  const { description, reservePrice, youLead, yourMaximum } = known
  const secrets = { description, reservePrice, ...(isSameStanding(known, other) && { youLead, yourMaximum }) }
  return Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== undefined))
}
