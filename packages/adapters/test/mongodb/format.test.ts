import { sampleAuction } from '@auction/testing/samples'
import { type Db, Long, MongoClient } from 'mongodb'
import { expect, onTestFinished, test } from 'vitest'
import { describeMongo, ownDatabase } from '../../../../tools/vitest/mongodb.ts'
import { connectMongoStore } from '../../src/mongodb/mongo-store.ts'

function testDatabase(): { readonly uri: string; readonly database: Db } {
  const { uri, drop } = ownDatabase()
  const client = new MongoClient(uri)
  onTestFinished(async () => {
    await client.close()
    await drop()
  })
  return { uri, database: client.db() }
}

const start = (uri: string): Promise<string> =>
  connectMongoStore(uri).then((store) => store.close().then(() => 'can be used'), String)

describeMongo('the format of a database', () => {
  test('is recorded by the first of many concurrent starts, and accepted by the next', async () => {
    const { uri, database } = testDatabase()
    const stores = await Promise.all([1, 2, 3].map(() => connectMongoStore(uri)))
    await stores[0]?.insertAuction(sampleAuction())
    for (const store of stores) await store.close()
    expect(await database.collection('format').find({}, { promoteLongs: false }).toArray()).toEqual([
      { _id: 'format', version: Long.fromNumber(3) },
    ])
    expect(await start(uri)).toBe('can be used')
  })

  test.each([
    ['a newer format', 4, '4'],
    ['an older format', 2, '2'],
    ['a format that is not a number', 'two', 'two'],
  ])('stops a start in one line: %s', async (_, version, found) => {
    const { uri, database } = testDatabase()
    await database.collection<{ _id: string }>('format').insertOne({ _id: 'format', ...{ version } })
    const refusal =
      `Error: MongoDB at ${new URL(uri).host} cannot be used: the database ${database.databaseName} has data of format ${found}, ` +
      'and this program reads and writes format 3; name another database, or use the version of the program that created this one'
    expect(await start(uri)).toBe(refusal)
    expect((await database.listCollections().toArray()).map(({ name }) => name)).toEqual(['format'])
  })

  test.each(['auctions', 'entries', 'idBlocks'])(
    'is 1 for data without a record of it, as 0.1.0 wrote none: %s',
    async (collection) => {
      const { uri, database } = testDatabase()
      await database.collection(collection).insertOne({ block: 1 })
      expect(await start(uri)).toContain(`the database ${database.databaseName} has data of format 1, and this program`)
      expect((await database.listCollections().toArray()).map(({ name }) => name)).toEqual([collection])
    },
  )
})
