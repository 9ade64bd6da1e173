import { sampleEntry } from '@auction/domain/testing/samples'
import type { Document } from 'mongodb'
import { expect, test } from 'vitest'
import { router } from './fake-server.ts'
import { connectFakeStore, type FakeStoreOptions } from './fake-store.ts'

/** A store on a server with these ids taken, which answers when the test says so. */
async function heldStore(takenIds: readonly number[], options: FakeStoreOptions = {}) {
  const held: (() => void)[] = []
  const { store, commands } = await connectFakeStore(({ documents }) => {
    const index = documents.findIndex(({ _id }: Document) => takenIds.includes(_id))
    const answer =
      index < 0 ? { n: documents.length } : { n: index, writeErrors: [{ index, code: 11000, errmsg: 'E11000' }] }
    return new Promise((resolve) => held.push(() => resolve(answer)))
  }, options)
  return {
    store,
    /** The ids of each insert. */
    inserts: () => commands().map(({ documents }) => documents.map(({ _id }: Document) => _id)),
    /** Waits until so many inserts have come in all, and answers those that have none. */
    answer: async (count: number) => {
      await expect.poll(() => commands().length).toBe(count)
      for (const each of held.splice(0)) each()
    },
  }
}

const entriesOf = (auctionId: number, ...ids: readonly number[]) =>
  ids.map((id, index) => sampleEntry({ id, auctionId, sequence: index + 1 }))

test('a taken key ends its own list, and what is behind it is sent in the same group', async () => {
  const { store, inserts, answer } = await heldStore([11, 21, 51])
  const first = store.append(entriesOf(9, 90))
  const group = [
    store.append(entriesOf(1, 10, 11, 12)),
    store.append(entriesOf(2, 20)),
    store.append(entriesOf(3, 21, 22)),
    store.append(entriesOf(4, 40, 41)),
    store.append(entriesOf(5, 50, 51)),
  ]
  for (let count = 1; count <= 4; count++) await answer(count)
  const behind = store.append(entriesOf(6, 60))
  await answer(5)
  expect(await Promise.all([first, ...group, behind])).toEqual([1, 1, 1, 0, 2, 1, 1])
  expect(inserts()).toEqual([
    [90],
    [10, 11, 12, 20, 21, 22, 40, 41, 50, 51],
    [20, 21, 22, 40, 41, 50, 51],
    [40, 41, 50, 51],
    [60],
  ])
})

test('an error that is no taken key fails each append of the group, and none of the next one', async () => {
  let inserts = 0
  const { store } = await connectFakeStore(() =>
    ++inserts === 2 ? { n: 1, writeErrors: [{ index: 1, code: 121, errmsg: 'invalid' }] } : { n: 1 },
  )
  const [alone, ...group] = [1, 2, 3].map((id) => store.append(entriesOf(id, id)))
  expect(await alone).toBe(1)
  for (const outcome of await Promise.allSettled(group)) {
    expect(outcome).toMatchObject({ reason: { code: 'store-unavailable' } })
  }
  expect(await store.append(entriesOf(4, 4))).toBe(1)
})

test.each([
  ['a server', 32, {}],
  ['the bucket of a sharded cluster', 4, { kind: router }],
] as const)('contended appends go one by one beside the group, several at once: %s', async (_, atOnce, options) => {
  const { store, inserts, answer } = await heldStore([], options)
  const idsOf = (group: number) => Array.from({ length: 40 }, (_, index) => (index + 1) * 64 + group)
  const calm = [1_000_064, 1_000_128].map((id) => store.append(entriesOf(id, id)))
  const contended = idsOf(0).map((id) => store.append(entriesOf(id, id, id + 10_000), { isContended: true }))
  await answer(1 + atOnce)
  expect(
    inserts()
      .toSorted((a, b) => a[0] - b[0])
      .slice(0, atOnce),
  ).toEqual(
    idsOf(0)
      .slice(0, atOnce)
      .map((id) => [id, id + 10_000]),
  )
  for (let count = 2 + 2 * atOnce; count < 42; count += atOnce) await answer(count)
  await answer(42)
  expect(await Promise.all(calm)).toEqual([1, 1])
  expect(await Promise.all(contended)).toEqual(contended.map(() => 2))
})
