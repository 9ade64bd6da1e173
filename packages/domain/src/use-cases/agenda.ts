import type { Hooks } from '../hooks.ts'
import { createBatcher } from '../store/batching.ts'
import type { AgendaUpdate, Store } from '../store/store.ts'
import { type TimeLimit, withinTime } from '../time-limit.ts'

/**
 * Updates the agenda for an auction, in one call with other updates of the time. It never fails: after a lost update,
 * the next reader of the agenda also reads the ledger of the auction.
 */
export type UpdateAgenda = (update: AgendaUpdate) => Promise<void>

const maxUpdates = 500

export function createAgenda(
  store: Pick<Store, 'updateAgenda'>,
  beforeLeavingAgenda: NonNullable<Hooks['beforeLeavingAgenda']>,
): UpdateAgenda {
  const updates = createBatcher<AgendaUpdate, void>({
    async run(group) {
      const ended = group.flatMap((update) => ('endedMs' in update ? [update.auctionId] : []))
      if (ended.length > 0) await beforeLeavingAgenda(ended)
      await store.updateAgenda(group)
      return group.map(() => undefined)
    },
    maxCalls: 1,
    maxWeight: maxUpdates,
    isHalved: true,
  })
  return (update) => updates.add(update).catch(() => undefined)
}

/** Resolves when the agenda is updated, or when the limit ends. */
export const updateInTime = (limit: TimeLimit, updateAgenda: UpdateAgenda, update: AgendaUpdate): Promise<void> =>
  withinTime(limit, () => updateAgenda(update), lateError).catch(() => undefined)

const lateError = () => new Error('the agenda was not updated in time')
