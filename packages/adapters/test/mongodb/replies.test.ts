import { isStoreUnavailable } from '@auction/domain/errors'
import { agendaStages, type Store } from '@auction/domain/store'
import { sampleAuction, sampleEntries, sampleEntry, sampleKey } from '@auction/testing/samples'
import type { Document } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { connectFakeStore, nothingFound } from './fake-server.ts'

/** A store on a server that replies like this to every write, or every query. */
const storeThatReceives = (reply: Document, uriOptions = '') =>
  connectFakeStore((command) => ('find' in command ? { ...nothingFound, ...reply } : reply), { uriOptions })

const duplicate = (index: number) => ({ index, code: 11000, errmsg: 'E11000 duplicate key error' })
const tooSlow = { code: 64, codeName: 'WriteConcernTimeout', errmsg: 'waiting for replication timed out' }

async function outcomeOf(stored: Promise<unknown>): Promise<unknown> {
  return await stored.catch((error: unknown) => {
    if (isStoreUnavailable(error) && error.cause instanceof Error) return 'unavailable'
    throw error
  })
}

const refused = (code: number) => ({ ok: 0, code, errmsg: 'refused' })

test.each<readonly [title: string, reply: Document, outcome: unknown]>([
  ['all stored', { n: 4 }, 4],
  ['none before a taken key', { n: 0, writeErrors: [duplicate(0)] }, 0],
  ['two before a taken key', { n: 2, writeErrors: [duplicate(2)] }, 2],
  ['a count that does not fit the taken key', { n: 1, writeErrors: [duplicate(2)] }, 'unavailable'],
  ['all stored on too few members', { n: 4, writeConcernError: tooSlow }, 'unavailable'],
  ['two on too few members', { n: 2, writeErrors: [duplicate(2)], writeConcernError: tooSlow }, 'unavailable'],
  ['another error of an entry', { n: 2, writeErrors: [{ index: 2, code: 121 }] }, 'unavailable'],
  ['no primary', refused(10107), 'unavailable'],
  ['no permission', refused(13), 'unavailable'],
  ['no memory', refused(146), 'unavailable'],
])('an append of four entries ends, depending on the response, with %s', async (_, reply, outcome) => {
  const { store } = await storeThatReceives(reply)
  expect(await outcomeOf(store.append(sampleEntries(4)))).toStrictEqual(outcome)
})

test.each<readonly [title: string, reply: Document, outcome: 'done' | 'taken' | 'unavailable']>([
  ['its being stored', { n: 1 }, 'done'],
  ['a taken key', { n: 0, writeErrors: [duplicate(0)] }, 'taken'],
  ['its being stored on too few members', { n: 1, writeConcernError: tooSlow }, 'unavailable'],
  ['a taken key on too few', { n: 0, writeErrors: [duplicate(0)], writeConcernError: tooSlow }, 'unavailable'],
  ['another error', { n: 0, writeErrors: [{ index: 0, code: 121 }] }, 'unavailable'],
  ['no primary', refused(10107), 'unavailable'],
])('an insert of one document ends, depending on the response, with %s', async (_, reply, outcome) => {
  const { store } = await storeThatReceives(reply)
  expect(await outcomeOf(store.insertAuction(sampleAuction()))).toBe(outcome === 'done' ? 'inserted' : outcome)
  const appended = { done: 1, taken: 0, unavailable: 'unavailable' }
  expect(await outcomeOf(store.append(sampleEntries(1)))).toStrictEqual(appended[outcome])
})

const gone = { signal: { aborted: true } }

test('a call whose caller has stopped waiting sends no command', async () => {
  const { commands, store } = await storeThatReceives({ n: 1 })
  const asked = [
    store.append(sampleEntries(1), gone),
    store.append(sampleEntries(1), { ...gone, isContended: true }),
    store.findHeads([sampleAuction().id], gone.signal),
    store.findEntries(
      sampleEntries(1).map(({ id }) => id),
      gone,
    ),
    store.findEntriesByKey([sampleKey('a')], gone),
    store.listEntries(sampleAuction().id, { limit: 1, ...gone }),
    store.findAuctions({ ids: [sampleAuction().id] }, gone.signal),
    store.listBidderEntries(sampleEntry().event.bidderId, { limit: 1, ...gone }),
    store.listAuctions({ order: 'newest', limit: 1, stages: agendaStages, ...gone }),
  ]
  const reason = { code: 'store-unavailable', message: expect.stringContaining('stopped waiting') }
  for (const outcome of await Promise.allSettled(asked)) expect(outcome).toMatchObject({ reason })
  expect(commands()).toEqual([])
})

const aPosition = { timeMs: 1_000, id: sampleEntry().id }

