import { sampleAuction, sampleEntries } from '@auction/testing/samples'
import type { Document } from 'mongodb'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import { indexesOf } from '../../src/mongodb/collections.ts'
import { databaseFormat } from '../../src/mongodb/format.ts'
import { connectMongoStore } from '../../src/mongodb/mongo-store.ts'
import { connectFakeStore, nothingFound, standalone, startFakeServer } from './fake-server.ts'
import { connectAtOnce, testDatabase } from './support.ts'

async function connectOnce(uri: string): Promise<void> {
  const store = await connectMongoStore(uri)
  await store.close()
}

describeMongo('indexes', () => {
  test('are created by the first of many concurrent connections, and kept by the next', async () => {
    const { uri, database } = testDatabase()
    for (const store of await connectAtOnce(uri, 3)) await store.close()
    await connectOnce(uri)
    for (const [collection, wanted] of indexesOf('server-or-replica-set')) {
      const made = await database.collection(collection).indexes()
      const expected = wanted.map(({ name, key, unique = false }) => ({ name, key, unique }))
      const found = made.map(({ name, key, unique = false }) => ({ name, key, unique }))
      expect(found).toEqual(expect.arrayContaining([...expected]))
      expect(found.length).toBe(expected.length + 1) // That of `_id`.
    }
  })

  test('that are missing are built on a collection with data, while another process uses it', async () => {
    const { uri, database } = testDatabase()
    const running = await connectMongoStore(uri)
    onTestFinished(() => running.close())
    const entries = sampleEntries(60)
    await running.append(entries.slice(0, 20))
    const dropped = ['one-entry-per-sequence', 'bids-of-bidder']
    for (const name of dropped) await database.collection('entries').dropIndex(name)
    const starting = connectMongoStore(uri)
    for (const from of [20, 40]) expect(await running.append(entries.slice(from, from + 20))).toBe(20)
    const started = await starting
    onTestFinished(() => started.close())
    const names = (await database.collection('entries').indexes()).map(({ name }) => name)
    expect(names.filter((name) => dropped.includes(String(name))).toSorted()).toEqual(dropped.toSorted())
    expect(await started.listEntries(sampleAuction().id, { limit: 100 })).toStrictEqual(entries.toReversed())
    expect(await started.append(sampleEntries(1, { afterId: 60 }))).toBe(0)
  })

  test('with the right name and another order of its fields stop the start', async () => {
    const { uri, database } = testDatabase()
    const key = { auctionId: 1, bucket: 1, sequence: 1 } as const
    await database.collection('entries').createIndex(key, { unique: true, name: 'one-entry-per-sequence' })
    await expect(connectOnce(uri)).rejects.toThrow(
      'the index entries.one-entry-per-sequence is {"auctionId":1,"bucket":1,"sequence":1}, unique, but must be ' +
        '{"bucket":1,"auctionId":1,"sequence":1}, unique; another program has changed it: stop all servers, and replace it by the required one',
    )
  })

  test('that cannot be created stop the start', async () => {
    const { uri, database } = testDatabase()
    await database.collection<{ _id: string }>('format').insertOne({ _id: 'format', ...{ version: databaseFormat } })
    const claim = { idsOf: 'entries', block: 1 }
    await database.collection('idBlocks').insertMany([{ ...claim }, { ...claim }])
    await expect(connectOnce(uri)).rejects.toThrow(/indexes of idBlocks cannot be created, one-claim-per-block: .+/)
  })
})

test('a server that does not list its indexes stops the start, and gets no command to create one', async () => {
  const reply = (command: Document) =>
    'listIndexes' in command ? refusal : 'find' in command ? nothingFound : undefined
  const refusal = { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'not authorized' }
  const server = await startFakeServer(reply, standalone)
  onTestFinished(() => server.close())
  await expect(connectMongoStore(server.uri)).rejects.toThrow('cannot be used: not authorized')
  expect(server.commands.filter((command) => 'createIndexes' in command)).toEqual([])
})

