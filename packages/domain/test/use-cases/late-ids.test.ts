import { createMemoryStore } from '@auction/adapters/memory'
import { sampleAuction } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import type { Store } from '../../src/store/store.ts'
import { idsPerBlock } from '../../src/values/ids.ts'
import { createSteppedClock } from '../support/clocks.ts'
import {
  amountsOf,
  auctionIdOf,
  createTestService,
  ledgerOf,
  newAuction,
  newBid,
  openTime,
  outcomeOf,
} from '../support/service.ts'
import { createHeldStore } from '../support/stores.ts'

/** With this limit a bid times out before its lane pauses because it was busy for ten turns. */
const deadlineMs = 500
const latestMs = 450
/** Each call is within the time limit of the store. A claim that finds its block taken makes four, which is later than the deadline. */
const callMs = 150
const claimMs = 4 * callMs
const headStartMs = 110

/** A process whose claims of ids take long, once they are late. */
async function createLateService(plant: (right: Store) => Store = (right) => right) {
  const clock = createSteppedClock(openTime)
  const right = createMemoryStore()
  const ids = { areLate: true, claimed: 0 }
  let claims = 0
  const late = async () => {
    if (ids.areLate) await new Promise<void>((resolve) => void clock.after(callMs, resolve))
  }
  const store: Store = {
    ...plant(right),
    async highestIdBlock(kind) {
      await late()
      return right.highestIdBlock(kind)
    },
    async claimIdBlock(kind, block) {
      await late()
      claims += 1
      if (ids.areLate && claims % 2 === 1) return 'taken'
      ids.claimed += 1
      return right.claimIdBlock(kind, block)
    },
  }
  const service = createTestService({ store, clock, limits: { deadlineMs } })
  const auction = sampleAuction()
  await right.insertAuction(auction)
  const place = (amount: number, on: Pick<Auction, 'id'> = auction) =>
    outcomeOf(service.placeBid(newBid(on, 2, amount)))
  /** Uses the ids of the first block, but for the last ones. The claim of the next block begins, and takes `claimMs`. */
  async function useIdsBut(last: number): Promise<void> {
    const other = sampleAuction({ id: 2 })
    await right.insertAuction(other)
    ids.areLate = false
    await place(100, other)
    ids.areLate = true
    claims = 0
    ids.claimed = 0
    const bids = Array.from({ length: idsPerBlock.entries - 1 - last }, (_, index) => place(105 + 5 * index, other))
    expect(new Set(await Promise.all(bids))).toEqual(new Set(['accepted']))
  }
  return { clock, right, ids, service, auction, place, useIdsBut }
}

test('an auction whose id arrives after its deadline is not stored, since its caller received nothing-changed', async () => {
  const { clock, right, ids, service } = await createLateService()
  const outcome = outcomeOf(service.createAuction(newAuction()))
  await clock.pass(latestMs)
  expect(await outcome).toBe('nothing-changed')
  await clock.pass(claimMs - latestMs)
  expect(ids.claimed).toBe(1)
  const firstId = auctionIdOf(idsPerBlock.auctions + 1)
  expect(await right.findAuction(firstId)).toBeUndefined()
})

test('a bid whose id arrives after its deadline is not stored, since its caller received nothing-changed', async () => {
  const { clock, right, ids, auction, place } = await createLateService()
  const outcome = place(100)
  await clock.pass(latestMs)
  expect(await outcome).toBe('nothing-changed')
  await clock.pass(claimMs - latestMs)
  expect(ids.claimed).toBe(1)
  expect(await ledgerOf(right, auction)).toEqual([])
})

test('a bid that conflicts, and whose next id arrives after its deadline, is reported as not stored', async () => {
  const { clock, right, ids, auction, place, useIdsBut } = await createLateService()
  await useIdsBut(2)
  expect(await place(100)).toBe('accepted')
  expect(await outcomeOf(createTestService({ store: right, clock }).placeBid(newBid(auction, 3, 105)))).toBe('accepted')
  const outcome = place(200)
  await clock.pass(latestMs)
  expect(await outcome).toBe('nothing-changed')
  await clock.pass(claimMs - latestMs)
  expect(ids.claimed).toBe(1)
  expect(await amountsOf(right, auction)).toEqual([100, 105])
})

test('a bid that times out while another bid of its batch waits for an id is not stored; the other is', async () => {
  let held: ReturnType<typeof createHeldStore> | undefined
  const { clock, right, auction, place, useIdsBut } = await createLateService((store) => {
    held = createHeldStore(store)
    const { append } = held
    return {
      ...store,
      append: (entries) => (entries[0]?.auctionId === auctionIdOf(2) ? store.append(entries) : append(entries)),
    }
  })
  await useIdsBut(2)
  // The next block is claimed after the late bid times out, and before the other one does and the lane pauses.
  await clock.pass(headStartMs)
  const first = place(100)
  const late = place(105)
  const firstAppend = await held?.nextAppend()
  await clock.pass(100)
  const intime = place(110)
  await firstAppend?.release()
  await clock.pass(latestMs - 100)
  expect([await first, await late]).toEqual(['accepted', 'nothing-changed'])
  const lastAppend = held?.nextAppend()
  await clock.pass(claimMs - latestMs - headStartMs)
  await (await lastAppend)?.release()
  expect(await intime).toBe('accepted')
  expect(await amountsOf(right, auction)).toEqual([100, 110])
})
