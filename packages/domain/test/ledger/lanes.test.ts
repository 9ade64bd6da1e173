import { createManualClock, createMemoryStore, type ManualClock } from '@auction/adapters/memory'
import { sampleCancellation, sampleCorrection } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/auction/entry.ts'
import type { Store } from '../../src/store/store.ts'
import { unwrap } from '../../src/values/result.ts'
import { createSteppedClock, everythingSettled } from '../support/clocks.ts'
import {
  amountsOf,
  codeOf,
  createAuction,
  createTestService,
  keyOf,
  ledgerOf,
  newBid,
  openTime,
} from '../support/service.ts'
import { createCountingStore, createHeldStore } from '../support/stores.ts'

/** A process whose appends wait for the test, and another process over the same store whose appends do not. */
async function createHeldService(auctionCount: number, limits = {}, clock: ManualClock = createManualClock(openTime)) {
  const right = createMemoryStore()
  const store = createHeldStore(right)
  const service = createTestService({ store, limits, clock })
  const auctions = await Promise.all(Array.from({ length: auctionCount }, () => createAuction(service)))
  const auction = (number: number) => {
    const found = auctions[number - 1]
    if (found === undefined) throw new RangeError(`auction ${number} does not exist`)
    return found
  }
  const place = (auctionNumber: number, bidderId: number, amount: number) =>
    service.placeBid(newBid(auction(auctionNumber), bidderId, amount))
  /** Releases appends until this number of entries is stored. */
  const releaseUntil = async (wanted: number) => {
    const sizes: number[] = []
    for (let stored = 0; stored < wanted; ) {
      const next = await store.nextAppend()
      sizes.push(next.entries.length)
      stored += await next.release()
    }
    return sizes
  }
  return { right, service, other: createTestService({ store: right, clock }), store, auction, place, releaseUntil }
}

/** A process, and the value of `isContended` in each of its appends. */
function createWatchedService(right: Store, beforeAppend: (index: number) => unknown = () => undefined) {
  const clock = createManualClock(openTime)
  const contended: boolean[] = []
  const store: Store = {
    ...right,
    async append(entries, options) {
      await beforeAppend(contended.length)
      contended.push(options?.isContended ?? false)
      return right.append(entries, options)
    },
  }
  return { service: createTestService({ store, clock }), contended }
}

/** In a store that responds at once. */
const handoverMs = 2
const turnMs = 6 * handoverMs

/**
 * Places a bid of 300, which conflicts with bids of another process before it is stored: the second time on a head that was just
 * read. The lane then knows that the other bids at the same time, and leaves the next turn to it.
 */
async function storeAfterConflicts({ other, store, auction, place }: Awaited<ReturnType<typeof createHeldService>>) {
  const placed = place(1, 2, 300)
  for (const amount of [200, 250]) {
    const conflicting = await store.nextAppend()
    await other.placeBid(newBid(auction(1), 3, amount))
    expect(await conflicting.release()).toBe(0)
  }
  const held = await store.nextAppend()
  expect(await held.release()).toBe(1)
  expect(codeOf(await placed)).toBe('accepted')
}

/** The auction and the amount of each bid. */
const shapeOf = (entries: readonly Entry[]) =>
  entries.map(({ auctionId, state }) => [auctionId, (state.leader?.amountMinor ?? 0) / 100])

