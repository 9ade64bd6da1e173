import { createAuctionService } from '@auction/domain'
import { parseNewBid } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import type { Store } from '@auction/domain/store'
import { sampleAuction, sampleEntries, sampleEntry, sampleKey, sampleStartTime } from '@auction/testing/samples'
import type { Document } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../src/memory/manual-clock.ts'
import { createKeeper } from './fake-keeper.ts'
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
  const inLedger = { bucket: { $in: [2] }, auctionId: { $in: [130] } }
  const reads: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
    'the head of a ledger': (store) => store.findHeads([auctionId]),
    'the entries of a ledger': (store) => store.listEntries(auctionId, { limit: 10 }),
    'entries of an auction': (store) => store.findEntries([id], { auctionIds: [auctionId] }),
    'the entries of ids': (store) => store.findEntries([id]),
    'the entries of keys': (store) => store.findEntriesByKey(keys, { auctionIds: [auctionId] }),
    'the bids of a bidder': async (store) => store.listBidderEntries?.(event.bidderId, { limit: 3 }),
  }
  const bids = { bidderId: 2, atMs: { $lte: Number.MAX_SAFE_INTEGER } }
  test.each([
    { what: 'the head of a ledger', kind: router, title: 'on the shard of its bucket', filter: ledger },
    { what: 'the entries of a ledger', kind: router, title: 'on the shard of its bucket', filter: ledger },
    {
      what: 'entries of an auction',
      kind: router,
      title: 'on the shard of its bucket',
      filter: { ...inLedger, _id: { $in: [id] } },
    },
    { what: 'the entries of ids', kind: router, title: 'on all shards', filter: { _id: { $in: [id] } } },
    {
      what: 'the entries of keys',
      kind: router,
      title: 'on the shard of its bucket',
      filter: { ...inLedger, requestKey: { $in: keys } },
    },
    { what: 'the bids of a bidder', kind: router, title: 'on all shards, as their index has no bucket', filter: bids },
    { what: 'entries of an auction', kind: standalone, title: 'on a server', filter: { _id: { $in: [id] } } },
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
  // with any of its fields, so all entries of an auction without a key would be duplicates: it must be partial.
  test('has unique indexes of entries that begin with bucket and auction and omit entries without a key', async () => {
    const { startCommands } = await connect(router)
    expect(uniqueIndexes(startCommands)).toStrictEqual([
      ['auctions', { key: { requestKey: 1 }, unique: true, sparse: true }],
      ['entries', { key: { bucket: 1, auctionId: 1, sequence: 1 }, unique: true }],
      [
        'entries',
        {
          key: { bucket: 1, auctionId: 1, requestKey: 1 },
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
      'MongoDB: on a sharded cluster an Idempotency-Key is unique within an auction only, ' +
        'so a client that uses one key for bids on two auctions may get two bids',
    ])
  })

  // Routers before 8.1.2 may omit the error of a late majority from a response with a taken key.
  test.each([
    { title: 'and a majority has them', read: [1, 2], expected: 2 },
    { title: 'unless a majority lacks one', read: [1], expected: 'store-unavailable' },
  ])('stores the entries before a taken key $title', async ({ read, expected }) => {
    const writeErrors = [{ index: 2, code: 11000, errmsg: 'E11000' }]
    const { store, commands } = await connectFakeStore(
      (command) =>
        'find' in command
          ? { cursor: { ...nothingFound['cursor'], firstBatch: read.map((_id) => ({ _id })) } }
          : { n: 2, writeErrors },
      { kind: router },
    )
    const entries = sampleEntries(4, { auctionId: 65 })
    expect(await store.append(entries).catch(({ code }) => code)).toBe(expected)
    expect(commands().slice(1)).toMatchObject([
      { find: 'entries', filter: { bucket: { $in: [1, 1] }, auctionId: { $in: [65, 65] }, _id: { $in: [1, 2] } } },
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

describe('while the reads of a shard hang', () => {
  // The others take seconds on a busy machine.
  const timeoutMs = 20_000
  const isHung = (bucket: number) => bucket % 2 === 0
  const bucketsOf = ({ bucket }: Document): readonly number[] => bucket?.$in ?? [bucket]

  /** A process, on a cluster in which other processes win one race for each auction. */
  async function processOnCluster() {
    const keeper = createKeeper()
    const raced = new Set<number>()
    const { promise: hanging, resolve: endHanging } = Promise.withResolvers<void>()
    const { store } = await connectFakeStore(
      (command) => {
        const { insert, find: read, documents, filter } = command
        if (read === 'entries' && bucketsOf(filter).some((bucket) => isHung(bucket))) {
          return hanging.then(() => keeper.answer(command))
        }
        if (insert === 'entries') for (const document of documents) winFor(document)
        return keeper.answer(command)
      },
      { kind: router, timeoutMs },
    )
    /** Stores two entries of another process before the first entry of an auction. */
    function winFor(document: Document): void {
      const { _id, requestKey: _, ...fields } = document
      const { auctionId } = fields
      if (raced.has(auctionId)) return
      raced.add(auctionId)
      const rivals = sampleEntries(2, { auctionId, afterId: 1_000_000 + 10 * _id })
      keeper.entries.push(...rivals.map(({ id, ...entry }) => ({ ...fields, ...entry, _id: id })))
    }
    const service = createAuctionService({
      store,
      clock: createManualClock(sampleStartTime),
      limits: { deadlineMs: 3 * timeoutMs },
    })
    const place = (auctionId: number, amount: number, key: string) =>
      service.placeBid(unwrap(parseNewBid({ auctionId, bidderId: 9, amount })), { caller: 'c', key })
    return { place, endHanging }
  }

  test('lost races and retries on the others end', async () => {
    const { place, endHanging } = await processOnCluster()
    let ended = 0
    const hung = Array.from({ length: 12 }, (_, index) =>
      place(64 + 2 * index, 500, `hung-${index}`).finally(() => {
        ended += 1
      }),
    )
    const others = Array.from({ length: 8 }, (_, index) => 65 + 2 * index)
    const placed = await Promise.all(others.map((auctionId) => place(auctionId, 500, `key-${auctionId}`)))
    const again = await Promise.all(others.map((auctionId) => place(auctionId, 500, `key-${auctionId}`)))
    expect(again.map((bid) => unwrap(bid).id)).toEqual(placed.map((bid) => unwrap(bid).id))
    const low = await Promise.all(others.map((auctionId) => place(auctionId, 100, `low-${auctionId}`)))
    expect(low).toMatchObject(others.map(() => ({ ok: false, refusal: { code: 'bid-too-low' } })))
    expect(ended).toBe(0)
    endHanging()
    expect(await Promise.all(hung)).toMatchObject(hung.map(() => ({ ok: true })))
  })

  test('lists of their bids use half of the connections for reads', async () => {
    const { promise: hanging, resolve: endHanging } = Promise.withResolvers<Document>()
    const { store, commands } = await connectFakeStore((command) => ('find' in command ? hanging : {}), {
      kind: router,
      maxConnections: 4,
    })
    const { auctionId, event } = sampleEntry()
    const lists = Array.from({ length: 10 }, () => [
      store.listEntries(auctionId, { limit: 1 }),
      store.listBidderEntries(event.bidderId, { limit: 1 }),
    ])
    const read = () => commands().filter((command) => 'find' in command).length
    await expect.poll(read).toBe(2)
    // Another read would be sent before these.
    for (let times = 0; times < 3; times++) await store.ping()
    expect(read()).toBe(2)
    endHanging(nothingFound)
    expect((await Promise.all(lists.flat())).flat()).toEqual([])
  })
})