describe('an index of keys', () => {
  const key = { requestKey: 1 }
  const right = { name: 'one-entry-per-request-key', key, unique: true, sparse: true }
  const must =
    'but must be {"requestKey":1}, unique, sparse true; another program has changed it: stop all servers, and replace it by the required one'

  /** The commands of a start on a server that already has this index, or the error that stops it. */
  async function startOn(found: Document, refusesTakenNames = false): Promise<readonly string[] | string> {
    try {
      const indexes = { entries: [{ ...found, v: 2 }] }
      const { startCommands } = await connectFakeStore(() => undefined, { indexes, refusesTakenNames })
      const made = startCommands.filter((command) => command['createIndexes'] === 'entries')
      return made.flatMap(({ indexes: each }) => each.map(({ name }: Document) => name))
    } catch (error) {
      return String(error).replace(/^Error: MongoDB at \S+ cannot be used: /, '')
    }
  }

  test('that exists is created again, and kept', async () => {
    expect(await startOn(right)).toEqual(['one-entry-per-sequence', 'bids-of-bidder', 'one-entry-per-request-key'])
  })

  const partial = { requestKey: { $gt: 'b' } }
  test.each<readonly [found: Document, described: string]>([
    [{ ...right, unique: false }, '{"requestKey":1}, not unique, sparse true'],
    [{ ...right, key: { requestKey: -1 } }, '{"requestKey":-1}, unique, sparse true'],
    [{ ...right, collation: { locale: 'en' } }, '{"requestKey":1}, unique, sparse true, collation {"locale":"en"}'],
    [{ ...right, expireAfterSeconds: 60 }, '{"requestKey":1}, unique, expireAfterSeconds 60, sparse true'],
    [
      { name: right.name, key, unique: true, partialFilterExpression: partial },
      '{"requestKey":1}, unique, partialFilterExpression {"requestKey":{"$gt":"b"}}',
    ],
  ])('with another definition stops the start: %j', async (found, described) => {
    expect(await startOn(found)).toBe(`the index entries.one-entry-per-request-key is ${described}, ${must}`)
  })

  // Entries without a key would be duplicates in it. Not every server lists whether an index is sparse, but MongoDB
  // refuses to create an index with the name of another one.
  const { sparse: _, ...silent } = right

  test('that is not listed as sparse is created again, and kept if the server has it', async () => {
    expect(await startOn(silent)).toEqual(['one-entry-per-sequence', 'bids-of-bidder', 'one-entry-per-request-key'])
  })

  test('that is not sparse stops the start', async () => {
    expect(await startOn(silent, true)).toBe(
      'indexes of entries cannot be created, one-entry-per-request-key: An existing index has the same name',
    )
  })
})

test('the server reads the documents of a collection once for all its indexes', async () => {
  const { startCommands } = await connectFakeStore(() => undefined)
  const built = startCommands.flatMap(({ createIndexes }) => createIndexes ?? [])
  expect(built).toEqual(['auctions', 'entries', 'idBlocks', 'checkpoints'])
})

describe('an index whose build takes longer than the time limit', () => {
  const timeoutMs = 1_000
  const name = 'newest-first'
  const notice =
    'MongoDB: indexes of auctions are being built, which takes a long time with many documents; ' +
    'the start waits for it'

  test('delays the start, with a notice', async () => {
    const { notices, startCommands } = await connectFakeStore(() => undefined, {
      timeoutMs,
      buildMs: { [name]: 1.5 * timeoutMs },
    })
    expect(notices).toEqual([notice])
    expect(namesMade(startCommands).filter((made) => made === name)).toEqual([name])
  })

  // MongoDB lists an index from the moment that its build begins.
  test('also delays concurrent starts, although it is listed; they do not write', async () => {
    const { startCommands } = await connectFakeStore(() => undefined)
    const indexes = Object.fromEntries(
      startCommands
        .flatMap(({ createIndexes }) => createIndexes ?? [])
        .map((collection) => [collection, indexesMade(startCommands, collection)]),
    )
    const later = await connectFakeStore(() => undefined, { timeoutMs, indexes, buildMs: { [name]: 1.5 * timeoutMs } })
    expect(later.notices).toEqual([notice])
    expect(namesMade(later.startCommands)).toEqual(namesMade(startCommands))
    const concerns = (commands: readonly Document[]) =>
      new Set(commands.filter((each) => 'createIndexes' in each).map((each) => each['writeConcern'].w))
    expect([concerns(startCommands), concerns(later.startCommands)]).toEqual([new Set(['majority']), new Set([1])])
  })

  const indexesMade = (commands: readonly Document[], collection: string): readonly Document[] =>
    commands.filter(({ createIndexes }) => createIndexes === collection).flatMap(({ indexes }) => indexes)

  const namesMade = (commands: readonly Document[]): readonly string[] =>
    commands.flatMap(({ createIndexes, indexes }) =>
      createIndexes === undefined ? [] : indexes.map((index: Document) => index['name']),
    )
})
