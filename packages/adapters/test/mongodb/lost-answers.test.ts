import { parseNewBid } from '@auction/domain/bid'
import { unwrap } from '@auction/domain/result'
import { sampleAuction, sampleBids, sampleStartTime } from '@auction/domain/testing/samples'
import { placeBidUseCase } from '@auction/domain/use-cases/place-bid'
import { type Document, MongoClient } from 'mongodb'
import { describe, expect, onTestFinished, test } from 'vitest'
import { manualClock } from '../../src/memory/manual-clock.ts'
import { memoryStore } from '../../src/memory/memory-store.ts'
import { asking } from '../../src/mongodb/asking.ts'
import type { Connection } from '../../src/mongodb/connection.ts'
import { clientOptions, databaseOptions } from '../../src/mongodb/driver-options.ts'
import { mongoIdBlocks } from '../../src/mongodb/id-blocks.ts'
import { mongoIdempotencyKeys } from '../../src/mongodb/idempotency-keys.ts'
import { mongoLedger } from '../../src/mongodb/ledger.ts'
import { fakeServer, replicaSet } from './fake-server.ts'

const timeoutMs = 5_000

/** Bids as a server keeps them that does what it is asked, and knows of no retry that it was sent before. */
function keptBids() {
  const bids: Document[] = []
  const isTaken = ({ _id, auctionId, sequence }: Document) =>
    bids.some((bid) => bid['_id'] === _id || (bid['auctionId'] === auctionId && bid['sequence'] === sequence))

  function insert(documents: readonly Document[]): Document {
    for (const [index, document] of documents.entries()) {
      if (isTaken(document)) return { n: index, writeErrors: [{ index, code: 11000, errmsg: 'E11000 duplicate key' }] }
      bids.push(document)
    }
    return { n: documents.length }
  }

  function find({ filter }: Document): Document {
    const ids: readonly number[] | undefined = filter._id?.$in
    const found = ids === undefined ? bids.slice(-1) : bids.filter((bid) => ids.includes(bid['_id']))
    return { cursor: { id: 0n, ns: 'fake.bids', firstBatch: found } }
  }

  return { bids, answer: (command: Document) => ('insert' in command ? insert(command['documents']) : find(command)) }
}

function connectionOf(client: MongoClient): Connection {
  const database = client.db('fake', databaseOptions(timeoutMs))
  return {
    collection: (name) => database.collection(name),
    database: () => database,
    answered: () => undefined,
    unreachable: () => undefined,
    close: () => client.close(),
  }
}

/** A process that places bids on a server which handles its first insert as it is told. */
async function serviceOver(first: (command: Document, answer: (command: Document) => Document) => Document | 'cut') {
  const kept = keptBids()
  let inserts = 0
  const server = await fakeServer((command) => {
    const isFirst = 'insert' in command && ++inserts === 1
    return isFirst ? first(command, kept.answer) : kept.answer(command)
  }, replicaSet)
  const client = new MongoClient(`${server.uri}?retryWrites=true`, clientOptions(timeoutMs, 1))
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  const connection = connectionOf(client)
  const store = memoryStore()
  const auction = sampleAuction()
  await store.auctions.insert(auction)
  const ledger = mongoLedger({ connection, ask: asking(timeoutMs, connection), maxReadMs: timeoutMs })
  const placeBid = placeBidUseCase({ ...store, ledger, clock: manualClock(sampleStartTime) })
  return {
    kept: kept.bids,
    place: (amount: number) => placeBid(unwrap(parseNewBid({ auctionId: auction.id, bidderId: 2, amount }))),
    /** What was asked of the server since it was first asked to insert. */
    asked: () => {
      const names = server.commands.map((command) => Object.keys(command)[0])
      return names.slice(names.indexOf('insert'))
    },
    sent: server.commands,
  }
}

describe('an insert that is stored, and whose answer is lost', () => {
  test.each([[[100]], [[100, 105, 110]]])(
    'is looked for, not sent again by the driver: bids of %j',
    async (amounts) => {
      const { kept, place, asked, sent } = await serviceOver((command, answer) => {
        answer(command)
        return 'cut'
      })
      const placed = (await Promise.all(amounts.map(place))).map(unwrap)
      expect(placed.map(({ id }) => id)).toEqual(kept.map((bid) => bid['_id']))
      expect(asked().slice(0, 2)).toEqual(['insert', 'find'])
      expect(sent.filter((command) => 'txnNumber' in command)).toEqual([])
    },
  )
})

