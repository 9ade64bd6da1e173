import type { Auction } from '../auction/auction.ts'
import type { Entry } from '../auction/entry.ts'
import { type AuctionState, initialState } from '../auction/state.ts'
import { type CurrentView, viewOf } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import type { AuctionNotFound, Overloaded } from '../ledger/pending-command.ts'
import type { Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'
import { accepted, type Result, refused } from '../values/result.ts'

type ReadAuctionParts = {
  readonly store: Pick<Store, 'findAuction' | 'findHeads' | 'findEntries'>
  readonly clock: Clock
}

export type ReadAuction = (id: AuctionId) => Promise<Result<CurrentView, AuctionNotFound | Overloaded>>

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
