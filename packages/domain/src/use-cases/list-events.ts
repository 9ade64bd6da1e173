import { type AuctionNotFound, notFound } from '../auction/auction-ledger.ts'
import { isHiddenFrom, type Viewer } from '../auction/privacy.ts'
import { publicSequenceOf, shownSequences } from '../auction/public-sequence.ts'
import { initialStateOf } from '../auction/state.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { CallSignal, Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'
import { requirePageSize } from '../values/page.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { type ValidationFailed, validationFailed } from '../values/validation.ts'
import { type PublicEvent, publicEventOf } from './public-event.ts'

export type ListEventsQuery = Viewer & {
  /** The sequence of the last entry that is known: 0, or the `position` of the previous page. */
  readonly after: number
  /** The maximum number of entries that are read: 1 to `maxPageSize`. */
  readonly limit: number
  /**
   * The sequence of an entry that is known to be stored, such as the last one that `watchAuction` reported, if no event
   * after it is needed now. Events of entries that this service has just stored are then listed without a read.
   */
  readonly through?: number | undefined
  /** After it is aborted, no call of the store begins, and a list that needs one fails with a StoreUnavailableError. */
  readonly signal?: CallSignal
}

export type EventPage = {
  /** The events of the entries that were read, oldest first. Not every entry has one. */
  readonly items: readonly PublicEvent[]
  /** The sequence of the last entry that was read, from which the next page continues. */
  readonly position: number
  /** Whether that was the last entry of the auction, or one from `through` on, if that is after `after`. */
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
    const { after, limit, signal, through = 0 } = query
    const [[found], [head]] = await Promise.all([
      store.findAuctions({ ids: [auctionId] }, signal),
      store.findHeads([auctionId], signal),
    ])
    if (found === undefined || isHiddenFrom(found.auction, query)) return refused(notFound(auctionId))
    const none = initialStateOf(found.auction)
    const { state: present = none, sequence: newest = 0 } = head ?? {}
    const last = publicSequenceOf(present, newest)
    if (after > last) return refused(validationFailed({ pointer: '/after', message: aheadOf(last) }))
    const position = Math.min(after + limit, last)
    const isAtHead = position === last || (through > after && position >= through)
    const shown = shownSequences(present)
    // No more than the new entries, and one before them for the state before the first.
    const read = (before: number, count: number) => store.listEntries(auctionId, { before, limit: count, signal })
    const wanted = shown?.slice(Math.max(0, after - 1), position)
    const entries =
      position === after
        ? []
        : wanted === undefined
          ? await read(position + 1, position - after + 1)
          : // These are few, and far apart.
            (await Promise.all(wanted.toReversed().map((sequence) => read(sequence + 1, 1)))).flat()
    const newOnes = wanted ?? [position]
    const isWhole = newOnes.every((sequence, index) => entries[newOnes.length - 1 - index]?.sequence === sequence)
    if (position > after && !isWhole) {
      // A caller that continued after it would miss its event.
      throw new StoreUnavailableError(`the store did not list entry ${position} of auction ${auctionId}`)
    }
    const items = entries.toReversed().flatMap((entry, index, all) => {
      if (publicSequenceOf(entry.state, entry.sequence) <= after) return []
      return publicEventOf(found.auction, entry, all[index - 1]?.state ?? none) ?? []
    })
    const { state } = entries[0] ?? { state: present }
    // No entry after the end has an event.
    return accepted({ items, position, isAtHead, isOver: state.phase === 'closed' })
  }
}

export const aheadOf = (last: number): string =>
  `must be at most ${last}, the sequence of the last entry of the auction`