/** Every read, each of which is one query here, with the collection that it is of. */
const reads: readonly (readonly [collection: string, read: (store: Store) => Promise<unknown>])[] = [
  ['auctions', (store) => store.findAuction(sampleAuction().id)],
  ['auctions', (store) => store.findAuctions({ keys: [sampleKey('a')] })],
  ['auctions', (store) => store.listAuctions({ order: 'newest', limit: 100 })],
  ['entries', (store) => store.findHeads([sampleAuction().id])],
  ['entries', (store) => store.findEntries(sampleEntries(500).map(({ id }) => id))],
  ['entries', (store) => store.findEntriesByKey([sampleKey('a'), sampleKey('b')])],
  ['entries', (store) => store.listEntries(sampleAuction().id, { limit: 101, before: 7 })],
  ['auctions', (store) => store.findAuctions({ ids: [sampleAuction().id] })],
  [
    'entries',
    async (store) => store.listBidderEntries?.(sampleEntry().event.bidderId, { limit: 101, after: aPosition }),
  ],
]

test('an error names the failed operation', async () => {
  const { store } = await storeThatReceives({ ok: 0, code: 50, errmsg: 'timed out' })
  const asked = [
    ...reads.map(([, read]) => read(store)),
    store.insertAuction(sampleAuction()),
    store.updateAgenda([{ auctionId: sampleAuction().id, dueMs: 1 }]),
    store.append(sampleEntries(1)),
    store.claimNextIdBlock('entries'),
    store.ping(),
  ]
  const outcomes = await Promise.allSettled(asked)
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toMatchObject(
    [
      'find an auction',
      'find auctions',
      'list auctions',
      'read the heads of ledgers',
      'find entries',
      'find entries by key',
      "list an auction's entries",
      'find auctions',
      "list a bidder's entries",
      'store an auction',
      'update the agenda',
      'store entries',
      'find the ids that are claimed',
      'respond to a ping',
    ].map((what) => ({ code: 'store-unavailable', message: `MongoDB could not ${what}` })),
  )
})

describe('for any options of the connection string', () => {
  const careless = '?w=1&journal=false&readConcernLevel=local&readPreference=secondaryPreferred'

  test('every write waits for a majority and its journal, and is one command', async () => {
    const { commands, store } = await storeThatReceives({ n: 1 }, careless)
    await store.insertAuction(sampleAuction())
    await store.append(sampleEntries(1))
    await store.append(sampleEntries(4))
    await store.claimNextIdBlock('entries')
    const auctionIds = [1, 2].map((id) => sampleAuction({ id }).id)
    await store.updateAgenda(auctionIds.map((auctionId) => ({ auctionId, dueMs: 1 })))
    // A claim of ids also reads.
    const writes = commands().filter(({ find }) => find === undefined)
    const seen = writes.map(({ insert, update, ordered, writeConcern }) => [insert ?? update, ordered, writeConcern])
    const concern = { w: 'majority', j: true, wtimeout: 4_000 }
    expect(seen).toStrictEqual([
      ...['auctions', 'entries', 'entries', 'idBlocks'].map((collection) => [collection, true, concern]),
      ['auctions', false, concern],
    ])
  })

  test('every read is one query of the primary, for majority-committed data, with a time limit', async () => {
    const { commands, store } = await storeThatReceives({}, careless)
    for (const [, read] of reads) await read(store)
    const seen = commands().map(({ find, readConcern, maxTimeMS, $readPreference }) => {
      return { find, readConcern, maxTimeMS, mode: $readPreference?.mode ?? 'primary' }
    })
    expect(seen).toStrictEqual(
      reads.map(([find]) => ({ find, readConcern: { level: 'majority' }, maxTimeMS: 5_000, mode: 'primary' })),
    )
  })

  test('results arrive in one batch with room for one more, so that the server closes the cursor', async () => {
    const { commands, store } = await storeThatReceives({})
    await store.findEntries(sampleEntries(500).map(({ id }) => id))
    await store.findEntriesByKey([sampleKey('a'), sampleKey('b')])
    await store.listEntries(sampleAuction().id, { limit: 101 })
    await store.listAuctions({ order: 'newest', limit: 100 })
    await store.findAuctions({ ids: [sampleAuction().id] })
    await store.listBidderEntries(sampleEntry().event.bidderId, { limit: 101 })
    expect(commands().map(({ batchSize }) => batchSize)).toEqual([501, 3, 102, 102, 2, 102])
  })
})

