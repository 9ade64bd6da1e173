import { createMemoryStore } from '@auction/adapters/memory'
import { sampleEntry } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import type { AppendedSince, Store } from '../../src/store/store.ts'
import { checkMs, tailMs } from '../../src/use-cases/watch-auctions.ts'
import { createAuction, newBid, noResponse } from '../support/service.ts'
import { createWatching, watch } from '../support/watching.ts'

// These stores report appends, so that auctions need not be read to be watched.

/** A store that reports appends unless the test sets other responses. */
function createTelling() {
  const right = createMemoryStore()
  const marks: (string | undefined)[] = []
  const tail: { since?: (mark: string | undefined) => Promise<AppendedSince | undefined> } = {}
  const appendedSince: Store['appendedSince'] = (mark) => {
    marks.push(mark)
    return tail.since?.(mark) ?? right.appendedSince(mark)
  }
  return { ...createWatching({ ...right, appendedSince }), marks, tail }
}

test('reads once, and then soon notices what the store reports, without a read', async () => {
  const two = createTelling()
  const auction = await createAuction(two.other)
  const { seen } = watch(two)
  await two.clock.pass(10 * tailMs)
  expect(two.reads()).toBe(1)
  await two.other.placeBid(newBid(auction, 2, 100))
  await two.other.placeBid(newBid(auction, 3, 110))
  await two.clock.pass(tailMs)
  await two.other.placeBid(newBid(auction, 2, 120))
  await two.clock.pass(tailMs)
  expect({ seen, reads: two.reads() }).toEqual({ seen: [1, 2, 3], reads: 1 })
  expect(two.marks[0]).toBe(undefined)
  expect(new Set(two.marks).size).toBe(3)
})

test('reads the terms once, and not the first entry, of an auction that is watched before it has any', async () => {
  const two = createTelling()
  const [first, second] = [await createAuction(two.other), await createAuction(two.other)]
  watch(two, first.id)
  await two.clock.pass(10 * tailMs)
  two.calls.length = 0
  const { seen } = watch(two, second.id)
  for (const amount of [100, 110]) {
    await two.other.placeBid(newBid(second, amount, amount))
    await two.clock.pass(tailMs)
  }
  expect(seen).toEqual([1, 2])
  expect(two.calls.filter((name) => name !== 'appendedSince')).toEqual(['findAuctions'])
})

test('notices what the store reports of an auction whose terms could not be read', async () => {
  const right = createMemoryStore()
  let isAway = true
  const two = createWatching({
    ...right,
    findAuctions: async (wanted) => (isAway ? Promise.reject(noResponse()) : right.findAuctions(wanted)),
  })
  const auction = await createAuction(two.other)
  await createAuction(two.other)
  const [{ seen }, late] = [watch(two, auction.id), watch(two, 2)]
  await two.clock.pass(2 * tailMs)
  await right.append([sampleEntry({ auctionId: auction.id })])
  await two.clock.pass(2 * tailMs)
  expect({ seen, late: late.seen }).toEqual({ seen: [1], late: [] })
  isAway = false
  const reads = two.reads()
  await right.append([sampleEntry({ auctionId: 2 as typeof auction.id, id: 2 as never })])
  await two.clock.pass(tailMs)
  expect({ late: late.seen, reads: two.reads() }).toEqual({ late: [1], reads })
})

test('reads all when the store does not know', async () => {
  const two = createTelling()
  const auction = await createAuction(two.other)
  const { seen } = watch(two)
  await two.clock.pass(tailMs)
  two.tail.since = async () => ({ mark: 'another', appended: undefined })
  await two.other.placeBid(newBid(auction, 2, 100))
  await two.clock.pass(tailMs)
  expect({ seen, reads: two.reads() }).toEqual({ seen: [1], reads: 2 })
})

test('notices what the store reports while a read of all takes long', async () => {
  const right = createMemoryStore()
  const two = createWatching({ ...right, findHeads: () => new Promise(() => undefined) })
  const auction = await createAuction(two.other)
  const { seen } = watch(two)
  await two.clock.pass(tailMs)
  await right.append([sampleEntry({ auctionId: auction.id })])
  await two.clock.pass(tailMs)
  expect({ seen, reads: two.reads() }).toEqual({ seen: [1], reads: 1 })
})

test('reads some at a time, and all within 15 seconds, in case the store errs', async () => {
  const two = createTelling()
  const watches = Array.from({ length: 250 }, (_, at) => watch(two, at + 1))
  const auction = await createAuction(two.other)
  await two.clock.pass(tailMs)
  expect(two.reads()).toBe(3)
  two.tail.since = async () => ({ mark: 'the same', appended: [] })
  await two.other.placeBid(newBid(auction, 2, 100))
  await two.clock.pass(checkMs / 3 - tailMs)
  expect(two.reads()).toBe(3)
  await two.clock.pass(2 * tailMs)
  expect({ reads: two.reads(), seen: watches[0]?.seen }).toEqual({ reads: 4, seen: [1] })
  await two.clock.pass((2 * checkMs) / 3 + 2 * tailMs)
  expect(two.reads()).toBe(6)
})

test('checks also auctions that are watched after a time without any', async () => {
  const two = createTelling()
  const auction = await createAuction(two.other)
  watch(two).stop()
  await two.clock.pass(checkMs)
  const { seen } = watch(two)
  two.tail.since = async () => ({ mark: 'the same', appended: [] })
  await two.other.placeBid(newBid(auction, 2, 100))
  await two.clock.pass(checkMs + 2 * tailMs)
  expect(seen).toEqual([1])
})

test.each<{ title: string; since: () => Promise<undefined> }>([
  { title: 'cannot tell for now', since: async () => undefined },
  { title: 'does not respond', since: () => new Promise(() => undefined) },
  { title: 'fails', since: () => Promise.reject(noResponse()) },
])('reads at intervals while the store $title, and then begins without a mark', async ({ since }) => {
  const two = createTelling()
  const auction = await createAuction(two.other)
  const { seen } = watch(two)
  await two.clock.pass(tailMs)
  two.tail.since = since
  await two.other.placeBid(newBid(auction, 2, 100))
  await two.clock.pass(12_000)
  expect(seen).toEqual([1])
  const [reads, asked] = [two.reads(), two.marks.length]
  delete two.tail.since
  await two.clock.pass(12_000)
  expect(two.reads() - reads).toBeLessThan(50)
  expect(two.marks[asked]).toBe(undefined)
})

test('reads again after a read that failed, though nothing was appended', async () => {
  const right = createMemoryStore()
  let isAway = true
  const two = createWatching({
    ...right,
    findHeads: async (ids) => (isAway ? Promise.reject(noResponse()) : right.findHeads(ids)),
  })
  const auction = await createAuction(two.other)
  await two.other.placeBid(newBid(auction, 2, 100))
  const { seen } = watch(two)
  await two.clock.pass(4 * tailMs)
  isAway = false
  await two.clock.pass(tailMs)
  expect(seen).toEqual([1])
})

test('keeps no timer once nothing is watched or the service is closed', async () => {
  const two = createTelling()
  const { stop } = watch(two)
  await two.clock.pass(tailMs)
  stop()
  await two.clock.pass(10 * tailMs)
  expect(two.marks.length).toBe(1)
  watch(two)
  await two.clock.pass(tailMs)
  await two.service.close()
  await two.clock.pass(10 * tailMs)
  expect(two.marks.length).toBe(2)
})
