import { createMemoryStore } from '@auction/adapters/memory'
import { sampleEntry } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { UnreadableStoredError } from '../../src/store/errors.ts'
import type { AppendedSince, Store } from '../../src/store/store.ts'
import { checkMs, pollMs, tailMs } from '../../src/use-cases/watch-auctions.ts'
import { unwrap } from '../../src/values/result.ts'
import { createSteppedClock } from '../support/clocks.ts'
import { createAuction, createTestService, newBid, noAnswer, openTime } from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

/** A store that does not report appends. */
function createSilentStore(): Store {
  const { appendedSince: _, ...store } = createMemoryStore()
  return store
}

/** A service that watches, and another one that shares its store, as another process does. */
function createTwo(right: Store = createSilentStore()) {
  const { store, calls } = createCountingStore(right)
  const clock = createSteppedClock(openTime)
  const [service, other] = [createTestService({ store, clock }), createTestService({ store: right, clock })]
  return { service, other, clock, calls, reads: () => calls.filter((name) => name === 'findHeads').length }
}

/** The sequences that the callback receives. */
function watch({ service }: Pick<ReturnType<typeof createTwo>, 'service'>, id = 1) {
  const seen: number[] = []
  const stop = service.watchAuction(id as Parameters<typeof service.watchAuction>[0], (sequence) => seen.push(sequence))
  return { seen, stop }
}