test('the head of each ledger is its last entry, found by the index of sequences', async () => {
  const { commands, store } = await storeThatReceives({})
  await store.findHeads([1, 65].map((id) => sampleAuction({ id }).id))
  expect(commands().map(({ filter, sort, limit }) => ({ filter, sort, limit }))).toEqual([
    { filter: { bucket: 1, auctionId: 1 }, sort: { sequence: -1 }, limit: 1 },
    { filter: { bucket: 1, auctionId: 65 }, sort: { sequence: -1 }, limit: 1 },
  ])
})

describe('heads of many ledgers', () => {
  const auctionIds = [1, 2, 3, 4, 5].map((id) => sampleAuction({ id }).id)

  /** A store that reads two heads at once, from a server that responds when the test decides. */
  async function heldStore() {
    const held: ((reply: Document) => void)[] = []
    const { commands, store } = await connectFakeStore(
      (command) => ('find' in command ? new Promise((resolve) => held.push(resolve)) : {}),
      { maxConnections: 4 },
    )
    const read = () => commands().flatMap(({ filter }) => filter?.auctionId ?? [])
    return { store, read, reply: (reply: Document) => held.shift()?.(reply) }
  }

  test('are read some at once, in order', async () => {
    const { store, read, reply } = await heldStore()
    const heads = store.findHeads(auctionIds)
    for (let count = 2; count <= 5; count++) {
      await expect.poll(read).toHaveLength(count)
      reply(nothingFound)
    }
    await expect.poll(read).toEqual([1, 2, 3, 4, 5])
    reply(nothingFound)
    expect(await heads).toEqual([])
  })

  test('are not read further after an error', async () => {
    const { store, read, reply } = await heldStore()
    const heads = store.findHeads(auctionIds)
    await expect.poll(read).toEqual([1, 2])
    reply({ ok: 0, code: 50, errmsg: 'timed out' })
    expect(await outcomeOf(heads)).toBe('unavailable')
    reply(nothingFound)
    // Another read would be sent before these.
    for (let times = 0; times < 3; times++) await store.ping()
    expect(read()).toEqual([1, 2])
  })
})

test('the bids of a bidder are intervals of their index, in its order', async () => {
  const { commands, store } = await storeThatReceives({})
  await store.listBidderEntries(sampleEntry().event.bidderId, { limit: 3, after: aPosition })
  expect(commands().map(({ filter, sort, hint, limit }) => ({ filter, sort, hint, limit }))).toEqual([
    {
      filter: {
        $or: [
          { bidderId: 2, atMs: 1_000, _id: { $lt: 1 } },
          { bidderId: 2, atMs: { $lt: 1_000 } },
        ],
      },
      sort: { atMs: -1, _id: -1 },
      hint: 'bids-of-bidder',
      limit: 3,
    },
  ])
})

test('an operation that hangs releases its connection after the time limit', async () => {
  // One, and those of the appends.
  const connections = 1 + 34
  let inserts = 0
  const { store } = await connectFakeStore(() => (++inserts <= connections ? 'hang' : { n: 1 }), {
    timeoutMs: 1_000,
    maxConnections: 1,
  })
  const insert = () => outcomeOf(store.insertAuction(sampleAuction()))
  const hung = Array.from({ length: connections }, insert)
  expect(await Promise.all(hung)).toEqual(hung.map(() => 'unavailable'))
  await expect.poll(insert).toBe('inserted')
})

test('an inexact integer is an error of the caller, and no command is sent', async () => {
  const { commands, store } = await storeThatReceives({ n: 1 })
  for (const createdAtMs of [0.5, Number.NaN, 2 ** 53]) {
    await expect(store.insertAuction({ ...sampleAuction(), createdAtMs })).rejects.toThrow(RangeError)
  }
  const [entry] = sampleEntries(1)
  if (entry === undefined) throw new Error('there is one')
  await expect(store.append([{ ...entry, state: { ...entry.state, atMs: 0.5 } }])).rejects.toThrow(RangeError)
  await expect(store.listEntries(sampleAuction().id, { limit: 1, before: 1.5 })).rejects.toThrow(RangeError)
  for (const update of [{ dueMs: 0.5 }, { endedMs: 0.5, outcome: 'sold' }] as const) {
    await expect(store.updateAgenda([{ auctionId: sampleAuction().id, ...update }])).rejects.toThrow(RangeError)
  }
  expect(commands()).toStrictEqual([])
})

test('an empty list sends no command', async () => {
  const { commands, store } = await storeThatReceives({})
  expect(await store.append([])).toBe(0)
  await store.updateAgenda([])
  expect(await store.findHeads([])).toStrictEqual([])
  expect(await store.findEntries([])).toStrictEqual([])
  expect(await store.findEntriesByKey([])).toStrictEqual([])
  expect(commands()).toEqual([])
})
