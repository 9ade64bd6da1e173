import { createBatcher } from '../batching.ts'
import type { AgendaUpdate, Store } from '../store.ts'

/**
 * Changes an auction's place on the agenda, together with others that change at the time. It never fails: a change that is lost
 * costs whoever looks next one look at the auction's ledger.
 */
export type UpdateAgenda = (update: AgendaUpdate) => Promise<void>

const maxUpdates = 500

export function createAgenda(store: Pick<Store, 'updateAgenda'>): UpdateAgenda {
  const updates = createBatcher<AgendaUpdate, void>({
    async run(group) {
      await store.updateAgenda(group)
      return group.map(() => undefined)
    },
    maxCalls: 1,
    maxWeight: maxUpdates,
    isHalved: true,
  })
  return (update) => updates.add(update).catch(() => undefined)
}
