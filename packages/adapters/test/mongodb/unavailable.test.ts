import { createAuctionService } from '@auction/domain'
import { StoreUnavailableError } from '@auction/domain/errors'
import { parseNewBid } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import { sampleAuction, sampleEntries, sampleStartTime } from '@auction/testing/samples'
import { type Document, MongoClient } from 'mongodb'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import { createManualClock } from '../../src/memory/manual-clock.ts'
import { clientOptions } from '../../src/mongodb/clients.ts'
import type { Connection } from '../../src/mongodb/connection.ts'
import { createDriverCall } from '../../src/mongodb/driver-call.ts'
import { createMongoEntries } from '../../src/mongodb/entries.ts'
import { closingDuringOutage, othersThan } from '../server-outage.ts'
import { createKeeper } from './fake-keeper.ts'
import { connectFakeStore, replicaSet, startFakeServer } from './fake-server.ts'
import { connectProxiedStore } from './support.ts'

async function storeBehindProxy() {
  const { close, ...proxied } = await connectProxiedStore(2_000)
  onTestFinished(close)
  return proxied
}

describeMongo('a server outage', () => {
  closingDuringOutage(storeBehindProxy)

  // The driver's client is unusable after its first search for a server fails.
  test.each([
    { title: 'before the first operation', rounds: 0 },
    { title: 'longer than two clients search', rounds: 2 },
  ])('ends with a new connection, $title', async ({ rounds }) => {
    const { store, proxy, restore } = await storeBehindProxy()
    if (rounds > 0) await store.ping()
    proxy.cut()
    for (let round = 1; round <= rounds + 1; round++) expect(await othersThan('unavailable', store, round)).toEqual([])
    await restore()
    expect(await othersThan('responded', store, 100)).toEqual([])
  })
})

const { id: auctionId } = sampleAuction()

/** A process that places bids on a server with a special handler of its first insert of entries. */
async function serviceOver(first: (command: Document, reply: (command: Document) => Document) => Document | 'cut') {
  const keeper = createKeeper()
  let inserts = 0
  const { store, commands } = await connectFakeStore(
    (command) => {
      const isFirst = command['insert'] === 'entries' && ++inserts === 1
      return isFirst ? first(command, keeper.reply) : keeper.reply(command)
    },
    { kind: replicaSet, uriOptions: '?retryWrites=true' },
  )
  const { placeBid } = createAuctionService({ store, clock: createManualClock(sampleStartTime) })
  return {
    kept: keeper.entries,
    place: (amount: number, key?: string) =>
      placeBid(
        unwrap(parseNewBid({ auctionId, bidderId: 2, amount })),
        key === undefined ? undefined : { caller: 'c', key },
      ),
    /** The commands for entries since the first of them was sent. */
    asked: () => {
      const names = commands().flatMap(({ insert, find }) =>
        insert === 'entries' ? ['insert'] : find === 'entries' ? ['find'] : [],
      )
      return names.slice(names.indexOf('insert'))
    },
    commands,
  }
}

const bids: readonly (readonly [amounts: readonly number[], isKeyed: boolean])[] = [
  [[100], false],
  [[100], true],
  [[100, 105, 110], false],
  [[100, 105, 110], true],
]

const keyOf = (amount: number, isKeyed: boolean) => (isKeyed ? `key-${amount}` : undefined)

describe.each([
  { title: 'a stored append whose response is lost', isLost: true },
  { title: 'an append that the network delivers twice', isLost: false },
])('$title', ({ isLost }) => {
  test.each(bids)('is looked for, and not sent again: bids of %j, with keys %j', async (amounts, isKeyed) => {
    const { kept, place, asked, commands } = await serviceOver((command, reply) => {
      reply(command)
      return isLost ? 'cut' : reply(command)
    })
    const placed = (await Promise.all(amounts.map((amount) => place(amount, keyOf(amount, isKeyed))))).map(unwrap)
    expect(placed.map(({ id }) => id)).toEqual(kept.map((entry) => entry['_id']))
    expect(asked().slice(0, 2)).toEqual(['insert', 'find'])
    expect(commands().filter((command) => 'txnNumber' in command)).toEqual([])
  })
})

test.each(['', '?retryWrites=true', '?retryWrites=false'])(
  'the driver repeats no write, and limits each step of an operation to less than the whole, whatever the URI says: %s',
  (options) => {
    const client = new MongoClient(`mongodb://127.0.0.1/fake${options}`, clientOptions(5_000, 20))
    const stepMs = { serverSelectionTimeoutMS: 2_000, waitQueueTimeoutMS: 2_000, connectTimeoutMS: 2_000 }
    expect(client.options).toMatchObject({ retryWrites: false, retryReads: true, maxPoolSize: 20, ...stepMs })
    expect(client.options.socketTimeoutMS).toBe(5_000)
  },
)

test.each([1, 2])('an append of %i entries during an outage is recorded in the connection', async (count) => {
  const server = await startFakeServer(() => ({ n: count }))
  const client = new MongoClient(server.uri, clientOptions(500, 1))
  onTestFinished(() => client.close())
  const recorded: string[] = []
  const connection: Connection = {
    collection: (name) => client.db().collection(name),
    database: () => client.db(),
    opened: async () => undefined,
    during: (call) => call,
    noteReached: () => recorded.push('reached'),
    noteUnreachable: () => recorded.push('unreachable'),
    close: () => client.close(),
  }
  const driverCall = createDriverCall(500, connection)
  const { append } = createMongoEntries({
    connection,
    driverCall,
    listCall: driverCall,
    deployment: 'server-or-replica-set',
    maxReadMs: 500,
    readsAtOnce: 1,
  })
  expect(await append(sampleEntries(count))).toBe(count)
  await server.close()
  // The first command may use a broken connection.
  await expect(append(sampleEntries(count))).rejects.toThrow(StoreUnavailableError)
  expect(recorded.splice(0)).toContain('reached')
  await expect(append(sampleEntries(count))).rejects.toThrow(StoreUnavailableError)
  expect(recorded).toEqual(['unreachable'])
})