describe('watching an auction', () => {
  test('notices entries of the same service when they are stored, without a read', async () => {
    const two = createTwo()
    const auction = await createAuction(two.service)
    const { seen } = watch(two)
    two.calls.length = 0
    const placed = two.service.placeBid(newBid(auction, 2, 100))
    expect(seen).toEqual([])
    unwrap(await placed)
    expect(seen).toEqual([1])
    await Promise.all([120, 140, 160].map((amount, at) => two.service.placeBid(newBid(auction, 2 + (at % 2), amount))))
    expect(seen.at(-1)).toBe(4)
    expect(two.reads()).toBe(0)
    expect(await two.service.placeBid(newBid(auction, 3, 100))).toMatchObject({ ok: false })
    expect(seen.at(-1)).toBe(4)
  })

  test('notices entries of others at the next poll, several at once', async () => {
    const two = createTwo()
    const auction = await createAuction(two.other)
    const { seen } = watch(two)
    await two.clock.pass(pollMs)
    expect(seen).toEqual([])
    await two.other.placeBid(newBid(auction, 2, 100))
    await two.other.placeBid(newBid(auction, 3, 110))
    await two.clock.pass(pollMs - 1)
    expect(seen).toEqual([])
    await two.clock.pass(1)
    expect(seen).toEqual([2])
    await two.clock.pass(10 * pollMs)
    expect(seen).toEqual([2])
  })

  test('notifies each callback, and later ones of what is stored by then', async () => {
    const two = createTwo()
    const auction = await createAuction(two.other)
    await two.other.placeBid(newBid(auction, 2, 100))
    const early = watch(two)
    await two.clock.pass(pollMs)
    const late = watch(two)
    await two.other.placeBid(newBid(auction, 3, 110))
    await two.clock.pass(pollMs)
    expect({ early: early.seen, late: late.seen }).toEqual({ early: [1, 2], late: [2] })
  })

  test('reads 100 auctions at once, and nothing while none is watched', async () => {
    const two = createTwo()
    const watches = Array.from({ length: 250 }, (_, at) => watch(two, at + 1))
    await two.clock.pass(pollMs)
    expect(two.reads()).toBe(3)
    for (const { stop } of watches.slice(1)) stop()
    await two.clock.pass(pollMs)
    expect(two.reads()).toBe(4)
    watches[0]?.stop()
    await two.clock.pass(100 * pollMs)
    expect(two.reads()).toBe(4)
    watch(two)
    await two.clock.pass(pollMs)
    expect(two.reads()).toBe(5)
  })

  test('does not begin a poll before the last one has ended, nor one after the service is closed', async () => {
    const right = createSilentStore()
    const { promise, resolve } = Promise.withResolvers<void>()
    const two = createTwo({
      ...right,
      async findHeads(ids) {
        await promise
        return right.findHeads(ids)
      },
    })
    watch(two, 1)
    await two.clock.pass(pollMs)
    watch(two, 2)
    await two.clock.pass(4 * pollMs)
    expect(two.reads()).toBe(1)
    const closing = two.service.close()
    resolve()
    await two.clock.pass(10 * pollMs)
    await closing
    expect(two.reads()).toBe(1)
  })

  test('stops reading an auction that is over', async () => {
    const two = createTwo()
    const auction = await createAuction(two.other)
    const { seen } = watch(two)
    await two.other.cancelAuction({ auctionId: auction.id })
    await two.clock.pass(pollMs)
    expect(seen).toEqual([1])
    const reads = two.reads()
    await two.clock.pass(10 * pollMs)
    expect(two.reads()).toBe(reads)
  })

  test('a stopped callback is not called', async () => {
    const two = createTwo()
    const auction = await createAuction(two.service)
    const [first, second] = [watch(two), watch(two)]
    first.stop()
    first.stop()
    await two.service.placeBid(newBid(auction, 2, 100))
    expect({ first: first.seen, second: second.seen }).toEqual({ first: [], second: [1] })
  })

  test('survives callbacks that throw', async () => {
    const two = createTwo()
    const auction = await createAuction(two.service)
    two.service.watchAuction(auction.id, () => {
      throw new Error('a fault of the caller')
    })
    const { seen } = watch(two)
    expect(await two.service.placeBid(newBid(auction, 2, 100))).toMatchObject({ ok: true })
    expect(seen).toEqual([1])
  })

  test('continues after the store was unavailable', async () => {
    const right = createSilentStore()
    let isAway = true
    const two = createTwo({
      ...right,
      findHeads: async (ids) => (isAway ? Promise.reject(noAnswer()) : right.findHeads(ids)),
    })
    const { seen } = watch(two)
    await two.clock.pass(3 * pollMs)
    isAway = false
    const auction = await createAuction(two.other)
    await two.other.placeBid(newBid(auction, 2, 100))
    await two.clock.pass(pollMs)
    expect(seen).toEqual([1])
  })

  test('does not wait for a part of the store that hangs', async () => {
    const right = createSilentStore()
    const isHung = (id: number) => id % 2 === 1
    const two = createTwo({
      ...right,
      partOf: (id) => id % 2,
      findHeads: (ids) => (ids.some(isHung) ? new Promise(() => undefined) : right.findHeads(ids)),
    })
    for (const _ of [1, 2]) await createAuction(two.other)
    const { seen: hung } = watch(two, 1)
    const { seen } = watch(two, 2)
    await right.append([sampleEntry({ auctionId: 2 })])
    await two.clock.pass(pollMs)
    expect({ hung, seen }).toEqual({ hung: [], seen: [1] })
  })

  test('is not prevented by another auction whose last entry is unreadable', async () => {
    const right = createSilentStore()
    const two = createTwo({
      ...right,
      async findHeads(ids) {
        if (ids.some((id) => id === 1)) throw new UnreadableStoredError('entry', { auctionId: 1 }, 'no state')
        return right.findHeads(ids)
      },
    })
    await createAuction(two.other)
    const second = await createAuction(two.other)
    const [broken, watched] = [watch(two, 1), watch(two, second.id)]
    unwrap(await two.other.placeBid(newBid(second, 2, 100)))
    await two.clock.pass(pollMs)
    expect({ broken: broken.seen, watched: watched.seen }).toEqual({ broken: [], watched: [1] })
  })

  test('pauses for longer than a slow read took, so that other work comes first', async () => {
    const right = createSilentStore()
    const two = createTwo({
      ...right,
      async findHeads(ids) {
        two.clock.advance(50)
        return right.findHeads(ids)
      },
    })
    watch(two)
    await two.clock.pass(pollMs)
    expect(two.reads()).toBe(1)
    await two.clock.pass(999)
    expect(two.reads()).toBe(1)
    await two.clock.pass(1)
    expect(two.reads()).toBe(2)
  })

  test('ends when the service closes', async () => {
    const two = createTwo()
    const auction = await createAuction(two.other)
    const { seen } = watch(two)
    await two.service.close()
    watch(two)
    await two.other.placeBid(newBid(auction, 2, 100))
    await two.clock.pass(10 * pollMs)
    expect({ seen, reads: two.reads() }).toEqual({ seen: [], reads: 0 })
  })
})

/** A store that reports appends unless the test sets other answers. */
function createTelling() {
  const right = createMemoryStore()
  const marks: (string | undefined)[] = []
  const tail: { since?: (mark: string | undefined) => Promise<AppendedSince | undefined> } = {}
  const appendedSince: Store['appendedSince'] = (mark) => {
    marks.push(mark)
    return tail.since?.(mark) ?? right.appendedSince(mark)
  }
  return { ...createTwo({ ...right, appendedSince }), marks, tail }
}

describe('watching an auction of a store that reports appends', () => {
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
    const two = createTwo({ ...right, findHeads: () => new Promise(() => undefined) })
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
    { title: 'fails', since: () => Promise.reject(noAnswer()) },
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
    const two = createTwo({
      ...right,
      findHeads: async (ids) => (isAway ? Promise.reject(noAnswer()) : right.findHeads(ids)),
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
})
