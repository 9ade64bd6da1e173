import type { Terms } from '../auction/auction.ts'
import type { AuctionEntry } from '../auction/entry.ts'
import { isPublicEntry, publicSequenceOf } from '../auction/public-sequence.ts'
import type { AuctionState } from '../auction/state.ts'
import type { AuctionId } from '../values/ids.ts'
import { requirePageSize } from '../values/page.ts'
import { accepted } from '../values/result.ts'
import type { EventPage, ListEvents, ListEventsQuery } from './list-events.ts'
import { type PublicEvent, publicEventOf } from './public-event.ts'

/** An auction before its next entry. */
export type Head = { readonly terms: Terms; readonly state: AuctionState }

/** What an entry showed, which may be nothing. */
type Recent = Pick<EventPage, 'isOver'> & {
  readonly auctionId: AuctionId
  readonly sequence: number
  readonly event: PublicEvent | undefined
}

/** The events have at most two million characters as JSON, with the maximum size of one. */
export const maxRecentEvents = 1_024
/** The maximum size of an event as JSON. Larger ones, such as ends of auctions with long metadata, are read. */
export const maxRecentCharacters = 2_000

/** The events of entries that this service has just stored, so that its followers do not read them from the store. */
export function createRecentEvents() {
  // Each entry has one slot, so that nothing is searched, and an entry replaces an older one. A Map or an LRU cache
  // would be a garbage collector's work for each entry; see `createInFlight`.
  const recent: (Recent | undefined)[] = Array.from({ length: maxRecentEvents })

  function find(auctionId: AuctionId, sequence: number): Recent | undefined {
    const found = recent[slotOf(auctionId, sequence)]
    // JavaScript programs may pass no id.
    return found?.sequence === sequence && found.auctionId === auctionId ? found : undefined
  }

  function pageOf(auctionId: AuctionId, { after, limit }: ListEventsQuery, through: number): EventPage | undefined {
    const last = Math.min(after + limit, through)
    const items: PublicEvent[] = []
    let position = after
    let isOver = false
    for (let next = find(auctionId, after + 1); next !== undefined; next = find(auctionId, position + 1)) {
      if (next.event !== undefined) items.push(next.event)
      ;({ sequence: position, isOver } = next)
      if (position >= last) break
    }
    return position === after ? undefined : { items, position, isAtHead: position >= through, isOver }
  }

  return {
    /** Notes stored entries, which follow this head. */
    note({ terms, state }: Head, entries: readonly AuctionEntry[]): void {
      // Its readers are checked when they read the auction.
      if (terms.isPrivate === true) return
      let before = state
      for (const entry of entries) {
        const { auctionId, state: after } = entry
        if (!isPublicEntry(entry)) {
          before = after
          continue
        }
        const sequence = publicSequenceOf(after, entry.sequence)
        const event = publicEventOf(terms, entry, before)
        const isOver = after.phase === 'closed'
        recent[slotOf(auctionId, sequence)] = isSmall(event) ? { auctionId, sequence, event, isOver } : undefined
        before = after
      }
    },
    /** Lists events that are recent instead of reading them, if the caller has all before them. */
    insteadOf:
      (listEvents: ListEvents): ListEvents =>
      async (auctionId, query) => {
        requirePageSize(query)
        const { after, through = 0 } = query
        const page = through > after ? pageOf(auctionId, query, through) : undefined
        return page === undefined ? listEvents(auctionId, query) : accepted(page)
      },
  }
}

/** Consecutive entries of an auction have consecutive slots. */
const slotOf = (auctionId: AuctionId, sequence: number): number =>
  ((auctionId % maxRecentEvents) * 31 + sequence) % maxRecentEvents

const isSmall = (event: PublicEvent | undefined): boolean =>
  event === undefined || JSON.stringify(event).length <= maxRecentCharacters
