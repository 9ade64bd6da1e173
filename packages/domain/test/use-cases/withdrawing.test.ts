import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { sampleNewBid } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { termsOf } from '../../src/auction/auction.ts'
import { initialState } from '../../src/auction/state.ts'
import { continued, withoutBidder } from '../../src/auction/without-bidder.ts'
import type { Store } from '../../src/store/store.ts'
import { toUserId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import { createSteppedClock } from '../support/clocks.ts'
import {
  allOf,
  auctionIdOf,
  buy,
  codeOf,
  createAuction,
  createTestService,
  keyOf,
  ledgerOf,
  newBid,
  noAnswer,
  openTime,
  outcomeOf,
  storeWith,
  type TestService,
  withdraw,
} from '../support/service.ts'
import { createCountingStore, createHeldStore, createSlowStore } from '../support/stores.ts'

/** An auction on which user 2 bids 100 with a maximum of 150, user 3 bids 110, and user 4 bids 500. */
async function createContested(service: TestService) {
  const auction = await createAuction(service, { startingPrice: 100 })
  unwrap(await service.placeBid(sampleNewBid({ auctionId: auction.id, bidderId: 2, amount: 100, maximumAmount: 150 })))
  unwrap(await service.placeBid(newBid(auction, 3, 110)))
  unwrap(await service.placeBid(newBid(auction, 4, 500)))
  return auction
}

describe('a withdrawal', () => {
  test('restores the leader, the price and the number of bids as they were without the bidder', async () => {
    const service = createTestService()
    const auction = await createContested(service)
    const view = unwrap(await withdraw(service, auction, 4))
    expect(view).toMatchObject({ leaderId: 2, leaderMaximumMinor: 15_000, currentPriceMinor: 11_500, bidCount: 3 })
    expect(unwrap(await service.readAuction(auction.id))).toStrictEqual({ ...view, sequence: 4 })
    const [entry] = (await ledgerOf(service.store, auction)).slice(-1)
    expect(entry?.event).toMatchObject({ type: 'withdrawn', bidderId: 4, reason: 'Slip.', editor: 'staff' })
    // Then user 2 goes, too.
    expect(unwrap(await withdraw(service, auction, 2))).toMatchObject({ leaderId: 3, currentPriceMinor: 11_000 })
    const unbid = unwrap(await withdraw(service, auction, 3))
    expect(unbid).toMatchObject({ leaderId: undefined, currentPriceMinor: 10_000, bidCount: 0 })
  })

  test('lets the bidder bid again, unless and while the bidder is blocked', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { buyNowPrice: 900 })
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    unwrap(await withdraw(service, auction, 2))
    expect(codeOf(await withdraw(service, auction, 2))).toBe('no-bids-of-bidder')
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    unwrap(await withdraw(service, auction, 2, { block: true }))
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('bidder-blocked')
    expect(codeOf(await buy(service, auction, 2))).toBe('bidder-blocked')
    const retry = keyOf('unblock')
    const freed = unwrap(await withdraw(service, auction, 2, { block: false, retry }))
    expect(await withdraw(service, auction, 2, { block: false, retry })).toMatchObject({
      value: freed,
      isRepeated: true,
    })
    expect(codeOf(await withdraw(service, auction, 2, { retry }))).toBe('idempotency-key-reused')
    unwrap(await withdraw(service, auction, 3, { block: true }))
    expect(codeOf(await buy(service, auction, 3))).toBe('bidder-blocked')
    unwrap(await buy(service, auction, 2))
    expect(codeOf(await withdraw(service, auction, 2))).toBe('auction-ended')
    const { items } = unwrap(await service.listEvents(auction.id, { after: 0, limit: 100 }))
    const blocks = items.flatMap((event) => (event.type === 'withdrawn' ? [event.isBlocked] : []))
    expect(blocks).toEqual([undefined, true, false, true])
  })

  test('is possible after the end, until the result is recorded', async () => {
    const service = createTestService()
    const auction = await createContested(service)
    service.clock.set('2030-02-07T12:00:01Z')
    unwrap(await withdraw(service, auction, 4))
    service.clock.set('2030-02-07T12:00:02Z')
    await service.closeDue()
    const { result } = unwrap(await service.readAuction(auction.id))
    expect(result).toMatchObject({ outcome: 'sold', winnerId: 2, priceMinor: 11_500 })
    expect(codeOf(await withdraw(service, auction, 2))).toBe('auction-ended')
  })

  test('with a key is recorded once, even if the bidder has bid again', async () => {
    const service = createTestService()
    const auction = await createContested(service)
    const retry = keyOf('withdraw')
    unwrap(await withdraw(service, auction, 4, { retry }))
    unwrap(await service.placeBid(newBid(auction, 4, 600)))
    expect(await withdraw(service, auction, 4, { retry })).toMatchObject({ ok: true, isRepeated: true })
    expect(codeOf(await withdraw(service, auction, 4, { retry, block: true }))).toBe('idempotency-key-reused')
    expect(codeOf(await withdraw(service, auction, 4, { retry, block: false }))).toBe('idempotency-key-reused')
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ leaderId: 4, sequence: 5 })
  })

  test('of an unknown auction or of a user who has not bid is refused', async () => {
    const service = createTestService()
    const auction = await createContested(service)
    expect(codeOf(await withdraw(service, { id: auctionIdOf(99) }, 2))).toBe('auction-not-found')
    expect(codeOf(await withdraw(service, auction, 5))).toBe('no-bids-of-bidder')
    expect(await ledgerOf(service.store, auction)).toHaveLength(3)
  })

  test('costs one append of one entry, and one read of each page of the ledger', async () => {
    const { store, calls } = createCountingStore()
    const service = createTestService({ store })
    const auction = await createContested(service)
    calls.length = 0
    unwrap(await withdraw(service, auction, 4))
    expect(calls).toStrictEqual(['findAuction', 'findHeads', 'listEntries', 'findHeads', 'append'])
  })
})

