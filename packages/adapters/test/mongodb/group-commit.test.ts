import { sampleAuction, sampleEntry } from '@auction/testing/samples'
import type { Document } from 'mongodb'
import { expect, test } from 'vitest'
import { connectFakeStore, type FakeStoreOptions, router } from './fake-server.ts'

/** A store on a server with these taken ids, which responds when the test decides. */
async function heldStore(takenIds: readonly number[], options: FakeStoreOptions = {}) {
  const held: (() => void)[] = []
  const { store, commands } = await connectFakeStore(({ documents }) => {
    const index = documents.findIndex(({ _id }: Document) => takenIds.includes(_id))
    const reply =
      index < 0 ? { n: documents.length } : { n: index, writeErrors: [{ index, code: 11000, errmsg: 'E11000' }] }
    return new Promise((resolve) => held.push(() => resolve(reply)))
  }, options)
  return {
    store,
    /** The ids of each insert. */
    inserts: () => commands().map(({ documents }) => documents.map(({ _id }: Document) => _id)),
    /** Waits until this many inserts have arrived in total, and responds to those without a response. */
    reply: async (count: number) => {
      await expect.poll(() => commands().length).toBe(count)
      for (const each of held.splice(0)) each()
    },
  }
}

const entriesOf = (auctionId: number, ...ids: readonly number[]) =>
  ids.map((id, index) => sampleEntry({ id, auctionId, sequence: index + 1 }))

test('a taken key ends only its list, and later lists are sent in the same group', async () => {
  const { store, inserts, reply } = await heldStore([11, 21, 51])
  const first = [store.append(entriesOf(8, 80)), store.append(entriesOf(9, 90))]
  const group = [
    store.append(entriesOf(1, 10, 11, 12)),
    store.append(entriesOf(2, 20)),
    store.append(entriesOf(3, 21, 22)),
    store.append(entriesOf(4, 40, 41)),
    store.append(entriesOf(5, 50, 51)),
  ]
  for (let count = 2; count <= 5; count++) await reply(count)
  expect(await Promise.all([...first, ...group])).toEqual([1, 1, 1, 1, 0, 2, 1])
  expect(inserts().slice(2)).toEqual([
    [10, 11, 12, 20, 21, 22, 40, 41, 50, 51],
    [20, 21, 22, 40, 41, 50, 51],
    [40, 41, 50, 51],
  ])
})

// Servers other than MongoDB may continue after a taken key in one command.
test('no insert has more than a hundred entries, or entries after a taken key', async () => {
  const { store, inserts, reply } = await heldStore([1_150])
  const idsOf = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
  const first = [store.append(entriesOf(8, 80)), store.append(entriesOf(9, 90))]
  const appends = [
    store.append(entriesOf(1, ...idsOf(1_000, 1_350))),
    store.append(entriesOf(2, ...idsOf(2_000, 2_060))),
    store.append(entriesOf(3, ...idsOf(3_000, 3_060))),
  ]
  // Two inserts run at once.
  for (const count of [2, 4, 6]) await reply(count)
  expect(await Promise.all([...first, ...appends])).toEqual([1, 1, 150, 60, 60])
  expect(
    inserts()
      .slice(2)
      .toSorted((a, b) => a[0] - b[0]),
  ).toEqual([idsOf(1_000, 1_100), idsOf(1_100, 1_200), idsOf(2_000, 2_060), idsOf(3_000, 3_060)])
})

test('an error other than a taken key fails each append of the group, and none of the next group', async () => {
  const { store } = await connectFakeStore(({ documents }) =>
    documents.length === 2 ? { n: 1, writeErrors: [{ index: 1, code: 121, errmsg: 'invalid' }] } : { n: 1 },
  )
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map((id) => store.append(entriesOf(id, id))))
  const failed = { reason: { code: 'store-unavailable' } }
  expect(outcomes).toMatchObject([{ value: 1 }, { value: 1 }, failed, failed])
  expect(await store.append(entriesOf(5, 5))).toBe(1)
})

test('an entry that no document can store fails alone', async () => {
  const { store } = await connectFakeStore(({ documents }) => ({ n: documents.length }))
  const wrong = entriesOf(4, 4).map((entry) => ({ ...entry, atMs: 0.5 }))
  const lists = [entriesOf(1, 1), entriesOf(2, 2), entriesOf(3, 3), wrong, entriesOf(5, 5)]
  const outcomes = await Promise.allSettled(lists.map((entries) => store.append(entries)))
  const stored = { value: 1 }
  expect(outcomes).toMatchObject([stored, stored, stored, { reason: { name: 'RangeError' } }, stored])
})

