import type { AuctionId } from '@auction/domain/ids'
import { sampleAuction, sampleClosed, sampleEntry, sampleKey } from '@auction/testing/samples'
import { type Document, Double, Int32, Long, MongoClient } from 'mongodb'
import { expect, onTestFinished, test } from 'vitest'
import { describeMongo, ownDatabase } from '../../../../tools/vitest/mongodb.ts'
import { connectMongoStore, type MongoStore } from '../../src/mongodb/mongo-store.ts'

/** A store and a separate client of the same database. */
async function storeAndClient(): Promise<{ readonly store: MongoStore; readonly client: MongoClient }> {
  const { uri, drop } = ownDatabase()
  const store = await connectMongoStore(uri)
  const client = new MongoClient(uri)
  onTestFinished(async () => {
    await Promise.all([store.close(), client.close()])
    await drop()
  })
  return { store, client }
}

const int64 = Long.fromNumber
const most = Number.MAX_SAFE_INTEGER

describeMongo('stored documents', () => {
  /** The documents of a collection with their stored types, without the ids that the driver creates. */
  const typed = (client: MongoClient, collection: string): Promise<Document[]> =>
    client.db().collection(collection).find({}, { promoteValues: false }).toArray()

  const auctionFields = {
    productId: int64(7),
    ownerId: int64(1),
    startingPriceMinor: int64(100_00),
    minimumBidIncrementMinor: int64(5_00),
    currency: { code: 'USD', exponent: int64(2) },
    endTime: { iso: '2030-02-07T12:00:00Z', epochMs: int64(Date.parse('2030-02-07T12:00:00Z')) },
    createdAtMs: int64(Date.parse('2030-01-30T12:00:00Z')),
    version: int64(1),
    dueMs: int64(Date.parse('2030-02-07T12:00:00Z')),
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
        _id: int64(most),
        ...auctionFields,
        title: 'A vase',
        startTime: { iso: startTime, epochMs: int64(Date.parse('2030-01-31T12:00:00.123Z')) },
        requestKey: 'place-bid caller a',
        words: ['a', 'vase'],
      },
    ])
    await store.addTitleWords(sampleAuction({ id: most }).id, ['vase', 'old'])
    expect(await typed(client, 'auctions')).toMatchObject([{ words: ['a', 'vase', 'old'] }])
  })

  test('of auctions contain all optional fields', async () => {
    const { store, client } = await storeAndClient()
    const latestEndTime = '2030-02-07T13:00:00.500000001Z'
    const latestEndMs = int64(Date.parse('2030-02-07T13:00:00.500Z'))
    const softClose = { windowSeconds: 60, extensionSeconds: 120, latestEndTime }
    await store.insertAuction(sampleAuction({ id: 9, softClose }))
    await store.insertAuction(
      sampleAuction({ id: 8, reservePriceMinor: 0, buyNowPriceMinor: 900_00, cancellableUntilEnd: false }),
    )
    const startTime = { iso: '2030-01-31T12:00:00Z', epochMs: int64(Date.parse('2030-01-31T12:00:00Z')) }
    const common = { ...auctionFields, startTime }
    const documents = await typed(client, 'auctions')
    expect(documents.toSorted((a, b) => b['_id'].compare(a['_id']))).toStrictEqual([
      {
        _id: int64(9),
        ...common,
        softClose: {
          windowSeconds: int64(60),
          extensionSeconds: int64(120),
          latestEndTime: { iso: latestEndTime, epochMs: latestEndMs },
        },
      },
      {
        _id: int64(8),
        ...common,
        reservePriceMinor: int64(0),
        buyNowPriceMinor: int64(900_00),
        cancellableUntilEnd: false,
      },
    ])
  })

  test('of auctions contain their place on the agenda, or their end', async () => {
    const { store, client } = await storeAndClient()
    const ids = [1, 2].map((id) => sampleAuction({ id }).id)
    for (const id of ids) await store.insertAuction(sampleAuction({ id }))
    const [moved, ended] = ids as [AuctionId, AuctionId] // The list has two.
    await store.updateAgenda([
      { auctionId: moved, dueMs: most },
      { auctionId: ended, endedMs: 7 },
    ])
    await store.updateAgenda([{ auctionId: ended, endedMs: 9 }])
    expect(await typed(client, 'auctions')).toMatchObject([
      { _id: int64(1), ...auctionFields, dueMs: int64(most) },
      { _id: int64(2), ...auctionFields, dueMs: 'ended', endedMs: int64(7) },
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
    const leader = { bidId: int64(most), bidderId: int64(most), amountMinor: int64(100_00) }
    const first = { bidId: int64(1), bidderId: int64(2), amountMinor: int64(100_00) }
    const sold = { outcome: 'sold', bidId: int64(1), winnerId: int64(2), priceMinor: int64(100_00) }
    const unsold = { outcome: 'unsold', reason: 'no-bids' }
    const documents = await typed(client, 'entries')
    expect(documents.toSorted((a, b) => b['_id'].compare(a['_id']))).toStrictEqual([
      {
        _id: int64(most),
        bucket: int64(2),
        auctionId: int64(130),
        sequence: int64(1),
        atMs: int64(startMs + 1),
        bidderId: int64(most),
        requestKey: 'place-bid caller a',
        version: int64(1),
        currency: { code: 'USD', exponent: int64(2) },
        event: { type: 'bid-placed', bidderId: int64(most), amountMinor: int64(100_00) },
        state: { phase: 'open', bidCount: int64(1), leader, atMs: int64(startMs + 1) },
      },
      {
        _id: int64(3),
        bucket: int64(63),
        auctionId: int64(most),
        sequence: int64(1),
        atMs: int64(endMs + 1),
        version: int64(1),
        currency: { code: 'JPY', exponent: int64(0) },
        event: { type: 'closed', result: unsold },
        state: { phase: 'closed', bidCount: int64(0), leader: null, atMs: int64(endMs + 1), result: unsold },
      },
      {
        _id: int64(2),
        bucket: int64(2),
        auctionId: int64(130),
        sequence: int64(2),
        atMs: int64(endMs + 2),
        version: int64(1),
        currency: { code: 'USD', exponent: int64(2) },
        event: { type: 'closed', result: sold },
        state: { phase: 'closed', bidCount: int64(1), leader: first, atMs: int64(endMs + 2), result: sold },
      },
    ])
  })

  test('of entries contain a maximum, an automatic bid and a moved end', async () => {
    const { store, client } = await storeAndClient()
    const startMs = Date.parse('2030-01-31T12:00:00Z')
    await store.append([
      sampleEntry({ id: 8, maximumMinor: 300_00, automatic: { bidderId: 3, amountMinor: 305_00 }, extendedEndMs: 7 }),
    ])
    const automatic = { bidderId: int64(3), amountMinor: int64(305_00) }
    const event = { type: 'bid-placed', bidderId: int64(2), amountMinor: int64(100_00), maximumMinor: int64(300_00) }
    const leader = { bidId: int64(9), ...automatic }
    expect(await typed(client, 'entries')).toStrictEqual([
      {
        _id: int64(8),
        bucket: int64(1),
        auctionId: int64(1),
        sequence: int64(1),
        atMs: int64(startMs + 1),
        bidderId: int64(2),
        version: int64(1),
        currency: { code: 'USD', exponent: int64(2) },
        event: { ...event, automatic, extendedEndMs: int64(7) },
        state: { phase: 'open', bidCount: int64(2), leader, atMs: int64(startMs + 1), extendedEndMs: int64(7) },
      },
    ])
  })

  test('of id blocks contain 64-bit integers', async () => {
    const { store, client } = await storeAndClient()
    await store.claimIdBlock('auctions', 1)
    await store.claimIdBlock('entries', most)
    const blocks = await typed(client, 'idBlocks')
    expect(blocks.map(({ _id, ...block }) => block).toSorted((a, b) => a['idsOf'].localeCompare(b['idsOf']))).toEqual([
      { idsOf: 'auctions', block: int64(1) },
      { idsOf: 'entries', block: int64(most) },
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
    { title: 'a fraction', fault: { 'event.amountMinor': 0.5 } },
    { title: 'a number above 2^53', fault: { 'event.bidderId': Long.MAX_VALUE } },
  ])('of entries are validated by every read: $title', async ({ fault }) => {
    const { store, client } = await storeAndClient()
    const { id, auctionId, event } = sampleEntry({ id: 7 })
    await store.append([sampleEntry({ id, requestKey: 'a' })])
    await client.db().collection('entries').updateOne({}, { $set: fault })
    const reads = [
      store.findHeads([auctionId]),
      store.findEntries([id]),
      store.findEntriesByKey([sampleKey('a')]),
      store.listEntries(auctionId, { limit: 1 }),
      store.listBidderEntries(event.bidderId, { limit: 1 }),
    ]
    const [field] = Object.keys(fault)
    const message = expect.stringContaining(`the stored entry 7 of auction 1 has an invalid field ${field}`)
    for (const outcome of await Promise.allSettled(reads)) {
      expect(outcome).toMatchObject({ reason: { code: 'unreadable-stored', message } })
    }
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
    await expect(store.highestIdBlock('entries')).rejects.toThrow(
      'the document x of idBlocks has an invalid field block',
    )
  })
})