describe('bids of a bidder after a withdrawal', () => {
  test('stay readable, marked as withdrawn like the automatic bids that replied to them', async () => {
    const service = createTestService()
    const auction = await createContested(service)
    unwrap(await withdraw(service, auction, 3))
    unwrap(await service.placeBid(newBid(auction, 3, 600)))
    const { items } = unwrap(await service.listBids(auction.id, { limit: 10 }))
    const marked = items.map(({ bidderId, amountMinor, isWithdrawn }) => [bidderId, amountMinor / 100, isWithdrawn])
    expect(marked).toStrictEqual([
      [3, 600, undefined],
      [4, 500, undefined],
      [2, 115, true],
      [3, 110, true],
      [2, 100, undefined],
    ])
    for (const bid of items) expect(unwrap(await service.readBid(bid.id)).isWithdrawn).toBe(bid.isWithdrawn)
    const own = unwrap(await service.listBidsOfBidder(toUserId(3), { limit: 10 })).items
    expect(own.map(({ bid, standing }) => [bid.isWithdrawn, standing])).toStrictEqual([
      [undefined, 'leading'],
      [true, 'leading'],
    ])
  })

  test('leave no automatic bid above the price that counts, but that of the leader', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    unwrap(
      await service.placeBid(sampleNewBid({ auctionId: auction.id, bidderId: 2, amount: 100, maximumAmount: 250 })),
    )
    unwrap(
      await service.placeBid(sampleNewBid({ auctionId: auction.id, bidderId: 3, amount: 150, maximumAmount: 280 })),
    )
    expect(unwrap(await withdraw(service, auction, 2))).toMatchObject({ currentPriceMinor: 15_000, bidCount: 1 })
    const { items } = unwrap(await service.listBids(auction.id, { limit: 10 }))
    expect(items.map(({ amountMinor, isWithdrawn }) => [amountMinor / 100, isWithdrawn])).toStrictEqual([
      [255, true],
      [150, undefined],
      [100, true],
    ])
    for (const bid of items) expect(unwrap(await service.readBid(bid.id)).isWithdrawn).toBe(bid.isWithdrawn)
  })

  test('stay in the list, whatever raised maximums follow the withdrawal', async () => {
    const service = createTestService()
    const auction = await createContested(service)
    unwrap(await withdraw(service, auction, 4))
    for (let maximumAmount = 151; maximumAmount < 160; maximumAmount++)
      unwrap(await service.placeBid(sampleNewBid({ auctionId: auction.id, bidderId: 2, amount: 1, maximumAmount })))
    const amounts = (
      await allOf((before: number | undefined) => service.listBids(auction.id, { limit: 1, before }))
    ).map(({ amountMinor }) => amountMinor / 100)
    expect(amounts).toStrictEqual([500, 115, 110, 100])
  })
})

