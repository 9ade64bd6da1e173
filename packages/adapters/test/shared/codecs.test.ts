import { createMemoryStore } from '@auction/adapters/memory'
import type { AuctionEntry, Store } from '@auction/domain/store'
import { sampleEntry, sampleKey } from '@auction/testing/samples'
import { MongoClient } from 'mongodb'
import { expect, onTestFinished, test } from 'vitest'
import { describeMongo, ownDatabase } from '../../../../tools/vitest/mongodb.ts'
import { describePostgresql, execute } from '../../../../tools/vitest/postgresql.ts'
import { fromStored } from '../../src/mongodb/documents.ts'
import { connectMongoStore } from '../../src/mongodb/mongo-store.ts'
import { connectPostgresqlStore } from '../../src/postgresql/postgresql-store.ts'
import { entryOf } from '../../src/shared/rows.ts'
import { connectTo, testFile } from '../sqlite/support.ts'

const gained = { text: 'a.b \0', number: -1, list: [{ deep: true }, null] }
const entry = sampleEntry({ requestKey: 'a' })
// The cast: the types have no members that a later version of the domain adds.
const withGained = {
  ...entry,
  gained,
  event: { ...entry.event, gained },
  state: Object.assign({ gained }, entry.state),
} as AuctionEntry
const stored = { version: 1, ...withGained }

/** Stores the entry, and closes the store after the test. */
async function append(store: Store & { close(): Promise<void> }): Promise<void> {
  onTestFinished(() => store.close())
  expect(await store.append([withGained])).toBe(1)
}

// The parsers of the domain remove what their version does not know, so these tests read what is stored.

test('the store in memory keeps the members that an entry, its event and its state gain', async () => {
  const store = createMemoryStore()
  await store.append([withGained])
  expect(await store.findHeads([entry.auctionId])).toStrictEqual([withGained])
})

test('SQLite keeps the members that an entry, its event and its state gain', async () => {
  const { file, open } = await testFile()
  await append(await open())
  const row = connectTo(file).prepare('SELECT id, auctionId, sequence, atMs, requestKey, data FROM entries').get()
  expect(entryOf({ ...row })).toEqual(stored)
})

describePostgresql('PostgreSQL', (database) => {
  test('keeps the members that an entry, its event and its state gain', async () => {
    const uri = await database()
    await append(await connectPostgresqlStore(uri))
    const [row] = await execute(uri, 'SELECT data FROM auctions.entries')
    const { id, auctionId, sequence, atMs } = entry
    expect(entryOf({ id, auctionId, sequence, atMs, requestKey: sampleKey('a'), ...row })).toEqual(stored)
  })
})

describeMongo('MongoDB', () => {
  test('keeps the members that an entry, its event and its state gain', async () => {
    const { uri, drop } = ownDatabase()
    const client = new MongoClient(uri)
    onTestFinished(async () => {
      await client.close()
      await drop()
    })
    await append(await connectMongoStore(uri))
    const [document] = await client.db().collection('entries').find().toArray()
    expect(fromStored({ ...document })).toMatchObject(stored)
  })
})
