import { initialState } from '../auction/state.ts'
import type { AuctionId } from '../ids.ts'
import type { AuctionNotFound, Overloaded } from '../ledger/pending-command.ts'
import { accepted, type Result, refused } from '../result.ts'
import type { CallSignal, Store } from '../store.ts'
import { type ValidationFailed, validationFailed } from '../validation.ts'
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
  /** Whether the auction is over at that entry, so that no event follows. */
  readonly isOver: boolean
}

/**
 * Lists the events of an auction, oldest first, from any position. Sequences have no gaps, so a caller that continues from the
 * last position misses nothing and gets nothing twice. A position that the ledger does not have is refused as `validation-failed` with the
 * pointer `/after`.
 */
export type ListEvents = (
  auctionId: AuctionId,
  query: ListEventsQuery,
) => Promise<Result<EventPage, AuctionNotFound | ValidationFailed | Overloaded>>

export type ListEventsParts = { readonly store: Pick<Store, 'findAuctions' | 'findHeads' | 'listEntries'> }

export function listEventsUseCase({ store }: ListEventsParts): ListEvents {
  return async (auctionId, { after, limit, signal }) => {
    const [[auction], [head], entries] = await Promise.all([
      store.findAuctions([auctionId], signal),
      store.findHeads([auctionId], signal),
      // One more, for the state before the first.
      store.listEntries(auctionId, {
        before: Math.min(after + limit + 1, Number.MAX_SAFE_INTEGER),
        limit: limit + 1,
        signal,
      }),
    ])
    if (auction === undefined) return refused({ code: 'auction-not-found', auctionId })
    // An append between the two reads may be in either.
    const last = Math.max(head?.sequence ?? 0, entries[0]?.sequence ?? 0)
    if (after > last) return refused(validationFailed({ pointer: '/after', message: aheadOf(last) }))
    const stateOf = new Map(entries.map(({ sequence, state }) => [sequence, state]))
    const items = entries.toReversed().flatMap((entry) => {
      const { sequence } = entry
      if (sequence <= after) return []
      const before = stateOf.get(sequence - 1) ?? initialState
      return publicEventOf(auction, entry, before) ?? []
    })
    const position = Math.max(after, entries[0]?.sequence ?? 0)
    const isAtHead = position >= last
    return accepted({ items, position, isAtHead, isOver: isAtHead && entries[0]?.state.phase === 'closed' })
  }
}

const aheadOf = (last: number): string => `must be at most ${last}, the sequence of the last entry of the auction`
