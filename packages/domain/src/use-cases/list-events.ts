import { initialState } from '../auction/state.ts'
import type { AuctionNotFound, Overloaded } from '../ledger/pending-command.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { CallSignal, Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'
import { requirePageSize } from '../values/page.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { type ValidationFailed, validationFailed } from '../values/validation.ts'
import { type PublicEvent, publicEventOf } from './public-event.ts'

export type ListEventsQuery = {
  /** The sequence of the last entry that is known: 0, or the `position` of the previous page. */
  readonly after: number
  /** The maximum number of entries that are read: 1 to `maxPageSize`. */
  readonly limit: number
  /** After it is aborted, nothing is read, and the list fails with a StoreUnavailableError. */
  readonly signal?: CallSignal
}

export type EventPage = {
  /** The events of the entries that were read, oldest first. Not every entry has one. */
  readonly items: readonly PublicEvent[]
  /** The sequence of the last entry that was read, from which the next page continues. */
  readonly position: number
  /** Whether that was the last entry of the auction. */
  readonly isAtHead: boolean
  /** Whether the auction is over at that entry, so that no event follows, though entries may. */
  readonly isOver: boolean
}

/**
 * Lists the events of an auction, oldest first, from any position. Sequences have no gaps, so a caller that continues
 * from the last position misses nothing and gets nothing twice. A position that the ledger does not have is refused as
 * `validation-failed` with the pointer `/after`.
 */
export type ListEvents = (
  auctionId: AuctionId,
  query: ListEventsQuery,
) => Promise<Result<EventPage, AuctionNotFound | ValidationFailed | Overloaded>>

type EventStore = Pick<Store, 'findAuctions' | 'findHeads' | 'listEntries'>

export function listEventsUseCase({ store }: { readonly store: EventStore }): ListEvents {
  return async (auctionId, query) => {
    requirePageSize(query)
    const { after, limit, signal } = query
    const [[found], [head]] = await Promise.all([
      store.findAuctions({ ids: [auctionId] }, signal),
      store.findHeads([auctionId], signal),
    ])
    if (found === undefined) return refused({ code: 'auction-not-found', auctionId })
    const last = head?.sequence ?? 0
    if (after > last) return refused(validationFailed({ pointer: '/after', message: aheadOf(last) }))
    const position = Math.min(after + limit, last)
    // No more than the new entries, and one before them for the state before the first.
    const listed = { before: position + 1, limit: position - after + 1, signal }
    const entries = position === after ? [] : await store.listEntries(auctionId, listed)
    if (position > after && entries[0]?.sequence !== position) {
      // A caller that continued after it would miss its event.
      throw new StoreUnavailableError(`the store did not list entry ${position} of auction ${auctionId}`)
    }
    const stateOf = new Map(entries.map(({ sequence, state }) => [sequence, state]))
    const items = entries.toReversed().flatMap((entry) => {
      const { sequence } = entry
      if (sequence <= after) return []
      const before = stateOf.get(sequence - 1) ?? initialState
      return publicEventOf(found.auction, entry, before) ?? []
    })
    const { state } = entries[0] ?? head ?? { state: initialState }
    // No entry after the end has an event.
    return accepted({ items, position, isAtHead: position === last, isOver: state.phase === 'closed' })
  }
}

export const aheadOf = (last: number): string =>
  `must be at most ${last}, the sequence of the last entry of the auction`
