import type { AuctionId, EntryId } from '../values/ids.ts'
import type { RequestKey } from '../values/request-key.ts'
import { createBatcher } from './batching.ts'
import type { CallSignal, Entry, FoundAuction, Store } from './store.ts'

type BatchedReads = Pick<Store, 'findAuctions' | 'findHeads' | 'findEntries' | 'findEntriesByKey'>

/** The maximum number of concurrent calls of one kind. Further reads wait for the next call. */
const maxCalls = 4
/** The same for each part of a store of several parts. */
const maxCallsOfPart = 1
/** The number of keys per call: few enough that writes do not wait long for a call. */
const maxKeys = 100

/**
 * Reads by keys that share calls: many concurrent reads, as in an outage or after conflicts, make few calls. Reads of
 * entries in different parts of the store share none, so that a part that hangs does not delay reads of others.
 */
export function createBatchedReads(store: BatchedReads & Pick<Store, 'partOf'>): BatchedReads {
  const partOf = store.partOf?.bind(store)
  const heads = batched<AuctionId, Entry>(
    ({ keys }, signal) => store.findHeads(keys, signal),
    ({ auctionId }) => auctionId,
    partOf,
  )
  const byId = batched<EntryId, Entry>(
    ({ keys, auctionIds }, signal) => store.findEntries(keys, { auctionIds, signal }),
    ({ id }) => id,
    partOf,
  )
  const byKey = batched<RequestKey, Entry>(
    ({ keys, auctionIds }, signal) => store.findEntriesByKey(keys, { auctionIds, signal }),
    ({ requestKey }) => requestKey,
    partOf,
  )
  const auctionsById = batched<AuctionId, FoundAuction>(
    ({ keys: ids }, signal) => store.findAuctions({ ids }, signal),
    ({ auction }) => auction.id,
  )
  const auctionsByKey = batched<RequestKey, FoundAuction>(
    ({ keys }, signal) => store.findAuctions({ keys }, signal),
    ({ requestKey }) => requestKey,
  )
  return {
    findAuctions: (wanted, signal) =>
      'ids' in wanted ? auctionsById({ keys: wanted.ids }, signal) : auctionsByKey({ keys: wanted.keys }, signal),
    findHeads: (keys, signal) => heads({ keys, auctionIds: keys }, signal),
    findEntries: (keys, { auctionIds, signal } = {}) => byId({ keys, auctionIds }, signal),
    findEntriesByKey: (keys, { auctionIds, signal } = {}) => byKey({ keys, auctionIds }, signal),
  }
}

/** The keys of records, and the auctions in which to look for them, if known. */
type Read<Key> = { readonly keys: readonly Key[]; readonly auctionIds?: readonly AuctionId[] | undefined }

type Find<Key, Stored> = (read: Read<Key>, signal?: CallSignal) => Promise<readonly Stored[]>

function batched<Key, Stored extends object>(
  find: Find<Key, Stored>,
  keyOf: (record: Stored) => Key | undefined,
  partOf?: Store['partOf'],
): Find<Key, Stored> {
  const create = (calls: number) =>
    createBatcher<Read<Key>, readonly Stored[]>({
      maxCalls: calls,
      maxWeight: maxKeys,
      weightOf: ({ keys }) => keys.length,
      isHalved: true,
      run: (reads, signal) => runAll(find, keyOf, reads, signal),
    })
  const ofAnyPart = create(maxCalls)
  const ofParts = new Map<number, typeof ofAnyPart>()

  /** The batcher of the part that has all the auctions of a read. */
  function batcherOf(auctionIds: readonly AuctionId[]): typeof ofAnyPart {
    const [part, ...others] = partOf === undefined ? [] : new Set(auctionIds.map(partOf))
    if (part === undefined || others.length > 0) return ofAnyPart
    const batcher = ofParts.get(part) ?? create(maxCallsOfPart)
    ofParts.set(part, batcher)
    return batcher
  }

  return async (read, signal) => (read.keys.length === 0 ? [] : batcherOf(read.auctionIds ?? []).add(read, signal))
}

/** Reads the keys of several reads with one call. */
async function runAll<Key, Stored extends object>(
  find: Find<Key, Stored>,
  keyOf: (record: Stored) => Key | undefined,
  reads: readonly Read<Key>[],
  signal: CallSignal,
): Promise<readonly (readonly Stored[])[]> {
  const [only] = reads
  if (reads.length === 1 && only !== undefined) return [await find(only, signal)]
  const keys = [...new Set(reads.flatMap((read) => read.keys))]
  const isAnywhere = reads.some(({ auctionIds }) => auctionIds === undefined)
  const auctionIds = isAnywhere ? undefined : [...new Set(reads.flatMap((read) => read.auctionIds ?? []))]
  const byKey = Map.groupBy(await find({ keys, auctionIds }, signal), keyOf)
  return reads.map((read) => read.keys.flatMap((key) => recordsOf(byKey.get(key) ?? [], read)))
}

/** If the store requires unique keys of requests only within an auction, several entries may have one. */
function recordsOf<Stored extends object>(
  records: readonly Stored[],
  { auctionIds }: Read<unknown>,
): readonly Stored[] {
  if (records.length < 2 || auctionIds === undefined) return records
  return records.filter((record) => 'auctionId' in record && auctionIds.some((id) => id === record.auctionId))
}
