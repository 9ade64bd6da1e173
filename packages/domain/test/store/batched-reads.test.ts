import { createMemoryStore } from '@auction/adapters/memory'
import { sampleAuction, sampleEntries, sampleEntry, sampleKey } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { createBatchedReads } from '../../src/store/batched-reads.ts'
import { UnreadableStoredError } from '../../src/store/errors.ts'
import { type AuctionId, toEntryId } from '../../src/values/ids.ts'
import { everythingSettled } from '../support/clocks.ts'
import { auctionIdOf } from '../support/service.ts'

/** Batched reads over a store with one entry in each auction, and the calls that the store receives. */
async function createReads(auctionCount: number, replaced: Partial<ReturnType<typeof createMemoryStore>> = {}) {
  const right = createMemoryStore()
  for (let auctionId = 1; auctionId <= auctionCount; auctionId++) {
    const [entry] = sampleEntries(1, { auctionId, afterId: auctionId * 10 })
    if (entry !== undefined) await right.append([{ ...entry, requestKey: sampleKey(`k${auctionId}`) }])
  }
  const received: (readonly unknown[])[] = []
  const held = Promise.withResolvers<void>()
  const reads = createBatchedReads({
    async findHeads(ids, signal) {
      received.push(ids)
      await held.promise
      return (replaced.findHeads ?? right.findHeads)(ids, signal)
    },
    findAuctions: right.findAuctions,
    findEntries: right.findEntries,
    findEntriesByKey: right.findEntriesByKey,
  })
  return { reads, received, release: held.resolve }
}

test('reads that arrive while four are in flight share the next one, and each receives its result', async () => {
  const { reads, received, release } = await createReads(90)
  const heads = Array.from({ length: 90 }, (_, index) => reads.findHeads([auctionIdOf(index + 1)]))
  await everythingSettled()
  expect(received).toEqual([[1], [2], [3], [4]])
  release()
  expect((await Promise.all(heads)).map(([head]) => head?.auctionId)).toEqual(heads.map((_, index) => index + 1))
  expect(received.length).toBe(5)
})

test('concurrent reads of the same data share one read', async () => {
  const { reads, received, release } = await createReads(1)
  const id = auctionIdOf(1)
  const heads = Array.from({ length: 10 }, () => reads.findHeads([id, id]))
  release()
  for (const found of await Promise.all(heads)) expect(found.every((head) => head.auctionId === id)).toBe(true)
  expect(received.slice(4)).toEqual([[id]])
})

test('auctions and entries are found by their ids and keys in a shared call, too', async () => {
  const right = createMemoryStore()
  const numbers = [1, 2, 3, 4, 5, 6]
  const keyOf = (id: number) => sampleKey(`a${id}`)
  for (const id of numbers) await right.insertAuction({ ...sampleAuction({ id }), requestKey: keyOf(id) })
  const entries = numbers.flatMap((auctionId) => sampleEntries(1, { auctionId, afterId: auctionId * 10 }))
  for (const entry of entries) await right.append([{ ...entry, requestKey: sampleKey(`k${entry.auctionId}`) }])
  const reads = createBatchedReads(right)
  const all = async (found: readonly Promise<readonly object[]>[], field: string) =>
    (await Promise.all(found)).map((each) => each.map((item) => Reflect.get(item, field)))
  const auctions = numbers.map((id) => reads.findAuctions({ ids: [auctionIdOf(id), auctionIdOf(99)] }))
  const auctionsByKey = numbers.map((id) => reads.findAuctions({ keys: [keyOf(id), keyOf(99)] }))
  const byId = entries.map(({ id }) => reads.findEntries([id, toEntryId(9)]))
  const byKey = numbers.map((number) => reads.findEntriesByKey([sampleKey(`k${number}`), sampleKey('none')]))
  for (const found of [auctions, auctionsByKey]) {
    expect(await all(found, 'requestKey')).toEqual(numbers.map((number) => [keyOf(number)]))
  }
  const each = numbers.map((number) => [number])
  expect([await all(byId, 'auctionId'), await all(byKey, 'auctionId')]).toEqual([each, each])
})

