import { createMemoryStore } from '@auction/adapters/memory'
import { sampleAuction } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import type { Store } from '../../src/store/store.ts'
import { createSteppedClock } from '../support/clocks.ts'
import {
  amountsOf,
  auctionIdOf,
  createAuction,
  createTestService,
  ledgerOf,
  newAuction,
  newBid,
  openTime,
  outcomeOf,
  serveAuction,
} from '../support/service.ts'
import { type CallOutcomes, createUnreliableStore } from '../support/stores.ts'

const deadlineMs = 10_000

async function createServiceUnder(faults: CallOutcomes, limits = {}) {
  const right = createMemoryStore()
  const auction = await createAuction(createTestService({ store: right }))
  const clock = createSteppedClock(openTime)
  const service = createTestService({ store: createUnreliableStore(right, faults), clock, limits })
  /** The outcome of an operation, and its duration in milliseconds of the stepped clock. */
  const timed = (outcome: Promise<string>) => {
    const startMs = clock.nowMs()
    return outcome.then((code) => ({ code, afterMs: clock.nowMs() - startMs }))
  }
  const bid = (amount: number) => timed(outcomeOf(service.placeBid(newBid(auction, 2, amount))))
  return { right, auction, clock, service, bid, timed }
}

const hanging = Array.from({ length: 100 }, () => 'no-response' as const)

describe('a store that never responds', () => {
  const insert = { insertAuction: hanging }
  test.each<{ readonly to: string; readonly faults: CallOutcomes; readonly code: string }>([
    { to: 'an append', faults: { append: hanging }, code: 'unknown' },
    { to: 'an append or its lookup', faults: { append: hanging, findEntries: hanging }, code: 'unknown' },
    { to: 'a head', faults: { findHeads: hanging }, code: 'nothing-changed' },
    { to: 'an auction', faults: { findAuction: hanging }, code: 'nothing-changed' },
    { to: 'a claim of ids', faults: { claimNextIdBlock: hanging }, code: 'nothing-changed' },
    { to: 'an insert', faults: insert, code: 'unknown' },
    { to: 'an insert or its lookup', faults: { ...insert, findAuction: hanging }, code: 'unknown' },
  ])('to $to: a bid and a creation fail before their deadlines, if they need it', async ({ to, faults, code }) => {
    const { clock, service, bid, timed } = await createServiceUnder(faults)
    const needed = to.includes('insert') ? [] : [bid(100)]
    if (to.includes('insert') || to.includes('ids')) needed.push(timed(outcomeOf(service.createAuction(newAuction()))))
    await clock.pass(deadlineMs)
    for (const failed of await Promise.all(needed)) {
      expect(failed.code).toBe(code)
      expect(failed.afterMs).toBeLessThanOrEqual(deadlineMs)
    }
  })

  test('to an append: later commands change nothing, even after their deadline', async () => {
    const { right, auction, clock, bid } = await createServiceUnder({ append: hanging.slice(0, 3) })
    const first = bid(100)
    await clock.pass(0)
    const waiting = [bid(105), bid(110)]
    await clock.pass(deadlineMs)
    expect((await first).code).toBe('unknown')
    for (const { code, afterMs } of await Promise.all(waiting)) {
      expect(code).toBe('nothing-changed')
      expect(afterMs).toBeLessThanOrEqual(deadlineMs)
    }
    await clock.pass(10 * deadlineMs)
    expect(await amountsOf(right, auction)).toEqual([])
  })

  test('to an append: an abandoned append is not sent again', async () => {
    const right = createMemoryStore()
    const founder = createTestService({ store: right })
    const auctions = await Promise.all(Array.from({ length: 40 }, () => createAuction(founder)))
    const clock = createSteppedClock(openTime)
    let appends = 0
    const store: Store = {
      ...right,
      append: () => {
        appends += 1
        return new Promise(() => undefined)
      },
    }
    // More tries than the deadline has time for.
    const service = createTestService({ store, clock, limits: { maxTries: 10 } })
    const placed = auctions.map((auction) => outcomeOf(service.placeBid(newBid(auction, 2, 100))))
    await clock.pass(deadlineMs)
    expect(new Set(await Promise.all(placed))).toEqual(new Set(['unknown']))
    const appendsInTime = appends
    await clock.pass(10 * deadlineMs)
    expect(appends).toBe(appendsInTime)
  })

  test('holds at most as many commands as the limits allow, and no command past its deadline', async () => {
    const { clock, bid } = await createServiceUnder({ append: hanging }, { maxWaiting: 5 })
    const placed = Array.from({ length: 8 }, (_, index) => bid(100 + index * 5))
    await clock.pass(0)
    for (const { code } of await Promise.all(placed.slice(5))) expect(code).toBe('overloaded')
    await clock.pass(deadlineMs)
    const codes = (await Promise.all(placed.slice(0, 5))).map(({ code }) => code)
    expect(new Set(codes)).toEqual(new Set(['unknown', 'nothing-changed']))
    const next = Array.from({ length: 6 }, () => bid(500))
    await clock.pass(0)
    expect((await next[5])?.code).toBe('overloaded')
  })
})