describe('an insert that something on the way sends twice', () => {
  test.each([[[100]], [[100, 105, 110]]])('is found stored: bids of %j', async (amounts) => {
    const { kept, place, asked } = await serviceOver((command, answer) => {
      answer(command)
      return answer(command)
    })
    const placed = (await Promise.all(amounts.map(place))).map(unwrap)
    expect(placed.map(({ id }) => id)).toEqual(kept.map((bid) => bid['_id']))
    expect(asked().slice(0, 2)).toEqual(['insert', 'find'])
  })
})

test.each(['', '?retryWrites=true', '?retryWrites=false'])(
  'the driver repeats no write, whatever the URI says: %s',
  (options) => {
    const client = new MongoClient(`mongodb://127.0.0.1/fake${options}`, clientOptions(timeoutMs, 1))
    expect(client.options).toMatchObject({ retryWrites: false, retryReads: true })
  },
)

const stepDown: Document = { ok: 0, code: 10107, codeName: 'NotWritablePrimary', errmsg: 'not primary' }
const tooSlow: Document = { n: 1, writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } }
const taken: Document = { n: 0, writeErrors: [{ index: 0, code: 11000, errmsg: 'E11000 duplicate key' }] }

describe.each(['idBlocks', 'idempotencyKeys'] as const)('an insert that only reserves something, into %s', (name) => {
  test.each<[string, readonly (Document | 'cut')[], string, number]>([
    ['is sent once more when the primary steps down', [stepDown, { n: 1 }], 'inserted', 2],
    ['is sent once more when the connection breaks', ['cut', { n: 1 }], 'inserted', 2],
    ['may then find itself', ['cut', taken], 'taken', 2],
    ['is given up then', ['cut', 'cut', { n: 1 }], 'unavailable', 2],
    ['is sent once when it is answered', [taken, { n: 1 }], 'taken', 1],
    ['is sent once when too few members have it in time', [tooSlow, { n: 1 }], 'unavailable', 1],
  ])('%s', async (_, answers, expected, sent) => {
    const left = [...answers]
    const server = await fakeServer((command) => ('insert' in command ? left.shift() : undefined))
    const client = new MongoClient(server.uri, clientOptions(timeoutMs, 1))
    onTestFinished(async () => {
      await client.close()
      await server.close()
    })
    const connection = connectionOf(client)
    const context = { connection, ask: asking(timeoutMs, connection), maxReadMs: timeoutMs }
    const scope = { caller: 'user', operation: 'place-bid', key: 'k' } as const
    const inserts = {
      idBlocks: () => mongoIdBlocks(context, 'bids').insert(1),
      idempotencyKeys: () =>
        mongoIdempotencyKeys(context).insert({ ...scope, generation: 1, resourceId: 1, reservedAtMs: 0 }),
    }
    expect(await inserts[name]().catch(() => 'unavailable')).toBe(expected)
    expect(server.commands.filter((command) => 'insert' in command).length).toBe(sent)
  })
})

test.each([1, 2])(
  'an append of %i bids for which there is no server any more is told to the connection',
  async (count) => {
    const server = await fakeServer(() => undefined)
    const client = new MongoClient(server.uri, clientOptions(500, 1))
    onTestFinished(() => client.close())
    await client.connect()
    await server.close()
    const told: string[] = []
    const connection = {
      ...connectionOf(client),
      answered: () => told.push('answered'),
      unreachable: () => told.push('unreachable'),
    }
    const ledger = mongoLedger({ connection, ask: asking(500, connection), maxReadMs: 500 })
    const append = () => ledger.append(sampleBids(count)).catch((error: unknown) => error)
    // The first may go to a connection that is broken.
    expect(await append()).toMatchObject({ name: 'StoreUnavailableError' })
    told.splice(0)
    expect(await append()).toMatchObject({ name: 'StoreUnavailableError' })
    expect(told).toEqual(['unreachable'])
  },
)
