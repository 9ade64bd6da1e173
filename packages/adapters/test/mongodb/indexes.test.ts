import { type Db, MongoClient } from 'mongodb'
import { expect, onTestFinished, test } from 'vitest'
import { describeMongo, ownDatabase } from '../../../../tools/vitest/mongodb.ts'
import { connectMongoStore } from '../../src/mongodb/mongo-store.ts'

/** An empty database, as it is before a store has been connected to it. */
function emptyDatabase(): { readonly uri: string; readonly database: Db } {
  const { uri, drop } = ownDatabase()
  const client = new MongoClient(uri)
  onTestFinished(async () => {
    await client.close()
    await drop()
  })
  return { uri, database: client.db() }
}

async function connectOnce(uri: string): Promise<readonly string[]> {
  const notices: string[] = []
  const store = await connectMongoStore(uri, { onNotice: (text) => notices.push(text) })
  await store.close()
  return notices
}

describeMongo('indexes', () => {
  test('are made by the first connections, which may be many at once, and kept by the next', async () => {
    const { uri, database } = emptyDatabase()
    await Promise.all([connectOnce(uri), connectOnce(uri), connectOnce(uri)])
    await connectOnce(uri)
    const unique = async (collection: string) =>
      (await database.collection(collection).indexes()).filter((index) => index.unique).map(({ key }) => key)
    expect(await unique('bids')).toStrictEqual([{ bucket: 1, auctionId: 1, sequence: 1 }])
    expect(await unique('idBlocks')).toStrictEqual([{ idsOf: 1, block: 1 }])
    expect(await unique('idempotencyKeys')).toStrictEqual([{ caller: 1, operation: 1, key: 1, generation: 1 }])
    expect(await database.collection('auctions').indexes()).toContainEqual(
      expect.objectContaining({ key: { createdAtMs: -1, _id: -1, 'startTime.epochMs': 1, 'endTime.epochMs': 1 } }),
    )
  })

  test('with a time to live are made where the server has them, and otherwise reported', async () => {
    const { uri, database } = emptyDatabase()
    const notices = await connectOnce(uri)
    const ttls = (await database.collection('idempotencyKeys').indexes()).filter((index) => index.expireAfterSeconds)
    const made = ttls.map(({ key, expireAfterSeconds }) => ({ key, expireAfterSeconds }))
    const expected = [{ key: { reservedAt: 1 }, expireAfterSeconds: 48 * 60 * 60 }]
    const notice = 'MongoDB: this server has no TTL indexes, so nothing is ever removed from idempotencyKeys'
    expect({ made, notices }).toStrictEqual(
      made.length > 0 ? { made: expected, notices: [] } : { made: [], notices: [notice] },
    )
  })

  test.each([
    [{ auctionId: 1, sequence: 1 }, { unique: true }, '{"auctionId":1,"sequence":1}, unique'],
    [{ auctionId: 1, bucket: 1, sequence: 1 }, { unique: true }, '{"auctionId":1,"bucket":1,"sequence":1}, unique'],
    [{ bucket: 1, auctionId: 1, sequence: 1 }, {}, '{"bucket":1,"auctionId":1,"sequence":1}, not unique'],
  ] as const)('of the right name that are others stop the start: %o %o', async (key, options, found) => {
    const { uri, database } = emptyDatabase()
    await database.collection('bids').createIndex(key, { ...options, name: 'one-bid-per-sequence' })
    await expect(connectOnce(uri)).rejects.toThrow(
      `the index bids.one-bid-per-sequence is ${found}, but must be ` +
        '{"bucket":1,"auctionId":1,"sequence":1}, unique; drop it, and the next start makes it anew',
    )
  })

  test('that can not be made stop the start', async () => {
    const { uri, database } = emptyDatabase()
    const claim = { idsOf: 'bids', block: 1 }
    await database.collection('idBlocks').insertMany([{ ...claim }, { ...claim }])
    await expect(connectOnce(uri)).rejects.toThrow(
      /the index idBlocks\.one-claim-per-block, {"idsOf":1,"block":1}, unique, can't be made: .+/,
    )
  })
})