describe('while an append is in flight', () => {
  test('the bids of one auction wait, and are decided in order against the new state', async () => {
    const { right, store, auction, place } = await createHeldService(1)
    const first = place(1, 2, 100)
    const held = await store.nextAppend()
    const others = [place(1, 3, 105), place(1, 4, 105), place(1, 2, 104), place(1, 5, 110)]
    await everythingSettled()
    await held.release()
    const next = await store.nextAppend()
    expect(shapeOf(next.entries)).toEqual([
      [1, 105],
      [1, 110],
    ])
    await next.release()
    expect(codeOf(await first)).toBe('accepted')
    expect((await Promise.all(others)).map(codeOf)).toEqual(['accepted', 'bid-too-low', 'bid-too-low', 'accepted'])
    expect(await amountsOf(right, auction(1))).toEqual([100, 105, 110])
  })

  test('the bids of other auctions are in flight, too', async () => {
    const { store, place } = await createHeldService(3)
    const placed = [1, 2, 3].map((number) => place(number, 2, 100))
    const appends = [await store.nextAppend(), await store.nextAppend(), await store.nextAppend()]
    expect(appends.map(({ entries }) => shapeOf(entries))).toEqual([[[1, 100]], [[2, 100]], [[3, 100]]])
    for (const { release } of appends.toReversed()) await release()
    expect((await Promise.all(placed)).map(codeOf)).toEqual(['accepted', 'accepted', 'accepted'])
  })

  test('a refusal of a bid with a key does not delay other bids of its batch, and looks up the key once', async () => {
    const looked = Promise.withResolvers<readonly Entry[]>()
    const { store: counting, calls } = createCountingStore({
      ...createMemoryStore(),
      findEntriesByKey: () => looked.promise,
    })
    const store = createHeldStore(counting)
    const service = createTestService({ store })
    const auction = await createAuction(service)
    const first = service.placeBid(newBid(auction, 2, 100))
    const held = await store.nextAppend()
    // The owner must not bid: that is refused, unless the key has made a bid.
    const refused = service.placeBid(newBid(auction, 1, 105), keyOf('k'))
    const unkeyed = service.placeBid(newBid(auction, 3, 105))
    await held.release()
    await (await store.nextAppend()).release()
    expect([codeOf(await first), codeOf(await unkeyed)]).toEqual(['accepted', 'accepted'])
    looked.resolve([])
    expect(codeOf(await refused)).toBe('owner-cannot-bid')
    expect(calls.filter((call) => call === 'findEntriesByKey').length).toBe(1)
  })

  test('no caller receives an answer before the bid is stored', async () => {
    const { store, place } = await createHeldService(1)
    const codes: string[] = []
    const first = place(1, 2, 100).then((result) => codes.push(codeOf(result)))
    const held = await store.nextAppend()
    await everythingSettled()
    expect(codes).toEqual([])
    await held.release()
    await first
    expect(codes).toEqual(['accepted'])
  })

  test('a refusal waits until the bid that causes it is stored', async () => {
    const { store, place } = await createHeldService(1)
    const codes: string[] = []
    const first = place(1, 2, 100)
    const held = await store.nextAppend()
    const tooLow = place(1, 3, 104).then((result) => codes.push(codeOf(result)))
    await everythingSettled()
    expect(codes).toEqual([])
    await held.release()
    await Promise.all([first, tooLow])
    expect(codes).toEqual(['bid-too-low'])
  })

  test('a bid that arrives just when a lane becomes idle is placed', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    for (let amount = 100; amount < 600; amount += 5) {
      // Each bid is placed in the same turn in which the previous one is settled.
      expect(codeOf(await service.placeBid(newBid(auction, 2, amount)))).toBe('accepted')
    }
  })
})

describe('a conflict', () => {
  test('refuses bids that the other process’s bid makes too low, with the new price', async () => {
    const { right, other, store, auction, place } = await createHeldService(1)
    const mine = place(1, 2, 100)
    const held = await store.nextAppend()
    await other.placeBid(newBid(auction(1), 3, 200))
    expect(await held.release()).toBe(0)
    expect(await mine).toMatchObject({
      ok: false,
      refusal: { code: 'bid-too-low', currentPriceMinor: 200_00, minimumNextBidMinor: 205_00 },
    })
    expect(await amountsOf(right, auction(1))).toEqual([200])
  })

  test('never refuses a bid with a price that was decided and not stored', async () => {
    const { other, store, auction, place } = await createHeldService(1)
    const first = place(1, 2, 100)
    const held = await store.nextAppend()
    const others = [place(1, 3, 120), place(1, 4, 121)]
    await held.release()
    // The other process is first twice: with a bid below 120, and with one that makes 120 too low.
    for (const amount of [105, 119]) {
      const next = await store.nextAppend()
      expect(shapeOf(next.entries)).toEqual([[1, 120]])
      await everythingSettled()
      await other.placeBid(newBid(auction(1), 9, amount))
      expect(await next.release()).toBe(0)
    }
    expect(codeOf(await first)).toBe('accepted')
    for (const result of await Promise.all(others)) {
      expect(result).toMatchObject({ refusal: { code: 'bid-too-low', currentPriceMinor: 119_00 } })
    }
  })

  test('refuses bids that arrived in the meantime with the new price', async () => {
    const { other, store, auction, place } = await createHeldService(1)
    const first = place(1, 2, 100)
    const held = await store.nextAppend()
    const joined = place(1, 4, 150)
    await other.placeBid(newBid(auction(1), 3, 200))
    await held.release()
    for (const result of await Promise.all([first, joined])) {
      expect(result).toMatchObject({ refusal: { code: 'bid-too-low', currentPriceMinor: 200_00 } })
    }
  })
})

