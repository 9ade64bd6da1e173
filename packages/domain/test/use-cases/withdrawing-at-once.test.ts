import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import { termsOf } from '../../src/auction/auction.ts'
import { initialState } from '../../src/auction/state.ts'
import { continued, withoutBidder } from '../../src/auction/without-bidder.ts'
import type { Store } from '../../src/store/store.ts'
import { toUserId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import { createSteppedClock, everythingSettled } from '../support/clocks.ts'
import {
  buy,
  codeOf,
  createTestService,
  ledgerOf,
  newBid,
  noResponse,
  openTime,
  outcomeOf,
  serveAuction,
  serveContested,
  storeWith,
  withdraw,
} from '../support/service.ts'
import { createHeldStore, createSlowStore } from '../support/stores.ts'

describe('while a withdrawal is decided', () => {
  /** A process that reads ledgers by `listEntries` and appends by `append`, and another one whose auction is contested. */
  async function createTwo(replaced: (right: Store) => Partial<Store>) {
    const right = createMemoryStore()
    const clock = createManualClock(openTime)
    const { service: other, auction } = await serveContested({ store: right, clock })
    return { other, auction, service: createTestService({ store: { ...right, ...replaced(right) }, clock }) }
  }

  test('bids of the same process are recorded, and it follows them', async () => {
    const right = createMemoryStore()
    const { auction } = await serveContested({ store: right })
    const store = createHeldStore(right)
    const service = createTestService({ store })
    const first = service.placeBid(newBid(auction, 3, 600))
    const held = await store.nextAppend()
    const withdrawing = withdraw(service, auction, 4)
    const second = service.placeBid(newBid(auction, 4, 700))
    await everythingSettled()
    await held.release()
    const all = Promise.all([first, second, withdrawing])
    for (let count = 0; count < 3; count++) {
      const next = await Promise.race([store.nextAppend(), all])
      if (Array.isArray(next)) break
      await next.release()
    }
    for (const { ok } of await all) expect(ok).toBe(true)
    const types = (await ledgerOf(store, auction)).map(({ event }) => event.type)
    expect(types.toSorted()).toStrictEqual([...Array(5).fill('bid-placed'), 'withdrawn'])
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ leaderId: 3, currentPriceMinor: 60_000 })
  })

  test('a bid of another process that is recorded first is decided again, too', async () => {
    const appended: string[] = []
    const { other, auction, service } = await createTwo((right) => ({
      async append(entries) {
        appended.push(...entries.map(({ event, sequence }) => `${event.type} ${sequence}`))
        if (appended.length === 1) unwrap(await other.placeBid(newBid(auction, 3, 600)))
        return right.append(entries)
      },
    }))
    const view = unwrap(await withdraw(service, auction, 4))
    expect(appended).toStrictEqual(['withdrawn 4', 'withdrawn 5'])
    expect(view).toMatchObject({ leaderId: 3, currentPriceMinor: 60_000, bidCount: 4 })
  })

  test('another withdrawal of another process is included', async () => {
    let isFirst = true
    const { other, auction, service } = await createTwo((right) => ({
      async listEntries(...query) {
        const entries = await right.listEntries(...query)
        const isNow = isFirst
        isFirst = false
        if (isNow) unwrap(await withdraw(other, auction, 2))
        return entries
      },
    }))
    expect(unwrap(await withdraw(service, auction, 4))).toMatchObject({ leaderId: 3, currentPriceMinor: 11_000 })
  })

  test('other withdrawals during each of ten readings fail it, and nothing was changed', async () => {
    let reads = 0
    const { other, auction, service } = await createTwo((right) => ({
      async listEntries(...query) {
        const entries = await right.listEntries(...query)
        reads += 1
        unwrap(await other.placeBid(newBid(auction, 2, 1000)))
        unwrap(await withdraw(other, auction, 2))
        return entries
      },
    }))
    expect(await outcomeOf(withdraw(service, auction, 4))).toBe('nothing-changed')
    expect(reads).toBe(20) // Once before the lane, and once in it.
  })

  test('a read in the lane that fails fails it, and no bid', async () => {
    let reads = 0
    const { other, auction, service } = await createTwo((right) => ({
      async listEntries(...query) {
        reads += 1
        if (reads > 1) throw noResponse()
        const entries = await right.listEntries(...query)
        unwrap(await other.placeBid(newBid(auction, 3, 600)))
        return entries
      },
    }))
    const [withdrawn, placed] = await Promise.all([
      outcomeOf(withdraw(service, auction, 4)),
      outcomeOf(service.placeBid(newBid(auction, 3, 700))),
    ])
    expect([withdrawn, placed]).toStrictEqual(['nothing-changed', 'accepted'])
  })

  test('a store that hangs fails it at the deadline, and nothing was changed', async () => {
    const clock = createSteppedClock(openTime)
    const store = storeWith(() => ({ listEntries: () => new Promise(() => undefined) }))
    const { service, auction } = await serveContested({ store, clock })
    const withdrawing = outcomeOf(withdraw(service, auction, 4))
    await clock.pass(10_000)
    expect(await withdrawing).toBe('nothing-changed')
    expect((await service.placeBid(newBid(auction, 3, 600))).ok).toBe(true)
  })

  test('a bid or a purchase that an earlier bid rules out is refused only on the last entry', async () => {
    const { service: first, auction } = await serveAuction({ buyNowPrice: 900 })
    const second = createTestService({ store: first.store })
    for (let times = 0; times < 2; times++) {
      unwrap(await first.placeBid(newBid(auction, 2, 500)))
      unwrap(await withdraw(second, auction, 2))
      // The first process knows only the price of 500.
      if (times === 1) expect(codeOf(await buy(first, auction, 3))).toBe('accepted')
      else expect(codeOf(await first.placeBid(newBid(auction, 3, 120)))).toBe('accepted')
      if (times === 0) unwrap(await withdraw(second, auction, 3))
    }
  })
})

