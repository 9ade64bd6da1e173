import type { Limits } from '../../src/limits.ts'
import type { AnyEntry } from '../../src/store/store.ts'
import type { AuctionId } from '../../src/values/ids.ts'
import { startMs } from './processes.ts'
import type { DeliveredStore } from './replicated-store.ts'
import type { VirtualTime } from './virtual-time.ts'
import { nowMs } from './world.ts'

export type WatchedStore = DeliveredStore & {
  /** When the end of an auction was first recorded, in the simulation’s time. */
  readonly closedAtMs: ReadonlyMap<AuctionId, number>
  /** When entries were first stored, by their ids, by the clients’ clock. */
  readonly storedAtMs: ReadonlyMap<number, number>
}

/** A store that reports forbidden calls of processes. */
export function createWatchedStore(
  store: DeliveredStore,
  limits: Limits,
  clockErrorMs: number,
  time: VirtualTime,
  problems: string[],
): WatchedStore {
  const closedAtMs = new Map<AuctionId, number>()
  const storedAtMs = new Map<number, number>()

  async function checkEnd(entry: AnyEntry): Promise<void> {
    if (entry.kind !== undefined || entry.state.phase === 'open') return
    const { auctionId, event, state } = entry
    const atMs = time.nowMs()
    if (!closedAtMs.has(auctionId)) closedAtMs.set(auctionId, atMs)
    if (event.type !== 'closed') return
    const corrected = state.corrections?.terms ?? (await store.findAuction(auctionId))
    const end = state.extendedEndMs ?? corrected?.endTime.epochMs ?? 0
    if (startMs + atMs < end + limits.clockSkewMs - clockErrorMs) problems.push(`auction ${auctionId} was closed early`)
  }

  return {
    ...store,
    closedAtMs,
    storedAtMs,
    async append(entries) {
      const auctions = new Set(entries.map(({ auctionId }) => auctionId))
      if (auctions.size > 1) problems.push(`an append has entries of ${auctions.size} auctions`)
      if (entries.length > limits.maxEntriesPerAppend) problems.push(`an append has ${entries.length} entries`)
      const stored = await store.append(entries)
      for (const entry of entries.slice(0, stored)) {
        if (!storedAtMs.has(entry.id)) storedAtMs.set(entry.id, nowMs({ time }))
        await checkEnd(entry)
      }
      return stored
    },
  }
}
