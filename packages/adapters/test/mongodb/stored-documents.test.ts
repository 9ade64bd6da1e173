import { sampleAuction, sampleBid } from '@auction/domain/testing/samples'
import { type Document, Double, Int32, Long, MongoClient } from 'mongodb'
import { expect, onTestFinished, test } from 'vitest'
import { describeMongo, ownDatabase } from '../../../../tools/vitest/mongodb.ts'
import { connectMongoStore, type MongoStore } from '../../src/mongodb/mongo-store.ts'

/** A store beside a client of its own on the same database. */
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
  /** The documents of a collection with the types that they are stored in, without the ids that the driver made. */
  const typed = (client: MongoClient, collection: string): Promise<Document[]> =>
    client.db().collection(collection).find({}, { promoteValues: false }).toArray()

  test('of auctions hold 64-bit integers, and times both as sent and as numbers', async () => {
    const { store, client } = await storeAndClient()
    await store.auctions.insert(
      sampleAuction({ id: most, productId: 1, title: 'A vase', startTime: '2030-01-31T12:00:00.123456789Z' }),
    )
    expect(await typed(client, 'auctions')).toStrictEqual([
      {
        _id: int64(most),
        productId: int64(1),
        ownerId: int64(1),
        title: 'A vase',
        startingPriceMinor: int64(100_00),
        minimumBidIncrementMinor: int64(5_00),
        currency: { code: 'USD', exponent: int64(2) },
        startTime: { iso: '2030-01-31T12:00:00.123456789Z', epochMs: int64(Date.parse('2030-01-31T12:00:00.123Z')) },
        endTime: { iso: '2030-02-07T12:00:00Z', epochMs: int64(Date.parse('2030-02-07T12:00:00Z')) },
        createdAtMs: int64(Date.parse('2030-01-30T12:00:00Z')),
      },
    ])
  })

  test('of bids hold 64-bit integers, alone or in a group', async () => {
    const { store, client } = await storeAndClient()
    await store.ledger.append([sampleBid({ id: most, auctionId: 130 })])
    await store.ledger.append([
      sampleBid({ id: 1, auctionId: 130, sequence: 2 }),
      sampleBid({ id: 2, auctionId: most, bidderId: most }),
    ])
    const fields = { bidderId: int64(2), amountMinor: int64(100_00), currency: { code: 'USD', exponent: int64(2) } }
    const startMs = Date.parse('2030-01-31T12:00:00Z')
    const documents = await typed(client, 'bids')
    expect(documents.toSorted((a, b) => b['_id'].compare(a['_id']))).toStrictEqual([
      {
        _id: int64(most),
        bucket: int64(2),
        auctionId: int64(130),
        sequence: int64(1),
        ...fields,
        timestampMs: int64(startMs + 1),
      },
      {
        _id: int64(2),
        bucket: int64(63),
        auctionId: int64(most),
        sequence: int64(1),
        ...fields,
        bidderId: int64(most),
        timestampMs: int64(startMs + 1),
      },
      {
        _id: int64(1),
        bucket: int64(2),
        auctionId: int64(130),
        sequence: int64(2),
        ...fields,
        amountMinor: int64(105_00),
        timestampMs: int64(startMs + 2),
      },
    ])
  })

  test('of reservations hold a date for a TTL index, and of id blocks 64-bit integers', async () => {
    const { store, client } = await storeAndClient()
    const scope = { caller: 'user-1', operation: 'place-bid', key: 'a key' } as const
    await store.idempotencyKeys.insert({ ...scope, generation: 1, resourceId: most, reservedAtMs: 1_234 })
    await Promise.all([store.auctionIds.next(), store.bidIds.next()])
    expect(await typed(client, 'idempotencyKeys')).toMatchObject([
      { ...scope, generation: int64(1), resourceId: int64(most), reservedAt: new Date(1_234) },
    ])
    const blocks = await typed(client, 'idBlocks')
    expect(blocks.toSorted((a, b) => a['idsOf'].localeCompare(b['idsOf']))).toMatchObject([
      { idsOf: 'auctions', block: int64(1) },
      { idsOf: 'bids', block: int64(1) },
    ])
  })

  test('that others wrote with numbers of other types are read as long as the numbers are exact', async () => {
    const { store, client } = await storeAndClient()
    await store.ledger.append([sampleBid()])
    const bids = client.db().collection<{ _id: Double | Long; [field: string]: unknown }>('bids')
    const [bid] = await bids.find().toArray()
    await bids.insertOne({ ...bid, _id: new Double(2), sequence: new Int32(2), amountMinor: 105_00 })
    expect(await store.ledger.head(sampleBid().auctionId)).toMatchObject({ id: 2, sequence: 2, amountMinor: 105_00 })
  })

  test.each([
    ['a field is missing', { currency: undefined }, 'currency'],
    ['an amount has a fraction', { amountMinor: 0.5 }, 'amountMinor'],
    ['an amount is a text', { amountMinor: '100' }, 'amountMinor'],
    ['a number is above 2^53', { bidderId: Long.MAX_VALUE }, 'bidderId'],
    ['the sequence is 0', { sequence: int64(0) }, 'sequence'],
    ['the currency has no exponent', { currency: { code: 'USD' } }, 'currency.exponent'],
    ['the currency is a text', { currency: 'USD' }, 'currency'],
  ])('of bids are not taken on trust: %s', async (_, fault, field) => {
    const { store, client } = await storeAndClient()
    await store.ledger.append([sampleBid({ id: 7 })])
    const bids = client.db().collection<Document>('bids')
    const [bid] = await bids.find().toArray()
    await bids.deleteMany({})
    await bids.insertOne({ ...bid, ...fault }, { ignoreUndefined: true })
    const error = await store.ledger.find([sampleBid({ id: 7 }).id]).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'Error', message: expect.stringContaining(`the document 7 of bids`) })
    expect(error).toMatchObject({ message: expect.stringContaining(`faulty field ${field}`) })
  })

  test('of auctions are read whatever may be offered by now', async () => {
    const { store, client } = await storeAndClient()
    await store.auctions.insert(sampleAuction())
    const once = {
      title: '',
      description: 'x'.repeat(20_000),
      currency: { code: 'DEM', exponent: int64(2) },
      startTime: { iso: '2030-01-31T13:00:00.0000000001+01:00', epochMs: int64(Date.parse('2030-01-31T12:00:00Z')) },
    }
    await client.db().collection('auctions').updateOne({}, { $set: once })
    const read = {
      ...sampleAuction(),
      ...once,
      currency: { code: 'DEM', exponent: 2 },
      startTime: { iso: once.startTime.iso, epochMs: Date.parse('2030-01-31T12:00:00Z') },
    }
    expect(await store.auctions.list({ limit: 1 })).toStrictEqual([read])
    expect(await store.auctions.find(read.id)).toStrictEqual(read)
  })

  test('of auctions are not taken on trust: a time and its number must agree', async () => {
    const { store, client } = await storeAndClient()
    await store.auctions.insert(sampleAuction())
    const auctions = client.db().collection('auctions')
    await auctions.updateOne({}, { $set: { 'endTime.epochMs': int64(0) } })
    await expect(store.auctions.list({ limit: 1 })).rejects.toThrow(
      'the document 1 of auctions has a faulty field endTime: the number is not that of the text',
    )
  })
})