test('a shared call has at most 100 keys, unless one read has more', async () => {
  const { reads, received, release } = await createReads(0)
  const found = [1, 1, 1, 1, 60, 40, 60, 41, 101].map((size, read) =>
    reads.findHeads(Array.from({ length: size }, (_, index) => auctionIdOf(read * 1_000 + index + 1))),
  )
  release()
  await Promise.all(found)
  expect(received.map(({ length }) => length)).toEqual([1, 1, 1, 1, 100, 60, 41, 101])
})

test('an empty read does not call the store', async () => {
  const { reads, received } = await createReads(0)
  expect(
    await Promise.all([
      reads.findHeads([]),
      reads.findEntries([]),
      reads.findEntriesByKey([]),
      reads.findAuctions({ ids: [] }),
    ]),
  ).toEqual([[], [], [], []])
  expect(received).toEqual([])
})

test('an unreadable head fails its own read, and no other read of the same batch', async () => {
  const right = createMemoryStore()
  const findHeads = async (ids: readonly AuctionId[]) => {
    if (ids.some((id) => id === 7)) throw new UnreadableStoredError('entry', { id: 1 }, 'an invalid field state')
    return right.findHeads(ids)
  }
  const { reads, release } = await createReads(20, { findHeads })
  const heads = Array.from({ length: 20 }, (_, index) => reads.findHeads([auctionIdOf(index + 1)]))
  release()
  const outcomes = await Promise.allSettled(heads)
  expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index + 1] : []))).toEqual([7])
})

describe('reads of entries in named auctions', () => {
  const auctionIds = [1, 2, 3, 4, 5, 6].map(auctionIdOf)
  const isOdd = (id: AuctionId) => id % 2

  test('share a call that names all of their auctions, or none if those of one are unknown', async () => {
    const right = createMemoryStore()
    const received: unknown[] = []
    const reads = createBatchedReads({
      ...right,
      async findEntries(ids, { auctionIds: named } = {}) {
        received.push([ids, named])
        return right.findEntries(ids)
      },
    })
    const ids = [10, 20, 30, 40, 50, 60, 70, 80].map(toEntryId)
    await Promise.all(ids.map((id) => reads.findEntries([id], { auctionIds: auctionIds.slice(0, 1 + (id % 20) / 10) })))
    expect(received.at(-1)).toEqual([ids.slice(4), auctionIds.slice(0, 2)])
    await Promise.all(ids.map((id) => reads.findEntries([id], id === toEntryId(80) ? {} : { auctionIds })))
    expect(received.at(-1)).toEqual([ids.slice(4), undefined])
  })

  test('of different parts of the store share no call, so a part that hangs delays no other', async () => {
    const right = createMemoryStore()
    const named: unknown[] = []
    const reads = createBatchedReads({
      ...right,
      partOf: isOdd,
      findHeads(ids) {
        named.push(ids)
        return ids.some(isOdd) ? new Promise(() => undefined) : right.findHeads(ids)
      },
    })
    const odd = auctionIds.filter(isOdd)
    for (const id of [...odd, ...odd]) void reads.findHeads([id])
    for (const id of auctionIds.filter((even) => !isOdd(even))) expect(await reads.findHeads([id])).toEqual([])
    expect(named).toEqual([[1], [2], [4], [6]])
  })

  test('of a key that two auctions have find the entries of the auction that is given', async () => {
    const [one, two] = [1, 2].map((auctionId) => ({
      ...sampleEntry({ id: auctionId, auctionId }),
      requestKey: sampleKey('a'),
    }))
    const reads = createBatchedReads({
      ...createMemoryStore(),
      partOf: () => 1,
      findEntriesByKey: async () => [one, two].filter((entry) => entry !== undefined),
    })
    const found = auctionIds.slice(0, 3).map((id) => reads.findEntriesByKey([sampleKey('a')], { auctionIds: [id] }))
    await found[0]
    expect((await Promise.all(found)).slice(1)).toEqual([[two], []])
  })
})