describe('an append', () => {
  test('is marked as contended after a conflict on a head that was just read', async () => {
    const other = createTestService()
    const auction = await createAuction(other)
    const placeElsewhere = (amount: number) => other.placeBid(newBid(auction, 3, amount))
    const { service, contended } = createWatchedService(other.store, (index) => index === 2 && placeElsewhere(250))
    await service.placeBid(newBid(auction, 2, 100))
    await placeElsewhere(200)
    expect(codeOf(await service.placeBid(newBid(auction, 2, 300)))).toBe('accepted')
    expect(contended).toEqual([false, false, false, true])
  })

  test('is not marked as contended if a key was taken, which is not another process’s turn', async () => {
    const other = createTestService()
    const auctions = [await createAuction(other), await createAuction(other)] as const
    await other.placeBid(newBid(auctions[0], 2, 100), keyOf('k'))
    const { service, contended } = createWatchedService(other.store)
    expect(codeOf(await service.placeBid(newBid(auctions[1], 2, 100), keyOf('k')))).toBe('idempotency-key-reused')
    expect(codeOf(await service.placeBid(newBid(auctions[1], 2, 100)))).toBe('accepted')
    expect(contended).toEqual([false, false])
  })
})

describe('turns', () => {
  test('are given up by an idle lane: it reads the head before each append, until four reads find nothing', async () => {
    const clock = createSteppedClock(openTime)
    const { store, calls } = createCountingStore()
    const service = createTestService({ store, clock })
    const auction = await createAuction(service)
    const callsOf = async (amount: number) => {
      await everythingSettled()
      clock.advance(1)
      calls.length = 0
      expect(codeOf(await service.placeBid(newBid(auction, 2, amount)))).toBe('accepted')
      return [...calls]
    }
    const placeElsewhere = (amount: number) => createTestService({ store, clock }).placeBid(newBid(auction, 3, amount))
    await callsOf(100)
    await placeElsewhere(200)
    expect(await callsOf(300)).toEqual(['append', 'findHeads', 'append'])
    expect(await callsOf(400)).toEqual(['findHeads', 'append'])
    await placeElsewhere(500)
    for (const amount of [600, 700, 800, 900]) expect(await callsOf(amount)).toEqual(['findHeads', 'append'])
    expect(await callsOf(1_000)).toEqual(['findHeads', 'append'])
    expect(await callsOf(1_100)).toEqual(['append'])
  })

  test.each([[0], [-10_000]])('follow those of others, even after the clock is set by %i ms', async (setByMs) => {
    const clock = createSteppedClock(openTime)
    const held = await createHeldService(1, {}, clock)
    await storeAfterConflicts(held)
    clock.advance(setByMs)
    const next = held.place(1, 2, 350).then(codeOf)
    await clock.pass(turnMs - 2)
    await held.other.placeBid(newBid(held.auction(1), 3, 400))
    await clock.pass(2)
    expect(await Promise.race([next, 'waits for its turn'])).toBe('bid-too-low')
  })

  test.each([[0], [-10_000]])('of others pass if unused, even after the clock is set by %i ms', async (setByMs) => {
    const clock = createSteppedClock(openTime)
    const held = await createHeldService(1, {}, clock)
    await storeAfterConflicts(held)
    clock.advance(setByMs)
    const next = held.place(1, 2, 350).then(codeOf)
    const append = held.store.nextAppend()
    await clock.pass(2 * turnMs)
    await (await append).release()
    expect(await next).toBe('accepted')
  })

  test('are offered by a lane that was busy for long, so that a slower process has time to append', async () => {
    const clock = createSteppedClock(openTime)
    const { other, store, auction, place } = await createHeldService(1, {}, clock)
    const first = place(1, 2, 100)
    const held = await store.nextAppend()
    const second = place(1, 2, 105).then(codeOf)
    clock.advance(5_000)
    await held.release()
    expect(codeOf(await first)).toBe('accepted')
    await other.placeBid(newBid(auction(1), 3, 200))
    await clock.pass(5 * handoverMs)
    expect(await Promise.race([second, 'waits for an append'])).toBe('bid-too-low')
  })
})

