import { initialState } from '../auction/state.ts'
import { type CurrentView, viewOf } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import type { AuctionNotFound, Overloaded } from '../ledger/pending-command.ts'
import type { Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { describedAuction } from './described-auction.ts'

export type ReadAuctionParts = {
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
