import { type Auction, termsOf } from '../auction/auction.ts'
import type { Entry } from '../auction/entry.ts'
import { type AuctionState, initialState } from '../auction/state.ts'
import { shownAtMs } from '../auction/status.ts'
import { type CurrentView, viewOf } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import type { AuctionNotFound, Overloaded } from '../ledger/pending-command.ts'
import type { Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { InvalidValueError, type ValidationFailed, validationFailed } from '../values/validation.ts'
import { aheadOf } from './list-events.ts'
import { isRepairEntry } from './public-event.ts'

type ReadAuctionParts = {
  readonly store: Pick<Store, 'findAuction' | 'findHeads' | 'findEntries' | 'listEntries'>
  readonly clock: Clock
}

export type ReadAuction = (id: AuctionId) => Promise<Result<CurrentView, AuctionNotFound | Overloaded>>

/**
 * Returns the auction as it was after an entry: its state, and its status at the time of the entry. `at` is the sequence of the
 * entry, or 0 for the auction as it was created. A sequence that the ledger does not have is refused as `validation-failed`
 * with the pointer `/at`.
 */
export type ReadAuctionAt = (
  id: AuctionId,
  at: number,
) => Promise<Result<CurrentView, AuctionNotFound | ValidationFailed | Overloaded>>

export function readAuctionUseCase({ store, clock }: ReadAuctionParts): ReadAuction {
  return async (id) => {
    const nowMs = clock.nowMs() // First, because entries may be added during the read.
    const [auction, [head]] = await Promise.all([store.findAuction(id), store.findHeads([id])])
    if (auction === undefined) return refused({ code: 'auction-not-found', auctionId: id })
    const state = head?.state ?? initialState
    const view = viewOf(await describedAuction(store, auction, state), state, nowMs)
    return accepted({ ...view, sequence: head?.sequence ?? 0 })
  }
}

/** @throws InvalidValueError for an `at` that is no sequence */
export function readAuctionAtUseCase({ store }: Omit<ReadAuctionParts, 'clock'>): ReadAuctionAt {
  return async (id, at) => {
    if (!(Number.isSafeInteger(at) && at >= 0)) throw new InvalidValueError('at must be an integer of at least 0')
    const [auction, [entry]] = await Promise.all([
      store.findAuction(id),
      at === 0 ? [] : store.listEntries(id, { before: at + 1, limit: 1 }),
    ])
    if (auction === undefined) return refused({ code: 'auction-not-found', auctionId: id })
    const { sequence = 0, atMs = auction.createdAtMs, state = initialState } = entry ?? {}
    // The newest entry before `at` is the last one.
    if (sequence < at) return refused(validationFailed({ pointer: '/at', message: aheadOf(sequence) }))
    const shownMs = entry !== undefined && isRepairEntry(entry) ? shownAtMs(termsOf(auction), state) : atMs
    return accepted({ ...viewOf(await describedAuction(store, auction, state, entry), state, shownMs), sequence })
  }
}

/**
 * An auction with the description that it has in a state, which is in an entry if it was corrected.
 * @param known an entry that need not be read
 */
export async function describedAuction(
  store: Pick<Store, 'findEntries'>,
  auction: Auction,
  { corrections }: AuctionState,
  known?: Entry,
): Promise<Auction> {
  if (corrections?.descriptionIn === undefined) return auction
  const id = corrections.descriptionIn
  const [entry] = known?.id === id ? [known] : await store.findEntries([id], { auctionIds: [auction.id] })
  if (entry?.event.type !== 'corrected') throw new Error(`the corrected description in entry ${id} is not stored`)
  const { description: _, ...others } = auction
  const { description } = entry.event
  return description == null ? others : { ...others, description }
}