describe('two processes over one store', () => {
  test('decide again after conflicts: the ledger is the same as that of one process', async () => {
    const service = createTestService()
    const other = createTestService({ store: service.store })
    const auction = await createAuction(service)
    const results = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (index % 2 === 0 ? service : other).placeBid(newBid(auction, index + 2, 100 + index * 5)),
      ),
    )
    const accepted = results.flatMap((result) => (result.ok ? [result.value.id] : []))
    const ledger = await ledgerOf(service.store, auction)
    expect(ledger.map(({ id }) => id).toSorted()).toEqual(accepted.toSorted())
    expect(ledger.map(({ sequence }) => sequence)).toEqual(ledger.map((_, index) => index + 1))
    const amounts = await amountsOf(service.store, auction)
    for (const [index, amount] of amounts.entries()) {
      expect(amount).toBeGreaterThanOrEqual(index === 0 ? 100 : (amounts[index - 1] ?? 0) + 5)
    }
  })

  test('return the other’s price, however long ago they read it', async () => {
    const service = createTestService()
    const other = createTestService({ store: service.store })
    const auction = await createAuction(service)
    await service.placeBid(newBid(auction, 2, 100))
    await other.placeBid(newBid(auction, 3, 300))
    expect(await service.placeBid(newBid(auction, 2, 100))).toMatchObject({
      refusal: { currentPriceMinor: 300_00, minimumNextBidMinor: 305_00 },
    })
    expect(codeOf(await service.placeBid(newBid(auction, 2, 305)))).toBe('accepted')
  })

  test('never let time go back if their clocks differ', async () => {
    const service = createTestService()
    const late = createTestService({ store: service.store })
    const auction = await createAuction(service)
    late.clock.advance(-5_000)
    const bids = [
      unwrap(await service.placeBid(newBid(auction, 2, 100))),
      unwrap(await late.placeBid(newBid(auction, 3, 105))),
    ]
    expect(bids[1]?.timestampMs).toBe(bids[0]?.timestampMs)
  })
})

