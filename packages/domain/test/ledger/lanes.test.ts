import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, test } from 'vitest'
import type { Entry, Store } from '../../src/store/store.ts'
import { createSteppedClock, everythingSettled } from '../support/clocks.ts'
import { createHeldService, handoverMs, storeAfterConflicts, turnMs } from '../support/held.ts'
import {
  amountsOf,
  codeOf,
  createAuction,
  createTestService,
  keyOf,
  newBid,
  openTime,
  serveAuction,
} from '../support/service.ts'
import { createCountingStore, createHeldStore } from '../support/stores.ts'

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
    const { service, auction } = await serveAuction({}, { store })
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

  test('no caller receives a response before the bid is stored, nor a refusal before the bid that causes it', async () => {
    const { store, place } = await createHeldService(1)
    const codes: string[] = []
    const first = place(1, 2, 100).then((result) => codes.push(codeOf(result)))
    const held = await store.nextAppend()
    const tooLow = place(1, 3, 104).then((result) => codes.push(codeOf(result)))
    await everythingSettled()
    expect(codes).toEqual([])
    await held.release()
    await Promise.all([first, tooLow])
    expect(codes).toEqual(['accepted', 'bid-too-low'])
  })
})

describe('a conflict', () => {
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
    const { service, auction } = await serveAuction({}, { store, clock })
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
})
