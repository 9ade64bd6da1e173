import { MongoClient } from 'mongodb'
import { expect, onTestFinished, test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import { connectMongoStore, inspectMongoDatabase } from '../../src/mongodb/index.ts'

test('a missing database is reported on one line, without the password', async () => {
  const uri = 'mongodb://alice:p%40ssword@127.0.0.1:1/house'
  await expect(inspectMongoDatabase(uri, { timeoutMs: 500 })).rejects.toThrow(
    /^MongoDB at 127\.0\.0\.1:1 cannot be used: (?!.*p(@|%40)ssword).*ECONNREFUSED.*$/,
  )
})

describeMongo('an inspection of a database', (ownDatabase) => {
  test('reports what a start would create, and creates nothing', async () => {
    const uri = ownDatabase()
    const { description, wouldMake } = await inspectMongoDatabase(uri)
    expect(description).toMatch(/^MongoDB at .*, database /)
    expect(wouldMake).toContain('the index idBlocks.one-claim-per-block')
    const client = await MongoClient.connect(uri)
    onTestFinished(() => client.close())
    expect(await client.db().listCollections().toArray()).toEqual([])
    const store = await connectMongoStore(uri)
    await store.close()
    expect((await inspectMongoDatabase(uri)).wouldMake).toEqual([])
  })
})