describe('limits', () => {
  test('refuse bids on an auction with a full queue as overloaded, and only those', async () => {
    const { store, place, releaseUntil } = await createHeldService(2, { maxWaitingPerAuction: 2 })
    const first = place(1, 2, 100)
    const held = await store.nextAppend()
    const queued = [place(1, 2, 105), place(1, 2, 110)]
    expect(await place(1, 2, 115)).toEqual({ ok: false, refusal: { code: 'overloaded' } })
    const elsewhere = place(2, 2, 100)
    await everythingSettled()
    await held.release()
    await releaseUntil(3)
    expect((await Promise.all([first, ...queued, elsewhere])).map(codeOf)).toEqual(
      Array.from({ length: 4 }, () => 'accepted'),
    )
    const after = place(1, 2, 115)
    await releaseUntil(1)
    expect(codeOf(await after)).toBe('accepted')
  })

  test('refuse bids beyond the total limit, and accept bids again later', async () => {
    const { store, place, releaseUntil } = await createHeldService(4, { maxWaiting: 3 })
    const first = place(1, 2, 100)
    const held = await store.nextAppend()
    const others = [place(2, 2, 100), place(3, 2, 100)]
    expect(await place(4, 2, 100)).toEqual({ ok: false, refusal: { code: 'overloaded' } })
    await everythingSettled()
    await held.release()
    await releaseUntil(2)
    expect((await Promise.all([first, ...others])).map(codeOf)).toEqual(['accepted', 'accepted', 'accepted'])
    const again = place(4, 2, 100)
    await releaseUntil(1)
    expect(codeOf(await again)).toBe('accepted')
  })

  test('refuse a bid as overloaded if others keep taking its sequence', async () => {
    const { right, other, store, auction, place } = await createHeldService(1, { maxConflicts: 2 })
    const mine = place(1, 2, 1_000)
    for (const amount of [100, 200, 300]) {
      const held = await store.nextAppend()
      await other.placeBid(newBid(auction(1), 3, amount))
      expect(await held.release()).toBe(0)
    }
    expect(await mine).toEqual({ ok: false, refusal: { code: 'overloaded' } })
    expect(await amountsOf(right, auction(1))).toEqual([100, 200, 300])
  })

  test('split waiting bids into appends of at most the given size', async () => {
    const { store, place, releaseUntil } = await createHeldService(1, { maxEntriesPerAppend: 3 })
    const placed = Array.from({ length: 9 }, (_, index) => place(1, 2, 100 + index * 5))
    const held = await store.nextAppend()
    await everythingSettled()
    await held.release()
    expect(await releaseUntil(8)).toEqual([3, 3, 2])
    expect((await Promise.all(placed)).map(codeOf)).toEqual(Array.from({ length: 9 }, () => 'accepted'))
  })

  test('apply to bids that waited during the turn of another process', async () => {
    const clock = createSteppedClock(openTime)
    const held = await createHeldService(1, { maxEntriesPerAppend: 3 }, clock)
    const { other, store, auction, place } = held
    await storeAfterConflicts(held)
    const [tooLow, ...waiting] = [390, 1_000, 1_005, 1_010, 1_015].map((amount) => place(1, 2, amount).then(codeOf))
    await other.placeBid(newBid(auction(1), 3, 400))
    const sizes: number[] = []
    while (sizes.length < 2) {
      const next = store.nextAppend()
      await clock.pass(2 * turnMs)
      const { entries, release } = await next
      sizes.push(entries.length)
      await release()
    }
    expect(await tooLow).toBe('bid-too-low')
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'accepted'))
    // The refused bid was one of the first three.
    expect(sizes).toEqual([2, 2])
  })

  test.each([
    ['short texts', 'x', 'x', 0],
    // At 2,800 to 3,000 bytes each, four are cached.
    ['long reasons', '🏺'.repeat(499), 'x', 6],
    ['long reasons and titles', 'x'.repeat(500), '🏺'.repeat(200), 6],
  ])('cache as many cancelled auctions with %s as their bytes allow', async (_, reason, title, readAgain) => {
    const { store, calls } = createCountingStore()
    const service = createTestService({ store, limits: { maxCachedBytes: 12_000 } })
    const auctions = await Promise.all(Array.from({ length: 10 }, () => createAuction(service)))
    for (const { id } of auctions) {
      unwrap(await service.correctAuction({ auctionId: id, correction: sampleCorrection({ title }), editor: 'staff' }))
      unwrap(await service.cancelAuction({ auctionId: id, cancellation: sampleCancellation(reason) }))
    }
    calls.length = 0
    for (const auction of auctions.toReversed()) {
      expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('auction-cancelled')
    }
    expect(calls.filter((call) => call === 'findHeads').length).toBe(readAgain)
  })

  test.each([
    { steps: undefined, maxCachedBytes: 2_000, reads: 0 },
    { steps: undefined, maxCachedBytes: 1_999, reads: 6 },
    { steps: 20, maxCachedBytes: 6_000, reads: 0 },
    { steps: 20, maxCachedBytes: 5_999, reads: 6 },
  ])(
    'of $maxCachedBytes bytes for the cache make six bids on two auctions with $steps steps read $reads heads',
    async ({ steps, maxCachedBytes, reads }) => {
      const { store, calls } = createCountingStore()
      const service = createTestService({ store, limits: { maxCachedBytes } })
      const range = Array.from({ length: steps ?? 0 }, (_, index) => ({ fromPrice: 200 + index, increment: 5 }))
      const increments = steps === undefined ? {} : { incrementSteps: range }
      const auctions = [await createAuction(service, increments), await createAuction(service, increments)]
      for (const amount of [100, 105, 110]) {
        for (const auction of auctions) {
          expect(codeOf(await service.placeBid(newBid(auction, 2, amount)))).toBe('accepted')
          await everythingSettled()
        }
      }
      expect(calls.filter((call) => call === 'findHeads').length).toBe(reads)
    },
  )
})
