import { createBatcher } from '../batching.ts'
import type { AuctionId } from '../ids.ts'
import type { AgendaUpdate, Store } from '../store.ts'

/**
 * Updates the agenda for an auction, in one call with other updates of the time. It never fails: after a lost update, the next
 * reader of the agenda also reads the ledger of the auction.
 */
export type UpdateAgenda = (update: AgendaUpdate) => Promise<void>

const maxUpdates = 500

/** @param beforeEnd called with the auctions that leave the agenda; if it rejects, they stay on it, and their end is noticed again */
export function createAgenda(
  store: Pick<Store, 'updateAgenda'>,
  beforeEnd?: (auctionIds: readonly AuctionId[]) => Promise<void> | undefined,
): UpdateAgenda {
  const updates = createBatcher<AgendaUpdate, void>({
    async run(group) {
      const saved = beforeEnd?.(group.flatMap((update) => ('endedMs' in update ? [update.auctionId] : [])))
      if (saved !== undefined) await saved
      await store.updateAgenda(group)
      return group.map(() => undefined)
    },
    maxCalls: 1,
    maxWeight: maxUpdates,
    isHalved: true,
  })
  return (update) => updates.add(update).catch(() => undefined)
}
