import { StoreUnavailableError } from '@auction/domain/ports/store-unavailable'
import { sampleAuction, sampleBids } from '@auction/domain/testing/samples'
import { type Document, Long, MongoClient } from 'mongodb'
import { describe, expect, onTestFinished, test } from 'vitest'
import { asking } from '../../src/mongodb/asking.ts'
import { mongoAuctions } from '../../src/mongodb/auctions.ts'
import { renewedConnection } from '../../src/mongodb/connection.ts'
import { clientOptions, databaseOptions } from '../../src/mongodb/driver-options.ts'
import { mongoIdBlocks } from '../../src/mongodb/id-blocks.ts'
import { mongoIdempotencyKeys } from '../../src/mongodb/idempotency-keys.ts'
import { mongoLedger } from '../../src/mongodb/ledger.ts'
import { fakeServer } from './fake-server.ts'

const timeoutMs = 5_000

/** The ports on a server that answers every insert, or every query, like this. */
async function portsAnswered(answer: Document, options = '') {
  const server = await fakeServer((command) => ('find' in command ? { cursor: emptyCursor, ...answer } : answer))
  const client = new MongoClient(`${server.uri}${options}`, clientOptions(timeoutMs, 5))
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  const connection = renewedConnection({
    open: () => client,
    databaseOf: () => client.db('fake', databaseOptions(timeoutMs)),
    renewAfterMs: timeoutMs,
    nowMs: () => 0,
  })
  const context = { connection, ask: asking(timeoutMs, connection), maxReadMs: timeoutMs }
  return {
    commands: server.commands,
    auctions: mongoAuctions(context),
    ledger: mongoLedger(context),
    idempotencyKeys: mongoIdempotencyKeys(context),
    idBlocks: mongoIdBlocks(context, 'bids'),
  }
}

const emptyCursor = { id: Long.ZERO, ns: 'fake.bids', firstBatch: [] }
const duplicate = (index: number) => ({ index, code: 11000, errmsg: 'E11000 duplicate key error' })
const tooSlow = { code: 64, codeName: 'WriteConcernTimeout', errmsg: 'waiting for replication timed out' }

async function outcomeOf(stored: Promise<unknown>): Promise<unknown> {
  return await stored.catch((error: unknown) => {
    if (error instanceof StoreUnavailableError && error.cause instanceof Error) return 'unavailable'
    throw error
  })
}

describe('an append of four bids ends, as the server answers, with', () => {
  test.each<[string, Document, unknown]>([
    ['all stored', { n: 4 }, { stored: 4 }],
    ['none before a taken key', { n: 0, writeErrors: [duplicate(0)] }, { stored: 0 }],
    ['two before a taken key', { n: 2, writeErrors: [duplicate(2)] }, { stored: 2 }],
    ['a count that does not fit the taken key', { n: 1, writeErrors: [duplicate(2)] }, 'unavailable'],
    ['all stored on too few members', { n: 4, writeConcernError: tooSlow }, 'unavailable'],
    ['two stored on too few members', { n: 2, writeErrors: [duplicate(2)], writeConcernError: tooSlow }, 'unavailable'],
    ['another error of a bid', { n: 2, writeErrors: [{ index: 2, code: 121, errmsg: 'invalid' }] }, 'unavailable'],
    ['no primary', { ok: 0, code: 10107, codeName: 'NotWritablePrimary', errmsg: 'not primary' }, 'unavailable'],
    ['no permission', { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'not authorized' }, 'unavailable'],
    ['no memory', { ok: 0, code: 146, codeName: 'ExceededMemoryLimit', errmsg: 'full' }, 'unavailable'],
  ])('%s', async (_, answer, expected) => {
    const { ledger } = await portsAnswered(answer)
    expect(await outcomeOf(ledger.append(sampleBids(4)))).toStrictEqual(expected)
  })
})

describe('an insert of one document ends, as the server answers, with', () => {
  test.each<[string, Document, string, unknown]>([
    ['its being stored', { n: 1 }, 'inserted', { stored: 1 }],
    ['a taken key', { n: 0, writeErrors: [duplicate(0)] }, 'taken', { stored: 0 }],
    ['its being stored on too few members', { n: 1, writeConcernError: tooSlow }, 'unavailable', 'unavailable'],
    [
      'a key that is taken on too few members',
      { n: 0, writeErrors: [duplicate(0)], writeConcernError: tooSlow },
      'unavailable',
      'unavailable',
    ],
    ['another error', { n: 0, writeErrors: [{ index: 0, code: 121, errmsg: 'no' }] }, 'unavailable', 'unavailable'],
    ['no primary', { ok: 0, code: 10107, errmsg: 'not primary' }, 'unavailable', 'unavailable'],
  ])('%s', async (_, answer, expected, appended) => {
    const { auctions, ledger, idempotencyKeys, idBlocks } = await portsAnswered(answer)
    const scope = { caller: 'user-1', operation: 'place-bid', key: 'a key' } as const
    expect(await outcomeOf(auctions.insert(sampleAuction()))).toBe(expected)
    expect(await outcomeOf(idBlocks.insert(1))).toBe(expected)
    expect(await outcomeOf(idempotencyKeys.insert({ ...scope, generation: 1, resourceId: 1, reservedAtMs: 0 }))).toBe(
      expected,
    )
    expect(await outcomeOf(ledger.append(sampleBids(1)))).toStrictEqual(appended)
  })
})

