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

type Find<Key, Stored> = (keys: readonly Key[], signal?: CallSignal) => Promise<readonly Stored[]>

function batched<Key, Stored extends object>(
  find: Find<Key, Stored>,
  keyOf: (record: Stored) => Key | undefined,
): Find<Key, Stored> {
  const batcher = createBatcher<readonly Key[], readonly Stored[]>({
    maxCalls,
    maxWeight: maxKeys,
    weightOf: (keys) => keys.length,
    isHalved: true,
    async run(items, signal) {
      const [only] = items
      if (items.length === 1 && only !== undefined) return [await find(only, signal)]
      const records = await find([...new Set(items.flat())], signal)
      const byKey = new Map(records.map((record) => [keyOf(record), record]))
      return items.map((keys) => keys.map((key) => byKey.get(key)).filter((record) => record !== undefined))
    },
  })
  return async (keys, signal) => (keys.length === 0 ? [] : batcher.add(keys, signal))
}
