import { createBatcher } from '../store/batching.ts'
import type { AgendaUpdate, Store } from '../store/store.ts'

/**
 * Updates the agenda for an auction, in one call with other updates of the time. It never fails: after a lost update,
 * the next reader of the agenda also reads the ledger of the auction.
 */
export type UpdateAgenda = (update: AgendaUpdate) => Promise<void>

const maxUpdates = 500

/**
 * @param beforeUpdate called with updates before they are made; if it rejects, auctions stay on the agenda, and their
 * end is noticed again
 */
export function createAgenda(
  store: Pick<Store, 'updateAgenda'>,
  beforeUpdate?: (updates: readonly AgendaUpdate[]) => Promise<void> | undefined,
): UpdateAgenda {
  const updates = createBatcher<AgendaUpdate, void>({
    async run(group) {
      const saved = beforeUpdate?.(group)
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
