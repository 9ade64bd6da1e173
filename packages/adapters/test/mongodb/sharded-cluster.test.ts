import { createAuctionService } from '@auction/domain'
import { parseNewBid } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import type { CompleteStore, Store } from '@auction/domain/store'
import { sampleAuction, sampleEntries, sampleEntry, sampleKey, sampleStartTime } from '@auction/testing/samples'
import type { Document } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../src/memory/manual-clock.ts'
import { createKeeper } from './fake-keeper.ts'
import { connectFakeStore, type FakeStoreOptions, nothingFound, replicaSet, router, standalone } from './fake-server.ts'

const reply = (command: Document): Document => ('find' in command ? nothingFound : { n: command['documents']?.length })

const connect = (kind: FakeStoreOptions['kind']) => connectFakeStore(reply, kind && { kind })

const auctionIds = [1, 63, 64, 65, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER].map((id) => sampleAuction({ id }).id)

/** Appends an entry to each auction, concurrently. */
const appendToEach = (store: Store) =>
  Promise.all(auctionIds.map((auctionId, index) => store.append([sampleEntry({ id: index + 1, auctionId })])))

/** The auctions of each write, in any order. */
const written = (commands: readonly Document[]): readonly (readonly number[])[] =>
  commands.map(({ documents }) => documents.map((entry: Document) => entry['auctionId'])).toSorted(([a], [b]) => a - b)

describe('the query of entries', () => {
  const { id, auctionId, event } = sampleEntry({ auctionId: 130 })
  const keys = [sampleKey('a'), sampleKey('b')]
  const auctionIds = [auctionId]
  const ledger = { bucket: 2, auctionId: 130 }
  const inLedger = { bucket: { $in: [2] }, auctionId: { $in: [130] } }
  const [ofId, ofKeys] = [{ _id: { $in: [id] } }, { requestKey: { $in: keys } }]
  const ofBidder = { bidderId: 2, atMs: { $lte: Number.MAX_SAFE_INTEGER } }
  type Read = (store: CompleteStore) => Promise<unknown>
  const head: Read = (store) => store.findHeads([auctionId])
  const entries: Read = (store) => store.listEntries(auctionId, { limit: 10 })
  const byId: Read = (store) => store.findEntries([id], { auctionIds })
  const byKey: Read = (store) => store.findEntriesByKey(keys, { auctionIds })
  const bids: Read = (store) => store.listBidderEntries(event.bidderId, { limit: 3 })
  test.each<readonly [title: string, kind: (address: string) => Document, read: Read, filter: Document]>([
    ['the head of a ledger on the shard of its bucket', router, head, ledger],
    ['the entries of a ledger on the shard of its bucket', router, entries, ledger],
    ['entries of an auction on the shard of its bucket', router, byId, { ...inLedger, ...ofId }],
    ['the entries of keys on the shard of its bucket', router, byKey, { ...inLedger, ...ofKeys }],
    ['the entries of ids on all shards', router, (store) => store.findEntries([id]), ofId],
    ['the bids of a bidder on all shards, as their index has no bucket', router, bids, ofBidder],
    ['entries of an auction on a server', standalone, byId, ofId],
    ['the entries of keys on a server', replicaSet, byKey, ofKeys],
  ])('finds %s', async (_, kind, read, filter) => {
    const { store, commands } = await connect(kind)
    await read(store)
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

  test('has the indexes of sharded collections', async () => {
    const { startCommands } = await connect(router)
    const made = startCommands.flatMap(({ createIndexes, indexes }) => (createIndexes === 'entries' ? indexes : []))
    expect(made.map(({ name }) => name)).toContain('one-entry-per-auction-and-request-key')
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
    const { promise: hanging, resolve: endHanging } = Promise.withResolvers<void>()
    const isHung = (bucket: unknown) => Number(bucket) % 4 !== 0
    const { store } = await connectFakeStore(
      (command) => (isHung(command['documents']?.[0].bucket) ? hanging.then(() => reply(command)) : reply(command)),
      // On a busy machine, opening a hundred connections takes seconds.
      { kind: router, timeoutMs: 120_000 },
    )
    const entryOf = (bucket: number) => sampleEntry({ id: bucket + 1, auctionId: bucket + 64 })
    const all = Array.from({ length: 64 }, (_, bucket) => bucket)
    // More than run concurrently.
    const contentions = [false, ...Array.from({ length: 8 }, () => true)]
    const hung = all
      .filter(isHung)
      .flatMap((bucket) => contentions.map((isContended) => store.append([entryOf(bucket)], { isContended })))
    const replied = all.filter((bucket) => !isHung(bucket))
    const appends = replied.flatMap((bucket) =>
      [false, true, true].map((isContended) => store.append([entryOf(bucket)], { isContended })),
    )
    expect(await Promise.all(appends)).toEqual(appends.map(() => 1))
    endHanging()
    expect(await Promise.all(hung)).toEqual(hung.map(() => 1))
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
          return hanging.then(() => keeper.reply(command))
        }
        if (insert === 'entries') for (const document of documents) winFor(document)
        return keeper.reply(command)
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
