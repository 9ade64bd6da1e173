import { createBatcher } from './batching.ts'
import type { CallSignal, Store } from './store.ts'

type BatchedReads = Pick<Store, 'findAuctions' | 'findHeads' | 'findEntries' | 'findEntriesByKey'>

/** The maximum number of concurrent calls of one kind. Further reads wait for the next call. */
const maxCalls = 4
/** The number of keys per call: few enough that writes do not wait long for a call. */
const maxKeys = 100

/** Reads by keys that share calls: many concurrent reads, as in an outage or after conflicts, make few calls. */
export const createBatchedReads = (store: BatchedReads): BatchedReads => ({
  findAuctions: batched(store.findAuctions, ({ id }) => id),
  findHeads: batched(store.findHeads, ({ auctionId }) => auctionId),
  findEntries: batched(store.findEntries, ({ id }) => id),
  findEntriesByKey: batched(store.findEntriesByKey, ({ requestKey }) => requestKey),
})

type Find<Key, Found> = (keys: readonly Key[], signal?: CallSignal) => Promise<readonly Found[]>

function batched<Key, Found extends object>(
  find: Find<Key, Found>,
  keyOf: (found: Found) => Key | undefined,
): Find<Key, Found> {
  const batcher = createBatcher<readonly Key[], readonly Found[]>({
    maxCalls,
    maxWeight: maxKeys,
    weightOf: (keys) => keys.length,
    isHalved: true,
    async run(items, signal) {
      const [only] = items
      if (items.length === 1 && only !== undefined) return [await find(only, signal)]
      const found = new Map((await find([...new Set(items.flat())], signal)).map((each) => [keyOf(each), each]))
      return items.map((keys) => keys.map((key) => found.get(key)).filter((each) => each !== undefined))
    },
  })
  return async (keys, signal) => (keys.length === 0 ? [] : batcher.add(keys, signal))
}