test('closing also ends waiting appends', async () => {
  const { store } = await connectFakeStore(() => 'hang')
  let underWay = 20
  const appends = Array.from({ length: underWay }, async (_, index) => {
    const ids = Array.from({ length: 100 }, (_, sequence) => index * 100 + sequence + 1)
    await store.append(entriesOf(index + 1, ...ids)).finally(() => {
      underWay -= 1
    })
  })
  const ended = Promise.allSettled(appends)
  await store.close()
  expect(underWay).toBe(0)
  for (const { status } of await ended) expect(status).toBe('rejected')
})

test('the agenda is updated by fifty operations at a time, each for all auctions with the same position', async () => {
  const { store, commands } = await connectFakeStore(({ updates }) => ({ n: updates.length }))
  const ids = Array.from({ length: 120 }, (_, index) => index + 1)
  await store.updateAgenda(ids.map((id) => ({ auctionId: sampleAuction({ id }).id, dueMs: id })))
  expect(commands().map(({ updates }) => updates.length)).toEqual([50, 50, 20])
  expect(commands().flatMap(({ updates }) => updates.map(({ q, u }: Document) => [q, u]))).toEqual(
    ids.map((id) => [
      {
        stage: { $in: ['pending', 'open'] },
        $or: [{ corrections: { $lt: 0 } }, { corrections: 0, stageMs: { $lt: id } }],
        _id: { $gte: id, $lte: id, $in: [id] },
      },
      { $set: { stage: 'open', stageMs: id, corrections: 0 } },
    ]),
  )
  await store.updateAgenda(
    ids.map((id) => ({ auctionId: sampleAuction({ id }).id, endedMs: 7, outcome: 'sold' as const })),
  )
  expect(commands().slice(3)).toMatchObject([
    {
      updates: [
        {
          q: { stage: { $in: ['pending', 'open'] }, _id: { $gte: 1, $lte: 120, $in: ids } },
          u: { $set: { stage: 'sold', stageMs: 7 } },
        },
      ],
    },
  ])
})

test('taken keys of lists with one entry each are found by one insert, which stores all others', async () => {
  const { store, commands } = await connectFakeStore(({ documents }) => {
    const writeErrors = documents.flatMap(({ _id }: Document, index: number) =>
      _id % 2 === 1 && documents.length > 1 ? [{ index, code: 11000, errmsg: 'E11000' }] : [],
    )
    return { n: documents.length - writeErrors.length, ...(writeErrors.length > 0 && { writeErrors }) }
  })
  const stored = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((id) => store.append(entriesOf(id, id))))
  // Two inserts run at once, and the first ones are sent alone.
  expect(stored).toEqual([1, 1, 0, 1, 0, 1, 0])
  const unordered = commands().filter(({ ordered }) => ordered === false)
  expect(unordered.map(({ documents }) => documents.map(({ _id }: Document) => _id))).toEqual([[3, 4, 5, 6, 7]])
})

test.each([
  ['a server', 2, 32, {}],
  ['the bucket of a sharded cluster', 1, 4, { kind: router }],
] as const)(
  'contended appends are sent separately from the groups, several at once: %s',
  async (_, groups, atOnce, kind) => {
    const { store, inserts, reply } = await heldStore([], kind)
    const contendedIds = Array.from({ length: 40 }, (_, index) => (index + 1) * 64)
    const calmIds = [1_000_064, 1_000_128, 1_000_192, 1_000_256]
    const calm = calmIds.map((id) => store.append(entriesOf(id, id)))
    const contended = contendedIds.map((id) => store.append(entriesOf(id, id, id + 10_000), { isContended: true }))
    await reply(groups + atOnce)
    const begun = inserts().toSorted((a, b) => a[0] - b[0])
    expect(begun.slice(0, atOnce)).toEqual(contendedIds.slice(0, atOnce).map((id) => [id, id + 10_000]))
    expect(begun.slice(atOnce)).toEqual(calmIds.slice(0, groups).map((id) => [id]))
    for (let known = 2 * atOnce; known - atOnce < 40; known += atOnce) await reply(groups + 1 + Math.min(40, known))
    expect(await Promise.all(calm)).toEqual([1, 1, 1, 1])
    expect(await Promise.all(contended)).toEqual(contended.map(() => 2))
    expect(inserts().find(([id]) => id === calmIds[groups])).toEqual(calmIds.slice(groups))
  },
)
