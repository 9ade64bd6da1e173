import { sampleAuction } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import type { IdSource } from '../../src/store/ids-from-blocks.ts'
import { type AuctionId, type BidId, toAuctionId } from '../../src/values/ids.ts'
import { createSteppedClock, everythingSettled } from '../support/clocks.ts'
import { createPlainStore } from '../support/plain-store.ts'
import {
  amountsOf,
  createServiceWithIds,
  createTestService,
  ledgerOf,
  newAuction,
  newBid,
  openTime,
  outcomeOf,
} from '../support/service.ts'

/** Ids that resolve when the test says, in the order of the requests. */
function createLateIds<Id extends number>(): IdSource<Id> & { arrive(id: number): Promise<void> } {
  const requests: ((id: Id) => void)[] = []
  const next = () => new Promise<Id>((resolve) => void requests.push(resolve))
  return {
    next,
    nextPair: next,
    arrive(id) {
      requests.shift()?.(id as Id) // A whole number above 0.
      return everythingSettled()
    },
  }
}

/** With this limit a bid times out before its lane pauses because it was busy for ten turns. */
const deadlineMs = 500
const latestMs = 450

function createLateService() {
  const clock = createSteppedClock(openTime)
  const store = createPlainStore()
  const ids = { auctions: createLateIds<AuctionId>(), entries: createLateIds<BidId>() }
  return { clock, store, ids, service: createServiceWithIds({ store, clock, limits: { deadlineMs } }, ids) }
}

test('an auction whose id arrives after its deadline is not stored, since its caller received nothing-changed', async () => {
  const { clock, store, ids, service } = createLateService()
  const outcome = outcomeOf(service.createAuction(newAuction()))
  await clock.pass(latestMs)
  expect(await outcome).toBe('nothing-changed')
  await ids.auctions.arrive(1)
  expect(await store.findAuction(toAuctionId(1))).toBeUndefined()
})

test('a bid whose id arrives after its deadline is not stored, since its caller received nothing-changed', async () => {
  const { clock, store, ids, service } = createLateService()
  const auction = sampleAuction()
  await store.insertAuction(auction)
  const outcome = outcomeOf(service.placeBid(newBid(auction, 2, 100)))
  await clock.pass(latestMs)
  expect(await outcome).toBe('nothing-changed')
  await ids.entries.arrive(1)
  expect(await ledgerOf(store, auction)).toEqual([])
})

test('a bid that conflicts, and whose next id arrives after its deadline, is reported as not stored', async () => {
  const { clock, store, ids, service } = createLateService()
  const auction = sampleAuction()
  await store.insertAuction(auction)
  const outcome = outcomeOf(service.placeBid(newBid(auction, 2, 200)))
  await clock.pass(0)
  await createTestService({ store }).placeBid(newBid(auction, 3, 100))
  await ids.entries.arrive(1_001)
  await clock.pass(latestMs)
  expect(await outcome).toBe('nothing-changed')
  await ids.entries.arrive(1_002)
  expect(await amountsOf(store, auction)).toEqual([100])
})

test('a bid that times out while another bid of its batch waits for an id is not stored; the other is', async () => {
  const { clock, store, ids, service } = createLateService()
  const auction = sampleAuction()
  await store.insertAuction(auction)
  const place = (amount: number) => outcomeOf(service.placeBid(newBid(auction, 2, amount)))
  const first = place(100)
  const late = place(105)
  await clock.pass(100)
  const intime = place(110)
  for (const id of [1, 2]) await ids.entries.arrive(id)
  await clock.pass(latestMs - 100)
  expect([await first, await late]).toEqual(['accepted', 'nothing-changed'])
  for (const id of [3, 4]) await ids.entries.arrive(id)
  expect(await intime).toBe('accepted')
  expect(await amountsOf(store, auction)).toEqual([100, 110])
})