describe('while a withdrawal is decided', () => {
  test('bids of the same process are recorded, and it follows them', async () => {
    const store = createHeldStore(createMemoryStore())
    const service = createTestService({ store })
    const creating = createContested(service)
    for (let count = 0; count < 3; count++) await (await store.nextAppend()).release()
    const auction = await creating
    const first = service.placeBid(newBid(auction, 3, 600))
    const held = await store.nextAppend()
    const withdrawing = withdraw(service, auction, 4)
    const second = service.placeBid(newBid(auction, 4, 700))
    await new Promise((resolve) => setImmediate(resolve))
    await held.release()
    const all = [first, second, withdrawing]
    for (let count = 0; count < 3; count++) {
      const next = await Promise.race([store.nextAppend(), Promise.all(all)])
      if (Array.isArray(next)) break
      await next.release()
    }
    for (const { ok } of await Promise.all(all)) expect(ok).toBe(true)
    const ledger = await ledgerOf(store, auction)
    expect(ledger.map(({ event }) => event.type).toSorted()).toStrictEqual([
      ...Array(5).fill('bid-placed'),
      'withdrawn',
    ])
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ leaderId: 3, currentPriceMinor: 60_000 })
  })

  test('a bid of another process that is recorded first is decided again, too', async () => {
    const store = createMemoryStore()
    const clock = createManualClock(openTime)
    const other = createTestService({ store, clock })
    const auction = await createContested(other)
    const appended: string[] = []
    const append: Store['append'] = async (entries) => {
      appended.push(...entries.map(({ event, sequence }) => `${event.type} ${sequence}`))
      if (appended.length === 1) unwrap(await other.placeBid(newBid(auction, 3, 600)))
      return store.append(entries)
    }
    const service = createTestService({ store: { ...store, append }, clock })
    const view = unwrap(await withdraw(service, auction, 4))
    expect(appended).toStrictEqual(['withdrawn 4', 'withdrawn 5'])
    expect(view).toMatchObject({ leaderId: 3, currentPriceMinor: 60_000, bidCount: 4 })
  })

  test('another withdrawal of another process is included', async () => {
    const store = createMemoryStore()
    const clock = createManualClock(openTime)
    const other = createTestService({ store, clock })
    const auction = await createContested(other)
    let isFirst = true
    const service = createTestService({
      clock,
      store: {
        ...store,
        async listEntries(...query) {
          const entries = await store.listEntries(...query)
          if (isFirst) {
            isFirst = false
            unwrap(await withdraw(other, auction, 2))
          }
          return entries
        },
      },
    })
    expect(unwrap(await withdraw(service, auction, 4))).toMatchObject({ leaderId: 3, currentPriceMinor: 11_000 })
  })

  test('other withdrawals during each of ten readings fail it, and nothing was changed', async () => {
    const store = createMemoryStore()
    const clock = createManualClock(openTime)
    const other = createTestService({ store, clock })
    const auction = await createContested(other)
    let reads = 0
    const listEntries: Store['listEntries'] = async (...query) => {
      const entries = await store.listEntries(...query)
      reads += 1
      unwrap(await other.placeBid(newBid(auction, 2, 1000)))
      unwrap(await withdraw(other, auction, 2))
      return entries
    }
    const service = createTestService({ store: { ...store, listEntries }, clock })
    expect(await outcomeOf(withdraw(service, auction, 4))).toBe('nothing-changed')
    expect(reads).toBe(20) // Once before the lane, and once in it.
  })

  test('a read in the lane that fails fails it, and no bid', async () => {
    const store = createMemoryStore()
    const clock = createManualClock(openTime)
    const other = createTestService({ store, clock })
    const auction = await createContested(other)
    let reads = 0
    const listEntries: Store['listEntries'] = async (...query) => {
      reads += 1
      if (reads > 1) throw noAnswer()
      const entries = await store.listEntries(...query)
      unwrap(await other.placeBid(newBid(auction, 3, 600)))
      return entries
    }
    const service = createTestService({ store: { ...store, listEntries }, clock })
    const [withdrawn, placed] = await Promise.all([
      outcomeOf(withdraw(service, auction, 4)),
      outcomeOf(service.placeBid(newBid(auction, 3, 700))),
    ])
    expect([withdrawn, placed]).toStrictEqual(['nothing-changed', 'accepted'])
  })

  test('a store that hangs fails it at the deadline, and nothing was changed', async () => {
    const clock = createSteppedClock(openTime)
    const store = storeWith(() => ({ listEntries: () => new Promise(() => undefined) }))
    const service = createTestService({ store, clock })
    const auction = await createContested(service)
    const withdrawing = outcomeOf(withdraw(service, auction, 4))
    await clock.pass(10_000)
    expect(await withdrawing).toBe('nothing-changed')
    expect((await service.placeBid(newBid(auction, 3, 600))).ok).toBe(true)
  })

  test('a bid that an earlier price rules out is refused only on the last entry', async () => {
    const store = createMemoryStore()
    const clock = createManualClock(openTime)
    const [first, second] = [createTestService({ store, clock }), createTestService({ store, clock })]
    const auction = await createContested(first)
    unwrap(await withdraw(second, auction, 4))
    // The first process knows only the price of 500.
    expect(codeOf(await first.placeBid(newBid(auction, 3, 120)))).toBe('accepted')
  })

  test('a purchase that an earlier bid rules out is refused only on the last entry', async () => {
    const store = createMemoryStore()
    const clock = createManualClock(openTime)
    const [first, second] = [createTestService({ store, clock }), createTestService({ store, clock })]
    const auction = await createAuction(first, { buyNowPrice: 900 })
    unwrap(await first.placeBid(newBid(auction, 2, 500)))
    unwrap(await withdraw(second, auction, 2))
    expect(codeOf(await buy(first, auction, 3))).toBe('accepted')
  })
})

