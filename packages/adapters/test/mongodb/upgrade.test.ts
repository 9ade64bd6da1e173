import type { Store } from '@auction/domain/store'
import {
  sampleAuction,
  sampleBought,
  sampleClosed,
  sampleEntry,
  sampleKey,
  sampleRepair,
} from '@auction/testing/samples'
import { type Db, Long, ObjectId } from 'mongodb'
import { expect, onTestFinished, test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import { indexesOf } from '../../src/mongodb/collections.ts'
import { int64 } from '../../src/mongodb/documents.ts'
import { databaseFormat } from '../../src/mongodb/format.ts'
import { connectMongoStore, upgradeMongoDatabase } from '../../src/mongodb/mongo-store.ts'
import { expectRecordedShape, shapeOf, storeOneOfEach } from '../stored-shape.ts'
import { testDatabase } from './support.ts'

const old = '2030-01-01T00:00:00Z'

const auctions = [
  sampleAuction({ id: 1, title: 'An oak desk' }),
  // It started before its creation, so it is open.
  sampleAuction({ id: 2, startTime: old }),
  sampleAuction({ id: 3 }),
  sampleAuction({ id: 4, buyNowPriceMinor: 900_00 }),
]
const first = sampleEntry({ id: 1, auctionId: 3, bidderId: 2, requestKey: 'a' })
const entries = [
  first,
  sampleClosed({ id: 2, auctionId: 3, sequence: 2 }),
  sampleBought({ id: 3, auctionId: 4 }),
  sampleEntry({ id: 4, auctionId: 2, bidderId: 2 }),
]

/** Makes the data what 0.2.0 wrote: without the fields, and with the indexes, that came after it. */
async function asFormat3(database: Db): Promise<void> {
  const isEnded = { _id: { $in: [int64(3), int64(4)] } } as object
  const documents = database.collection('auctions')
  await documents.updateMany({}, { $unset: { stage: '', stageMs: '', corrections: '', words: '' } })
  await documents.updateMany({}, { $set: { dueMs: int64(1_900_000_000_000) } })
  await documents.updateMany(isEnded, { $set: { dueMs: 'ended', endedMs: int64(1_900_000_000_000) } })
  await database.collection('entries').updateMany({}, { $unset: { bidderId: '' } })
  for (const { name } of await documents.indexes())
    if (name !== '_id_' && name !== 'one-auction-per-request-key') await documents.dropIndex(String(name))
  await documents.createIndex({ createdAtMs: -1, _id: -1, dueMs: 1 }, { name: 'newest-first' })
  await documents.createIndex({ dueMs: 1, _id: 1 }, { name: 'soonest-due-first' })
  await database.collection<{ _id: string }>('format').updateOne({ _id: 'format' }, { $set: { version: int64(3) } })
}

async function writeFormat3(uri: string, database: Db): Promise<void> {
  const store = await connectMongoStore(uri)
  for (const auction of auctions) await store.insertAuction({ ...auction, requestKey: sampleKey(String(auction.id)) })
  for (const entry of entries) expect(await store.append([entry])).toBe(1)
  await store.close()
  await asFormat3(database)
}

describeMongo('the format of documents', () => {
  test('has a new number if the documents or the indexes change', async () => {
    const { uri, database } = testDatabase()
    const store = await connectMongoStore(uri)
    onTestFinished(() => store.close())
    await storeOneOfEach(store)
    const typeOf = (value: unknown) => (value instanceof Long ? 'int64' : value instanceof ObjectId ? 'id' : undefined)
    const shapeOfCollection = async (name: string) => {
      const documents = database.collection(name).find({}, { promoteValues: false })
      return shapeOf(name, await documents.toArray(), typeOf)
    }
    const names = ['auctions', 'entries', 'idBlocks', 'checkpoints', 'format']
    const documents = (await Promise.all(names.map(shapeOfCollection))).flat()
    const indexes = (['server-or-replica-set', 'sharded-cluster'] as const).flatMap((deployment) =>
      indexesOf(deployment).flatMap(([collection, wanted]) =>
        wanted.map((index) => `${deployment} ${collection} ${JSON.stringify(index)}`),
      ),
    )
    await expectRecordedShape('mongodb', databaseFormat, [...documents, ...indexes])
  })
})

describeMongo('an upgrade of format 3', () => {
  const listed = async (store: Store, order: 'newest' | 'agenda' | 'ended', word?: string) =>
    (await store.listAuctions({ order, limit: 10, ...(word !== undefined && { words: [word] }) })).items.map(
      ({ auction, position }) => [auction.id, position.timeMs],
    )

  test('gives each auction its position by its ledger, and each bid its bidder, and keeps everything else', async () => {
    const { uri, database } = testDatabase()
    await writeFormat3(uri, database)
    await expect(connectMongoStore(uri)).rejects.toThrow('data of format 3, and this program reads and writes format 4')
    expect(await upgradeMongoDatabase(uri)).toEqual({ auctions: 4, entries: 2 })

    const store = await connectMongoStore(uri)
    onTestFinished(() => store.close())
    const [pending, open, closed] = auctions.map(({ startTime, endTime }) => ({ startTime, endTime }))
    expect(await listed(store, 'agenda')).toEqual([
      [1, pending?.startTime.epochMs],
      [2, open?.endTime.epochMs],
    ])
    expect(await listed(store, 'ended')).toEqual([
      [3, closed?.endTime.epochMs],
      [4, entries[2]?.atMs],
    ])
    expect((await listed(store, 'newest')).length).toBe(4)
    expect(await listed(store, 'newest', 'oak')).toMatchObject([[1, expect.anything()]])
    expect((await store.listBidderEntries(first.event.bidderId, { limit: 10 })).map(({ id }) => id)).toEqual([4, 1])
    expect(await store.findEntriesByKey([sampleKey('a')])).toEqual([first])
    expect(await store.findHeads(auctions.map(({ id }) => id))).toHaveLength(3)
    for (const auction of auctions) expect(await store.findAuction(auction.id)).toEqual(auction)
    const names = (await database.collection('auctions').indexes()).map(({ name }) => name)
    expect(names).not.toContain('soonest-due-first')
    expect(await database.collection('auctions').countDocuments({ dueMs: { $exists: true } })).toBe(0)
  })

  test('continues after an interruption, and changes nothing the second time', async () => {
    const { uri, database } = testDatabase()
    await writeFormat3(uri, database)
    const store = { stage: 'sold', stageMs: int64(1), corrections: int64(Number.MAX_SAFE_INTEGER) }
    await database.collection<{ _id: unknown }>('auctions').updateOne({ _id: int64(3) }, { $set: store })
    expect(await upgradeMongoDatabase(uri)).toEqual({ auctions: 3, entries: 2 })
    expect(await upgradeMongoDatabase(uri)).toBeUndefined()
  })

  test('makes an auction whose end may have moved to an earlier one due at once', async () => {
    const { uri, database } = testDatabase()
    const store = await connectMongoStore(uri)
    const auction = sampleAuction({ id: 5 })
    const repaired = sampleRepair({ auctionId: 5 })
    await store.insertAuction(auction)
    await store.append([repaired])
    await store.close()
    await asFormat3(database)
    await upgradeMongoDatabase(uri)
    const upgraded = await connectMongoStore(uri)
    onTestFinished(() => upgraded.close())
    expect(await listed(upgraded, 'agenda')).toEqual([[5, repaired.atMs]])
  })

  test('reports what is unreadable, and upgrades the rest', async () => {
    const { uri, database } = testDatabase()
    await writeFormat3(uri, database)
    const documents = database.collection<{ _id: unknown }>('auctions')
    await documents.updateOne({ _id: int64(1) }, { $set: { currency: true } })
    await database.collection('entries').updateOne({ auctionId: int64(2) }, { $set: { 'event.bidderId': 'x' } })
    const notices: string[] = []
    const onNotice = (text: string) => notices.push(text)
    expect(await upgradeMongoDatabase(uri, { onNotice })).toEqual({ auctions: 4, entries: 1 })
    expect(notices).toEqual([
      expect.stringContaining('the stored auction 1 has an invalid field currency'),
      expect.stringContaining('the stored entry 4 of auction 2 has an invalid field event.bidderId'),
      expect.stringContaining('the bid 4 has an invalid bidder'),
    ])
    const store = await connectMongoStore(uri)
    onTestFinished(() => store.close())
    expect(await listed(store, 'ended')).toHaveLength(2)
  })

  test('refuses data of another format', async () => {
    const { uri, database } = testDatabase()
    await database.collection('auctions').insertOne({})
    await expect(upgradeMongoDatabase(uri)).rejects.toThrow(
      'data of format 1, and this program reads and writes format 4',
    )
  })
})
