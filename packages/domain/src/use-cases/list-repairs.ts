import type { Entry } from '../auction/entry.ts'
import { initialState } from '../auction/state.ts'
import type { AuctionNotFound, Overloaded } from '../ledger/pending-command.ts'
import type { Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { isRepairEntry, type RepairEvent, repairEventOf } from './public-event.ts'

/** A repair as anyone may see it, and who made it, which only staff may. */
export type ListedRepair = { readonly event: RepairEvent; readonly editor: string }

/** Lists the repairs of an auction, newest first: at most 50. */
export type ListRepairs = (
  auctionId: AuctionId,
) => Promise<Result<readonly ListedRepair[], AuctionNotFound | Overloaded>>

type ListRepairsParts = { readonly store: Pick<Store, 'findAuctions' | 'findHeads' | 'findEntries'> }

export function listRepairsUseCase({ store }: ListRepairsParts): ListRepairs {
  return async (auctionId) => {
    const [[found], [head]] = await Promise.all([
      store.findAuctions({ ids: [auctionId] }),
      store.findHeads([auctionId]),
    ])
    if (found === undefined) return refused({ code: 'auction-not-found', auctionId })
    const { entryIds = [] } = (head?.state ?? initialState).repairs ?? {}
    const entries = entryIds.length === 0 ? [] : await store.findEntries(entryIds, { auctionIds: [auctionId] })
    const repairs = entries.filter(isRepairEntry).toSorted(bySequence)
    if (repairs.length < entryIds.length) throw new Error(`a repair of auction ${auctionId} is not stored`)
    return accepted(
      repairs.map((entry) => ({ event: repairEventOf(found.auction, entry), editor: entry.event.editor })),
    )
  }
}

const bySequence = (a: Entry, b: Entry): number => b.sequence - a.sequence
