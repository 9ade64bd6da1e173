import { type AuctionNotFound, notFound } from '../auction/auction-ledger.ts'
import type { AuctionEntry } from '../auction/entry.ts'
import { isRepairEntry } from '../auction/entry.ts'
import { changeCountOf } from '../auction/life.ts'
import { isHiddenFrom, type Viewer } from '../auction/privacy.ts'
import { initialStateOf } from '../auction/state.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import type { Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import {
  type CorrectedEvent,
  correctedEventOf,
  isCorrectedEntry,
  type RepairEvent,
  repairEventOf,
} from './public-event.ts'

/** A repair or a correction as anyone may see it, and who made it, which only staff may. */
export type ListedRepair = { readonly event: RepairEvent | CorrectedEvent; readonly editor: string }

/** Lists the repairs and corrections of an auction, newest first: at most 91. */
export type ListRepairs = (
  auctionId: AuctionId,
  viewer?: Viewer,
) => Promise<Result<readonly ListedRepair[], AuctionNotFound | Overloaded>>

type ListRepairsParts = { readonly store: Pick<Store, 'findAuctions' | 'findHeads' | 'findEntries' | 'listEntries'> }

export function listRepairsUseCase({ store }: ListRepairsParts): ListRepairs {
  return async (auctionId, viewer = {}) => {
    const [[found], [head]] = await Promise.all([
      store.findAuctions({ ids: [auctionId] }),
      store.findHeads([auctionId]),
    ])
    if (found === undefined || isHiddenFrom(found.auction, viewer)) return refused(notFound(auctionId))
    const state = head?.state ?? initialStateOf(found.auction)
    const { entryIds = [] } = state.repairs ?? {}
    const changeCount = changeCountOf(state)
    const none: readonly AuctionEntry[] = []
    const [entries, first] = await Promise.all([
      entryIds.length === 0 ? none : store.findEntries(entryIds, { auctionIds: [auctionId] }),
      // No bid precedes a correction, so all corrections are among as many entries as there are changes.
      state.corrections === undefined
        ? none
        : store.listEntries(auctionId, { before: changeCount + 1, limit: changeCount }),
    ])
    const repairs = entries.filter(isRepairEntry)
    const corrections = first.filter(isCorrectedEntry)
    if (repairs.length + corrections.length < changeCount)
      throw new Error(`a change of auction ${auctionId} is not stored`)
    const listed: readonly ListedRepair[] = [
      ...repairs.flatMap((entry) => {
        const event = repairEventOf(found.auction, entry)
        return event === undefined ? [] : { event, editor: entry.event.editor }
      }),
      ...corrections.map((entry) => ({ event: correctedEventOf(found.auction, entry), editor: entry.event.editor })),
    ]
    return accepted(listed.toSorted((a, b) => b.event.sequence - a.event.sequence))
  }
}
