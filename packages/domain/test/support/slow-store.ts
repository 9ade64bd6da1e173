import { createMemoryStore } from '@auction/adapters/memory'
import type { Entry } from '../../src/auction/entry.ts'
import type { Clock } from '../../src/clock.ts'
import type { Store } from '../../src/store/store.ts'

/** A store in memory whose ledger keeps only what bids need. It does not support keys. */
export function createQuickStore(): Store {
  const heads = new Map<Entry['auctionId'], Entry>()
  const byId = new Map<Entry['id'], Entry>()
  return {
    ...createMemoryStore(),
    async append(entries) {
      for (const [index, entry] of entries.entries()) {
        if (entry.sequence <= (heads.get(entry.auctionId)?.sequence ?? 0)) return index
        heads.set(entry.auctionId, entry)
        byId.set(entry.id, entry)
      }
      return entries.length
    },
    findHeads: async (ids) => ids.map((id) => heads.get(id)).filter((head) => head !== undefined),
    findEntries: async (ids) => ids.map((id) => byId.get(id)).filter((entry) => entry !== undefined),
  }
}

/** How many reads one call may have in flight. */
const readsAtOnce = 10

/** A store that takes time by the clock, half of it before the call takes effect: 4 ms for an append, 2 ms for a read of one head. */
export function createSlowStore(right: Store, clock: Clock): Store {
  const wait = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))
  async function taking<Value>(ms: number, call: () => Promise<Value>): Promise<Value> {
    await wait(ms / 2)
    const value = await call()
    await wait(ms / 2)
    return value
  }
  return {
    ...right,
    append: (entries) => taking(4, () => right.append(entries)),
    findAuction: (id) => taking(2, () => right.findAuction(id)),
    findHeads: (ids) => taking(2 * Math.ceil(ids.length / readsAtOnce), () => right.findHeads(ids)),
    findEntries: (ids) => taking(2, () => right.findEntries(ids)),
  }
}