/** Two processes that give an auction 200 bids a second, which has some already. */
async function bidOften(entries: number) {
  const clock = createSteppedClock(openTime)
  const right = createMemoryStore()
  const fine = { startingPrice: 1, minimumBidIncrement: 0.01 }
  const { service: setUp, auction } = await serveAuction(fine, { store: right, clock })
  let amount = 1
  const nextBid = (count: number) => {
    amount += 1
    return newBid(auction, 2 + (count % 7), amount)
  }
  for (let count = 0; count < entries; count++) unwrap(await setUp.placeBid(nextBid(count)))
  const listed: number[] = []
  const store: Store = {
    ...createSlowStore(right, clock),
    async listEntries(id, query) {
      listed.push(query.limit)
      await new Promise<void>((resolve) => void clock.after(query.limit / 50, resolve))
      return right.listEntries(id, query)
    },
  }
  const processes = [createTestService({ store, clock }), createTestService({ store, clock })] as const
  const bidding = { isOver: false }
  for (const [process, service] of processes.entries())
    void (async () => {
      for (let count = process; !bidding.isOver; count += 2) {
        void service.placeBid(nextBid(count))
        await new Promise<void>((resolve) => void clock.after(10, resolve))
      }
    })()
  await clock.pass(1_000)
  return { clock, right, auction, service: processes[0], listed, bidding }
}

test('a withdrawal from a busy auction of two processes takes as long as the read of its ledger', async () => {
  const pages = isLong ? 40 : 8
  const { clock, right, auction, service, listed, bidding } = await bidOften(500 * pages)
  const startMs = clock.nowMs()
  let tookMs = Number.NaN
  const withdrawing = withdraw(service, auction, 2).then((withdrawn) => {
    tookMs = clock.nowMs() - startMs
    return withdrawn
  })
  await clock.pass(10 * pages + 2_600)
  unwrap(await withdrawing)
  bidding.isOver = true
  await clock.pass(200)
  // The pages of 10 ms, those of what came meanwhile, and an append.
  expect(tookMs).toBeLessThan(10 * pages + 150)
  // After the pages and a short one, the lane waits only for reads of what came during the last one.
  expect(Math.max(...listed.slice(pages + 1))).toBeLessThan(100)
  const ledger = (await right.listEntries(auction.id, { limit: 100_000 })).toReversed()
  const at = ledger.findIndex(({ event }) => event.type === 'withdrawn')
  const { standing } = continued(withoutBidder(termsOf(auction), toUserId(2), initialState), ledger.slice(0, at))
  expect(ledger[at]?.event).toMatchObject(standing)
  expect(ledger.length).toBeGreaterThan(500 * (pages + 1))
})
