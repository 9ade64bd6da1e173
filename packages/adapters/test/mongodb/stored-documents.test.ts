import type { AuctionId } from '@auction/domain/ids'
import { sampleAuction, sampleClosed, sampleEntry, sampleKey } from '@auction/testing/samples'
import { type Document, Double, Int32, Long, MongoClient } from 'mongodb'
import { expect, onTestFinished, test } from 'vitest'
import { describeMongo, ownDatabase } from '../../../../tools/vitest/mongodb.ts'
import { fromStored, int64, toStored } from '../../src/mongodb/documents.ts'
import { connectMongoStore, type MongoStore } from '../../src/mongodb/mongo-store.ts'

/** A store and a separate client of the same database. */
async function storeAndClient(
  option?: readonly [name: string, value: string],
): Promise<{ readonly store: MongoStore; readonly client: MongoClient }> {
  const { uri, drop } = ownDatabase()
  const store = await connectMongoStore(option === undefined ? uri : withOption(uri, ...option))
  const client = new MongoClient(uri)
  onTestFinished(async () => {
    await Promise.all([store.close(), client.close()])
    await drop()
  })
  return { store, client }
}

/** A connection string may have a query already, such as `authSource`. */
function withOption(uri: string, name: string, value: string): string {
  const [address = '', query] = uri.split('?')
  const options = new URLSearchParams(query)
  options.set(name, value)
  return `${address}?${options}`
}

const long = Long.fromNumber
const most = Number.MAX_SAFE_INTEGER