test('leaves no timer running while no command is in flight', async () => {
  const clock = createSteppedClock(openTime)
  let timers = 0
  const counting = {
    ...clock,
    after: (ms: number, callback: () => void) => {
      timers += 1
      const callOff = clock.after(ms, () => {
        timers -= 1
        callback()
      })
      return () => {
        timers -= 1
        callOff()
      }
    },
  }
  const { service, auction } = await serveAuction({}, { clock: counting })
  expect(await outcomeOf(service.placeBid(newBid(auction, 2, 100)))).toBe('accepted')
  await clock.pass(deadlineMs)
  expect(timers).toBe(0)
})

/** With this limit a bid times out before its lane pauses because it was busy for ten turns. */
const shortDeadlineMs = 500
const latestMs = 450
/** Each claim is within the time limit of the store. The last of these claims, which follow each other, is after the deadline. */
const claimMs = 160
const claimCount = 6
const ownId = 1_000
const lateMs = claimCount * claimMs - latestMs

/** A process with few ids per block, whose claims take long while they are late. */
async function createLateService() {
  const clock = createSteppedClock(openTime)
  const right = createMemoryStore()
  const ids = { areLate: true, claimed: 0 }
  const store: Store = {
    ...right,
    async claimNextIdBlock(kind) {
      if (ids.areLate) await new Promise<void>((resolve) => void clock.after(claimMs, resolve))
      ids.claimed += 1
      return right.claimNextIdBlock(kind)
    },
  }
  const limits = { deadlineMs: shortDeadlineMs, auctionIdsPerBlock: 1, entryIdsPerBlock: 2 }
  const service = createTestService({ store, clock, limits })
  const auction = sampleAuction({ id: ownId })
  const others = Array.from({ length: 2 * (claimCount - 1) }, (_, index) => sampleAuction({ id: ownId + 1 + index }))
  for (const sample of [auction, ...others]) await right.insertAuction(sample)
  const place = (amount: number, on: Pick<Auction, 'id'> = auction) =>
    outcomeOf(service.placeBid(newBid(on, 2, amount)))
  /** Places bids on other auctions, which take the ids of all claims but the last. */
  const placeOnOthers = () => others.map((other) => place(100, other))
  return { clock, right, ids, service, auction, place, placeOnOthers }
}

test('an auction whose id arrives after its deadline is not stored, since its caller received nothing-changed', async () => {
  const { clock, right, ids, service } = await createLateService()
  const outcomes = Array.from({ length: claimCount }, () => outcomeOf(service.createAuction(newAuction())))
  await clock.pass(latestMs)
  expect(await outcomes.at(-1)).toBe('nothing-changed')
  await clock.pass(lateMs)
  expect(ids.claimed).toBeGreaterThanOrEqual(claimCount)
  expect(await right.findAuction(auctionIdOf(claimCount))).toBeUndefined()
})

test('a bid whose id arrives after its deadline is not stored, since its caller received nothing-changed', async () => {
  const { clock, right, ids, auction, place, placeOnOthers } = await createLateService()
  placeOnOthers()
  const outcome = place(100)
  await clock.pass(latestMs)
  expect(await outcome).toBe('nothing-changed')
  await clock.pass(lateMs)
  expect(ids.claimed).toBeGreaterThanOrEqual(claimCount)
  expect(await ledgerOf(right, auction)).toEqual([])
})

test('a bid that conflicts, and whose next id arrives after its deadline, is reported as not stored', async () => {
  const { clock, right, ids, auction, place, placeOnOthers } = await createLateService()
  ids.areLate = false
  expect(await place(100)).toBe('accepted')
  expect(await outcomeOf(createTestService({ store: right, clock }).placeBid(newBid(auction, 3, 105)))).toBe('accepted')
  ids.areLate = true
  const outcome = place(200)
  placeOnOthers()
  await clock.pass(latestMs)
  expect(await outcome).toBe('nothing-changed')
  await clock.pass(lateMs)
  expect(await amountsOf(right, auction)).toEqual([100, 105])
})