/** Two processes that give an auction 200 bids a second. */
async function bidOften(entries: number) {
  const clock = createSteppedClock(openTime)
  const right = createMemoryStore()
  const setUp = createTestService({ store: right, clock })
  const auction = await createAuction(setUp, { startingPrice: 1, minimumBidIncrement: 0.01 })
  let amount = 1
  const bidderOf = (count: number) => 2 + (count % 7)
  for (let count = 0; count < entries; count++) {
    amount += 1
    unwrap(await setUp.placeBid(newBid(auction, bidderOf(count), amount)))
  }
  const slow = createSlowStore(right, clock)
  const listed: number[] = []
  const store: Store = {
    ...slow,
    async listEntries(id, query) {
      listed.push(query.limit)
      await new Promise<void>((resolve) => void clock.after(query.limit / 50, resolve))
      return right.listEntries(id, query)
    },
  }
  const processes = [createTestService({ store, clock }), createTestService({ store, clock })]
  let isOver = false
  const bidding = processes.map(async (service, process) => {
    for (let count = process; !isOver; count += 2) {
      amount += 1
      void service.placeBid(newBid(auction, bidderOf(count), amount))
      await new Promise<void>((resolve) => void clock.after(10, resolve))
    }
  })
  await Promise.race([Promise.all(bidding), clock.pass(1_000)])
  const end = () => {
    isOver = true
  }
  return { clock, right, auction, processes, listed, end }
}

test('a withdrawal reads a long ledger from the first bid of the bidder', async () => {
  const { store, calls } = createCountingStore()
  const service = createTestService({ store })
  const auction = await createAuction(service, { startingPrice: 1, minimumBidIncrement: 0.01 })
  for (let count = 0; count < 2_000; count++)
    unwrap(await service.placeBid(newBid(auction, count < 1_500 ? 2 : 3, count + 1)))
  calls.length = 0
  unwrap(await withdraw(service, auction, 3))
  const reads = ['listBidderEntries', 'listBidderEntries', 'listEntries', 'listEntries']
  expect(calls).toStrictEqual(['findAuction', 'findHeads', ...reads, 'findHeads', 'append'])
  expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ leaderId: 2, bidCount: 1_500 })
  // The other bids begin with the ledger, so it is read whole.
  unwrap(await withdraw(service, auction, 2))
  expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ leaderId: undefined, bidCount: 0 })
  expect(codeOf(await withdraw(service, auction, 3))).toBe('no-bids-of-bidder')
})

test('a withdrawal from a busy auction of two processes takes as long as the read of its ledger', async () => {
  const { clock, right, auction, processes, listed, end } = await bidOften(20_000)
  const [service] = processes
  if (service === undefined) throw new Error('no process')
  const startMs = clock.nowMs()
  let tookMs = Number.NaN
  const withdrawing = withdraw(service, auction, 2).then((withdrawn) => {
    tookMs = clock.nowMs() - startMs
    return withdrawn
  })
  await clock.pass(3_000)
  unwrap(await withdrawing)
  end()
  await clock.pass(200)
  // Forty pages of 10 ms, the pages of what came meanwhile, and an append.
  expect(tookMs).toBeLessThan(550)
  // After the pages and a short one, the lane waits only for reads of what came during the last one.
  expect(Math.max(...listed.slice(41))).toBeLessThan(100)
  const ledger = (await right.listEntries(auction.id, { limit: 100_000 })).toReversed()
  const at = ledger.findIndex(({ event }) => event.type === 'withdrawn')
  const before = ledger.slice(0, at)
  const { leader, bidCount } = continued(withoutBidder(termsOf(auction), toUserId(2), initialState), before)
  expect(ledger[at]?.event).toMatchObject({ leader, bidCount })
  expect(ledger.length).toBeGreaterThan(20_500)
})