describeMongo('stored documents', () => {
  /** The documents of a collection with their stored types, without the ids that the driver creates. */
  const typed = (client: MongoClient, collection: string): Promise<Document[]> =>
    client.db().collection(collection).find({}, { promoteValues: false }).toArray()

  const auctionFields = {
    productId: long(7),
    ownerId: long(1),
    startingPriceMinor: long(100_00),
    minimumBidIncrementMinor: long(5_00),
    currency: { code: 'USD', exponent: long(2) },
    endTime: { iso: '2030-02-07T12:00:00Z', epochMs: long(Date.parse('2030-02-07T12:00:00Z')) },
    createdAtMs: long(Date.parse('2030-01-30T12:00:00Z')),
    version: long(1),
    stage: 'pending',
    stageMs: long(Date.parse('2030-01-31T12:00:00Z')),
    corrections: long(0),
  }

  test('of auctions contain 64-bit integers, and times both as sent and as numbers', async () => {
    const { store, client } = await storeAndClient()
    const startTime = '2030-01-31T12:00:00.123456789Z'
    await store.insertAuction({
      ...sampleAuction({ id: most, title: 'A vase', startTime }),
      requestKey: sampleKey('a'),
    })
    expect(await typed(client, 'auctions')).toStrictEqual([
      {
        _id: long(most),
        ...auctionFields,
        stageMs: long(Date.parse('2030-01-31T12:00:00.123Z')),
        title: 'A vase',
        startTime: { iso: startTime, epochMs: long(Date.parse('2030-01-31T12:00:00.123Z')) },
        requestKey: 'place-bid caller a',
        words: ['a', 'vase'],
      },
    ])
    await store.addTitleWords(sampleAuction({ id: most }).id, ['vase', 'old'])
    expect(await typed(client, 'auctions')).toMatchObject([{ words: ['a', 'vase', 'old'] }])
  })

  test('of auctions contain their stage and its time', async () => {
    const { store, client } = await storeAndClient()
    const ids = [1, 2].map((id) => sampleAuction({ id }).id)
    for (const id of ids) await store.insertAuction(sampleAuction({ id }))
    const [moved, ended] = ids as [AuctionId, AuctionId] // The list has two.
    await store.updateAgenda([
      { auctionId: moved, dueMs: most },
      { auctionId: ended, endedMs: 7, outcome: 'sold' },
    ])
    await store.updateAgenda([{ auctionId: ended, endedMs: 9, outcome: 'sold' }])
    expect(await typed(client, 'auctions')).toMatchObject([
      { _id: long(1), ...auctionFields, stage: 'open', stageMs: long(most) },
      { _id: long(2), ...auctionFields, stage: 'sold', stageMs: long(7), corrections: long(most) },
    ])
  })

  test('of entries contain 64-bit integers, the event and the state, alone or in a group', async () => {
    const { store, client } = await storeAndClient()
    const startMs = Date.parse('2030-01-31T12:00:00Z')
    const endMs = Date.parse('2030-02-07T12:00:00Z')
    await store.append([sampleEntry({ id: most, auctionId: 130, bidderId: most, requestKey: 'a' })])
    await Promise.all([
      store.append([sampleClosed({ id: 2, auctionId: 130, sequence: 2 })]),
      store.append([sampleClosed({ id: 3, auctionId: most, currency: 'JPY' })]),
    ])
    const leader = { bidId: long(most), bidderId: long(most), amountMinor: long(100_00) }
    const first = { bidId: long(1), bidderId: long(2), amountMinor: long(100_00) }
    const sold = { outcome: 'sold', bidId: long(1), winnerId: long(2), priceMinor: long(100_00) }
    const unsold = { outcome: 'unsold', reason: 'no-bids' }
    const documents = await typed(client, 'entries')
    expect(documents.toSorted((a, b) => b['_id'].compare(a['_id']))).toStrictEqual([
      {
        _id: long(most),
        bucket: long(2),
        auctionId: long(130),
        sequence: long(1),
        atMs: long(startMs + 1),
        bidderId: long(most),
        requestKey: 'place-bid caller a',
        version: long(1),
        currency: { code: 'USD', exponent: long(2) },
        event: { type: 'bid-placed', bidderId: long(most), amountMinor: long(100_00) },
        state: { phase: 'open', bidCount: long(1), leader, atMs: long(startMs + 1) },
      },
      {
        _id: long(3),
        bucket: long(63),
        auctionId: long(most),
        sequence: long(1),
        atMs: long(endMs + 1),
        version: long(1),
        currency: { code: 'JPY', exponent: long(0) },
        event: { type: 'closed', result: unsold },
        state: { phase: 'closed', bidCount: long(0), leader: null, atMs: long(endMs + 1), result: unsold },
      },
      {
        _id: long(2),
        bucket: long(2),
        auctionId: long(130),
        sequence: long(2),
        atMs: long(endMs + 2),
        version: long(1),
        currency: { code: 'USD', exponent: long(2) },
        event: { type: 'closed', result: sold },
        state: { phase: 'closed', bidCount: long(1), leader: first, atMs: long(endMs + 2), result: sold },
      },
    ])
  })

  test('of id blocks contain 64-bit integers', async () => {
    const { store, client } = await storeAndClient()
    for (const kind of ['auctions', 'entries', 'entries'] as const) await store.claimNextIdBlock(kind)
    const blocks = await typed(client, 'idBlocks')
    expect(blocks.map(({ _id, ...block }) => block).toSorted((a, b) => a['idsOf'].localeCompare(b['idsOf']))).toEqual([
      { idsOf: 'auctions', block: long(1) },
      { idsOf: 'entries', block: long(1) },
      { idsOf: 'entries', block: long(2) },
    ])
  })

  test('of other programs with numbers of other types are read if the numbers are exact', async () => {
    const { store, client } = await storeAndClient()
    await store.append([sampleEntry()])
    const entries = client.db().collection<{ _id: Double | Long; [field: string]: unknown }>('entries')
    const [entry] = await entries.find().toArray()
    await entries.insertOne({ ...entry, _id: new Double(2), sequence: new Int32(2), atMs: 1e12 })
    const { auctionId } = sampleEntry()
    expect(await store.findHeads([auctionId])).toMatchObject([{ id: 2, sequence: 2, atMs: 1e12 }])
  })

  test.each([
    ['promoteLongs', 'false'],
    ['useBigInt64', 'true'],
    ['promoteValues', 'false'],
    ['raw', 'true'],
  ] as const)('are read as numbers whatever the connection string says: %s=%s', async (...option) => {
    const { store } = await storeAndClient(option)
    await store.append([sampleEntry()])
    expect(await store.findHeads([sampleEntry().auctionId])).toStrictEqual([sampleEntry()])
  })

  // The contract shows that every read validates.
  test.each([
    { title: 'a fraction', fault: { 'event.amountMinor': 0.5 } },
    { title: 'a number above 2^53', fault: { 'event.bidderId': Long.MAX_VALUE } },
  ])('of entries are validated: $title', async ({ fault }) => {
    const { store, client } = await storeAndClient()
    const { id } = sampleEntry({ id: 7 })
    await store.append([sampleEntry({ id, requestKey: 'a' })])
    await client.db().collection('entries').updateOne({}, { $set: fault })
    const [field] = Object.keys(fault)
    const message = expect.stringContaining(`the stored entry 7 of auction 1 has an invalid field ${field}`)
    await expect(store.findEntries([id])).rejects.toMatchObject({ code: 'unreadable-stored', message })
  })

  test.each([
    { title: 'a text', block: '1' },
    { title: 'a fraction', block: 0.5 },
    { title: 'a number above 2^53', block: Long.MAX_VALUE },
  ])('of id blocks are validated: $title', async ({ block }) => {
    const { store, client } = await storeAndClient()
    await client
      .db()
      .collection<{ _id: string; [field: string]: unknown }>('idBlocks')
      .insertOne({ _id: 'x', idsOf: 'entries', block })
    await expect(store.claimNextIdBlock('entries')).rejects.toThrow(
      'the document x of idBlocks has an invalid field block',
    )
  })
})

test('stored documents have 64-bit integers at every level, and no undefined field', () => {
  const value = { a: 1, b: { c: [2 ** 40, 'x', { d: 0 }], e: null, f: undefined }, g: 'text', h: true }
  expect(toStored(value)).toStrictEqual({
    a: Long.fromNumber(1),
    b: { c: [Long.fromNumber(2 ** 40), 'x', { d: Long.ZERO }], e: null },
    g: 'text',
    h: true,
  })
})

test('names with dots are stored without them, and read as they were', () => {
  const metadata = { 'shop.lot-number': '12: A', plain: 'x.y' }
  const stored = toStored({ metadata, list: [{ 'a.b': 'c' }] })
  expect(stored).toStrictEqual({ metadata: { 'shop:lot-number': '12: A', plain: 'x.y' }, list: [{ 'a:b': 'c' }] })
  expect(fromStored({ _id: 7, ...Object(stored) })).toStrictEqual({ id: 7, metadata, list: [{ 'a.b': 'c' }] })
})

test.each([0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])('%d is refused as a stored number', (number) => {
  expect(() => int64(number)).toThrow(RangeError)
  expect(() => toStored({ deep: [{ number }] })).toThrow('a number is not an exact integer')
})

test('a read document has its id in the field of the domain', () => {
  expect(fromStored({ _id: 7, a: 1 })).toStrictEqual({ id: 7, a: 1 })
})
