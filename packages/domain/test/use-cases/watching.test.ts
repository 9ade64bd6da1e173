import { createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, test } from 'vitest'
import { UnreadableStoredError } from '../../src/store/errors.ts'
import type { Store } from '../../src/store/store.ts'
import { markMs, pollMs, trustMs } from '../../src/use-cases/watch-auctions.ts'
import { unwrap } from '../../src/values/result.ts'
import { createSteppedClock } from '../support/clocks.ts'
import { createAuction, createTestService, newBid, noAnswer, openTime } from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

/** A store without a commit mark. */
function createUnmarkedStore(): Store {
  const { commitMark: _, ...store } = createMemoryStore()
  return store
}

/** A service that watches, and another one that shares its store, as another process does. */
function createTwo(right: Store = createUnmarkedStore()) {
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
    const right = createUnmarkedStore()
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
    const right = createUnmarkedStore()
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

  test('is not prevented by another auction whose last entry is unreadable', async () => {
    const right = createUnmarkedStore()
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

/** A store with a mark that the test sets. */
function createMarked() {
  const right = createUnmarkedStore()
  const mark: { current: number | undefined; isHanging: boolean } = { current: 1, isHanging: false }
  const commitMark = () => (mark.isHanging ? new Promise<never>(() => undefined) : Promise.resolve(mark.current))
  return { ...createTwo({ ...right, commitMark }), mark }
}

describe('watching an auction of a store with a commit mark', () => {
  test('reads once, and again only after the mark has changed, which is noticed soon', async () => {
    const two = createMarked()
    const auction = await createAuction(two.other)
    const { seen } = watch(two)
    await two.clock.pass(10 * markMs)
    expect(two.reads()).toBe(1)
    await two.other.placeBid(newBid(auction, 2, 100))
    two.mark.current = 2
    await two.clock.pass(markMs)
    expect({ seen, reads: two.reads() }).toEqual({ seen: [1], reads: 2 })
  })

  test('trusts the mark after its own bids', async () => {
    const two = createMarked()
    const auction = await createAuction(two.service)
    watch(two)
    await two.clock.pass(markMs)
    const reads = two.reads()
    unwrap(await two.service.placeBid(newBid(auction, 2, 100)))
    await two.clock.pass(40 * markMs)
    expect(two.reads()).toBe(reads)
  })

  test('reads again after the clock was set back', async () => {
    const two = createMarked()
    const auction = await createAuction(two.other)
    const { seen } = watch(two)
    await two.clock.pass(markMs)
    await two.other.placeBid(newBid(auction, 2, 100))
    two.clock.advance(-3_600_000)
    await two.clock.pass(markMs)
    expect(seen).toEqual([1])
  })

  test('reads after about 15 seconds even if the mark is the same, in case the store errs', async () => {
    const two = createMarked()
    const auction = await createAuction(two.other)
    const { seen } = watch(two)
    await two.clock.pass(markMs)
    await two.other.placeBid(newBid(auction, 2, 100))
    await two.clock.pass(trustMs - markMs)
    expect(seen).toEqual([])
    await two.clock.pass(2 * markMs)
    expect(seen).toEqual([1])
  })

  test.each([
    { title: 'has none for now', trouble: { current: undefined } },
    { title: 'does not return one', trouble: { isHanging: true } },
  ])('reads at intervals while the store $title', async ({ trouble }) => {
    const two = createMarked()
    const auction = await createAuction(two.other)
    const { seen } = watch(two)
    Object.assign(two.mark, trouble)
    await two.other.placeBid(newBid(auction, 2, 100))
    await two.clock.pass(12_000)
    expect(seen).toEqual([1])
    const reads = two.reads()
    Object.assign(two.mark, { current: 3, isHanging: false })
    await two.clock.pass(12_000)
    expect(two.reads() - reads).toBeLessThan(50)
  })

  test('reads again after a read that failed, though the mark is the same', async () => {
    const right = createUnmarkedStore()
    let isAway = true
    const two = createTwo({
      ...right,
      commitMark: async () => 1,
      findHeads: async (ids) => (isAway ? Promise.reject(noAnswer()) : right.findHeads(ids)),
    })
    const { seen } = watch(two)
    await two.clock.pass(4 * pollMs)
    isAway = false
    const auction = await createAuction(two.other)
    await two.other.placeBid(newBid(auction, 2, 100))
    await two.clock.pass(pollMs)
    expect(seen).toEqual([1])
  })

  test('pauses for longer than a slow read took, so that other work comes first', async () => {
    const right = createUnmarkedStore()
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

  test('does not trust the mark after an append with an unknown outcome, which may be stored later', async () => {
    const right = createUnmarkedStore()
    let late: (() => Promise<unknown>) | undefined
    const two = createTwo({
      ...right,
      commitMark: async () => 1,
      async append(entries) {
        late = () => right.append(entries)
        throw noAnswer()
      },
      findEntries: () => Promise.reject(noAnswer()),
    })
    const auction = await createAuction(createTestService({ store: right, clock: two.clock }))
    const { seen } = watch(two)
    await two.clock.pass(10 * markMs)
    const placing = two.service.placeBid(newBid(auction, 2, 100)).catch((error: unknown) => error)
    await two.clock.pass(1_000)
    expect(await placing).toMatchObject({ outcome: 'unknown' })
    await late?.()
    await two.clock.pass(2 * pollMs)
    expect(seen).toEqual([1])
  })
})