test('reads that the server refuses are unavailable', async () => {
  const { auctions, ledger, idempotencyKeys, idBlocks } = await portsAnswered({ ok: 0, code: 50, errmsg: 'timed out' })
  const [bid] = sampleBids(1)
  const scope = { caller: 'user-1', operation: 'place-bid', key: 'a key' } as const
  const reads = [
    auctions.find(sampleAuction().id),
    auctions.list({ limit: 1 }),
    ledger.head(sampleAuction().id),
    ledger.page(sampleAuction().id, { limit: 1 }),
    ledger.find(bid === undefined ? [] : [bid.id]),
    idempotencyKeys.latest(scope),
    idBlocks.highest(),
  ]
  expect(await Promise.all(reads.map(outcomeOf))).toStrictEqual(reads.map(() => 'unavailable'))
})

describe('whatever the connection string asks for', () => {
  const careless = '?w=1&journal=false&readConcernLevel=local&readPreference=secondaryPreferred'

  test('every write waits for a majority and its journal, and is one insert', async () => {
    const { commands, auctions, ledger, idempotencyKeys, idBlocks } = await portsAnswered({ n: 1 }, careless)
    const scope = { caller: 'user-1', operation: 'place-bid', key: 'a key' } as const
    await auctions.insert(sampleAuction())
    await ledger.append(sampleBids(1))
    await ledger.append(sampleBids(4))
    await idempotencyKeys.insert({ ...scope, generation: 1, resourceId: 1, reservedAtMs: 0 })
    await idBlocks.insert(1)
    expect(commands.map(({ insert, ordered, writeConcern }) => ({ insert, ordered, writeConcern }))).toStrictEqual(
      ['auctions', 'bids', 'bids', 'idempotencyKeys', 'idBlocks'].map((insert) => ({
        insert,
        ordered: true,
        writeConcern: { w: 'majority', j: true, wtimeout: 4_000 },
      })),
    )
  })

  test('every read is one query of the primary, for what a majority has, within a time', async () => {
    const { commands, auctions, ledger, idempotencyKeys, idBlocks } = await portsAnswered({}, careless)
    await auctions.find(sampleAuction().id)
    await auctions.list({ limit: 101, after: sampleAuction(), status: { is: 'Active', nowMs: 0 } })
    await ledger.head(sampleAuction().id)
    await ledger.page(sampleAuction().id, { limit: 101, before: 7 })
    await ledger.find(sampleBids(500).map(({ id }) => id))
    await idempotencyKeys.latest({ caller: 'user-1', operation: 'place-bid', key: 'a key' })
    await idBlocks.highest()
    const seen = commands.map(({ find, readConcern, maxTimeMS, $readPreference }) => {
      return { find, readConcern, maxTimeMS, mode: $readPreference?.mode ?? 'primary' }
    })
    expect(seen).toStrictEqual(
      ['auctions', 'auctions', 'bids', 'bids', 'bids', 'idempotencyKeys', 'idBlocks'].map((find) => ({
        find,
        readConcern: { level: 'majority' },
        maxTimeMS: timeoutMs,
        mode: 'primary',
      })),
    )
  })

  test('a number that is no exact integer is a fault of its caller, and nothing is sent', async () => {
    const { commands, auctions, ledger } = await portsAnswered({ n: 1 })
    for (const createdAtMs of [0.5, Number.NaN, 2 ** 53]) {
      await expect(auctions.insert(sampleAuction({ createdAtMs }))).rejects.toThrow(RangeError)
    }
    await expect(ledger.page(sampleAuction().id, { limit: 1, before: 1.5 })).rejects.toThrow(RangeError)
    expect(commands).toStrictEqual([])
  })

  test('no document that is passed in is changed, and nothing is sent for an empty list', async () => {
    const { commands, ledger } = await portsAnswered({ n: 4 })
    const bids = sampleBids(4)
    await ledger.append(bids)
    expect(bids).toStrictEqual(sampleBids(4))
    expect(commands.length).toBe(1)
    expect(await ledger.append([])).toStrictEqual({ stored: 0 })
    expect(await ledger.find([])).toStrictEqual([])
    expect(commands.length).toBe(1)
  })
})
