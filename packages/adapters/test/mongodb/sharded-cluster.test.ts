import type { Store } from '@auction/domain/store'
import { sampleAuction, sampleEntry, sampleKey } from '@auction/testing/samples'
import type { Document } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { connectFakeStore, type FakeStoreOptions, nothingFound, replicaSet, router, standalone } from './fake-server.ts'

const answer = (command: Document): Document => ('find' in command ? nothingFound : { n: command['documents']?.length })

const connect = (kind: FakeStoreOptions['kind']) => connectFakeStore(answer, kind && { kind })

const auctionIds = [1, 63, 64, 65, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER].map((id) => sampleAuction({ id }).id)

/** Appends an entry to each auction, concurrently. */
const appendToEach = (store: Store) =>
  Promise.all(auctionIds.map((auctionId, index) => store.append([sampleEntry({ id: index + 1, auctionId })])))

/** The auctions of each write, in any order. */
const written = (commands: readonly Document[]): readonly (readonly number[])[] =>
  commands.map(({ documents }) => documents.map((entry: Document) => entry['auctionId'])).toSorted(([a], [b]) => a - b)

/** The unique indexes that a start creates, by collection, except those of ids. */
const uniqueIndexes = (commands: readonly Document[]) =>
  commands
    .filter(({ createIndexes }) => createIndexes !== undefined)
    .flatMap(({ createIndexes: collection, indexes }) =>
      indexes.filter(({ unique }: Document) => unique).map(({ name: _, ...index }: Document) => [collection, index]),
    )

describe('the query of entries', () => {
  const { id, auctionId, event } = sampleEntry({ auctionId: 130 })
  const keys = [sampleKey('a'), sampleKey('b')]
  const ledger = { bucket: 2, auctionId: 130 }
  const everyBucket = { $in: Array.from({ length: 64 }, (_, bucket) => bucket) }
  const reads: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
    'the head of a ledger': (store) => store.findHeads([auctionId]),
    'the entries of a ledger': (store) => store.listEntries(auctionId, { limit: 10 }),
    'the entries of ids': (store) => store.findEntries([id]),
    'the entries of keys': (store) => store.findEntriesByKey(keys),
    'the bids of a bidder': (store) => store.listBidderEntries(event.bidderId, { limit: 3 }),
  }
  const bids = { bidderId: 2, atMs: { $lte: Number.MAX_SAFE_INTEGER } }
  test.each([
    { what: 'the head of a ledger', kind: router, title: 'on the shard of its bucket', filter: ledger },
    { what: 'the entries of a ledger', kind: router, title: 'on the shard of its bucket', filter: ledger },
    { what: 'the entries of ids', kind: router, title: 'on all shards', filter: { _id: { $in: [id] } } },
    {
      what: 'the entries of keys',
      kind: router,
      title: 'in every bucket, with which their index begins',
      filter: { bucket: everyBucket, requestKey: { $in: keys } },
    },
    { what: 'the bids of a bidder', kind: router, title: 'on all shards, as their index has no bucket', filter: bids },
    { what: 'the entries of ids', kind: standalone, title: 'on a server', filter: { _id: { $in: [id] } } },
    { what: 'the entries of keys', kind: replicaSet, title: 'on a server', filter: { requestKey: { $in: keys } } },
  ])('finds $what $title', async ({ what, kind, filter }) => {
    const { store, commands } = await connect(kind)
    await reads[what]?.(store)
    expect(commands().map((command) => command['filter'])).toEqual([filter])
  })
})

describe.each([
  { title: 'a standalone server', kind: standalone },
  { title: 'a replica set', kind: replicaSet },
])('$title', ({ kind }) => {
  test('groups appends of any auctions, with two writes at once, and gives no notice', async () => {
    const { store, notices, commands } = await connect(kind)
    await appendToEach(store)
    expect(written(commands())).toEqual([[1], [63], [64, 65, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]])
    expect(notices).toEqual([])
  })

  test('stores a key once for all auctions', async () => {
    const { startCommands } = await connect(kind)
    expect(uniqueIndexes(startCommands)).toStrictEqual([
      ['auctions', { key: { requestKey: 1 }, unique: true, sparse: true }],
      ['entries', { key: { bucket: 1, auctionId: 1, sequence: 1 }, unique: true }],
      ['entries', { key: { requestKey: 1 }, unique: true, sparse: true }],
      ['idBlocks', { key: { idsOf: 1, block: 1 }, unique: true }],
      ['checkpoints', { key: { auctionId: 1, name: 1 }, unique: true }],
    ])
  })
})

describe('a sharded cluster', () => {
  test('writes each bucket separately, and all entries of an auction have its bucket', async () => {
    const { store, commands } = await connect(router)
    await appendToEach(store)
    expect(written(commands())).toEqual([[1], [63], [64], [65, 2 ** 32 + 1], [2 ** 31], [Number.MAX_SAFE_INTEGER]])
    const sent = commands().flatMap(({ documents }) => documents)
    const bucketOf = (id: number) => sent.find(({ auctionId }) => auctionId === id).bucket
    expect(auctionIds.map(bucketOf)).toEqual([1, 63, 0, 1, 0, 1, 63])
  })

  // All unique indexes of a sharded collection begin with its shard key. A sparse compound index contains each document
  // with any of its fields, so all entries of a bucket without a key would be duplicates: it must be partial.
  test('has unique indexes of entries that begin with the bucket and omit entries without a key', async () => {
    const { startCommands } = await connect(router)
    expect(uniqueIndexes(startCommands)).toStrictEqual([
      ['auctions', { key: { requestKey: 1 }, unique: true, sparse: true }],
      ['entries', { key: { bucket: 1, auctionId: 1, sequence: 1 }, unique: true }],
      [
        'entries',
        {
          key: { bucket: 1, requestKey: 1 },
          unique: true,
          partialFilterExpression: { requestKey: { $exists: true } },
        },
      ],
      ['idBlocks', { key: { idsOf: 1, block: 1 }, unique: true }],
      ['checkpoints', { key: { auctionId: 1, name: 1 }, unique: true }],
    ])
  })

  test('gives a notice of the limited guarantee of a key', async () => {
    const { notices } = await connect(router)
    expect(notices).toEqual([
      'MongoDB: on a sharded cluster an Idempotency-Key is unique among the auctions of one bucket only, ' +
        'so a client that uses one key for bids on two auctions may get two bids',
    ])
  })

  test('has enough connections for the other buckets when the shard of many hangs', async () => {
    const isHung = (bucket: unknown) => Number(bucket) % 4 !== 0
    const { store } = await connectFakeStore(
      (command) => (isHung(command['documents']?.[0].bucket) ? 'hang' : answer(command)),
      // On a busy machine, opening a hundred connections takes seconds.
      { kind: router, timeoutMs: 20_000 },
    )
    const entryOf = (bucket: number) => sampleEntry({ id: bucket + 1, auctionId: bucket + 64 })
    const all = Array.from({ length: 64 }, (_, bucket) => bucket)
    for (const bucket of all.filter(isHung)) {
      // More than run concurrently. They fail when the store is closed.
      for (const isContended of [false, ...Array.from({ length: 8 }, () => true)]) {
        store.append([entryOf(bucket)], { isContended }).catch(() => undefined)
      }
    }
    const answered = all.filter((bucket) => !isHung(bucket))
    const appends = answered.flatMap((bucket) =>
      [false, true, true].map((isContended) => store.append([entryOf(bucket)], { isContended })),
    )
    expect(await Promise.all(appends)).toEqual(appends.map(() => 1))
  })
})
