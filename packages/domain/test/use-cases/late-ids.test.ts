import { sampleAuction } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { type AuctionId, type BidId, toAuctionId } from '../../src/ids.ts'
import type { IdSource } from '../../src/ids-from-blocks.ts'
import { createSteppedClock, everythingSettled } from '../support/clocks.ts'
import { createPlainStore } from '../support/plain-store.ts'
import { createServiceWithIds, ledgerOf, newAuction, newBid, openTime, outcomeOf } from '../support/service.ts'

/** Ids that resolve when the test says. */
function createLateIds<Id extends number>(): IdSource<Id> & {
  nextPair(): Promise<Id>
  arrive(id: number): Promise<void>
} {
  const { promise, resolve } = Promise.withResolvers<Id>()
  return {
    next: () => promise,
    nextPair: () => promise,
    arrive(id) {
      resolve(id as Id) // A whole number above 0.
      return everythingSettled()
    },
  }
}

function createLateService() {
  const clock = createSteppedClock(openTime)
  const store = createPlainStore()
  const ids = { auctions: createLateIds<AuctionId>(), entries: createLateIds<BidId>() }
  return { clock, store, ids, service: createServiceWithIds({ store, clock }, ids) }
}

test('an auction whose id arrives after its deadline is not stored, since its caller received nothing-changed', async () => {
  const { clock, store, ids, service } = createLateService()
  const outcome = outcomeOf(service.createAuction(newAuction()))
  await clock.pass(10_000)
  expect(await outcome).toBe('nothing-changed')
  await ids.auctions.arrive(1)
  expect(await store.findAuction(toAuctionId(1))).toBeUndefined()
})

test('a bid whose id arrives after its deadline is not stored, since its caller received nothing-changed', async () => {
  const { clock, store, ids, service } = createLateService()
  const auction = sampleAuction()
  await store.insertAuction(auction)
  const outcome = outcomeOf(service.placeBid(newBid(auction, 2, 100)))
  await clock.pass(10_000)
  expect(await outcome).toBe('nothing-changed')
  await ids.entries.arrive(1)
  expect(await ledgerOf(store, auction)).toEqual([])
})
