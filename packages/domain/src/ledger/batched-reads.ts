import { createBatcher } from '../batching.ts'
import type { CallSignal, Store } from '../store.ts'
import type { Entry } from './entry.ts'

type BatchedReads = Pick<Store, 'findHeads' | 'findEntries' | 'findEntriesByKey'>

/** The maximum number of concurrent calls of one kind. Further reads wait for the next call. */
const maxCalls = 4
/** The number of entries per call: few enough that writes do not wait long for a call. */
const maxEntries = 100

/** Reads of entries that share calls: many concurrent reads, as in an outage or after conflicts, make few calls. */
export const createBatchedReads = (store: BatchedReads): BatchedReads => ({
  findHeads: batched(store.findHeads, ({ auctionId }) => auctionId),
  findEntries: batched(store.findEntries, ({ id }) => id),
  findEntriesByKey: batched(store.findEntriesByKey, ({ requestKey }) => requestKey),
})

type Find<Key> = (keys: readonly Key[], signal?: CallSignal) => Promise<readonly Entry[]>

function batched<Key>(find: Find<Key>, keyOf: (entry: Entry) => Key | undefined): Find<Key> {
  const batcher = createBatcher<readonly Key[], readonly Entry[]>({
    maxCalls,
    maxWeight: maxEntries,
    weightOf: (keys) => keys.length,
    isHalved: true,
    async run(items, signal) {
      const [only] = items
      if (items.length === 1 && only !== undefined) return [await find(only, signal)]
      const found = await find([...new Set(items.flat())], signal)
      const entryOf = new Map(found.map((entry) => [keyOf(entry), entry]))
      return items.map((keys) => keys.map((key) => entryOf.get(key)).filter((entry) => entry !== undefined))
    },
  })
  return async (keys, signal) => (keys.length === 0 ? [] : batcher.add(keys, signal))
}
