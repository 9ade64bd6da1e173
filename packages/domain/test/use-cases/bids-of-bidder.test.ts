import { createMemoryStore } from '@auction/adapters/memory'
import { sampleNewBid, sampleRepair } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { UnreadableStoredError } from '../../src/store/errors.ts'
import type { EntryPosition, Store } from '../../src/store/store.ts'
import { toBidId, toUserId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import {
  auctionIdOf,
  bidIn,
  buy,
  createAuction,
  createTestService,
  newBid,
  serveAuction,
  type TestService,
} from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

const [anna, ben] = [toUserId(2), toUserId(3)]

const listOf = async (service: TestService, bidderId = anna, limit = 100) =>
  unwrap(await service.listBidsOfBidder(bidderId, { limit }))

test('lists the bids of all auctions, newest first, each with its auction and the standing of the bidder', async () => {
  const service = createTestService()
  const [first, second] = [await createAuction(service), await createAuction(service, { description: 'It is old.' })]
  const early = unwrap(await service.placeBid(newBid(first, 2, 100)))
  await service.placeBid(newBid(first, 3, 110))
  service.clock.set('2030-01-31T13:00:01Z')
  const late = unwrap(await service.placeBid(newBid(second, 2, 100)))
  const { items, next } = await listOf(service)
  const { items: views } = unwrap(await service.listAuctions({ order: 'newest', limit: 10 }))
  expect(items).toStrictEqual([
    { bid: bidIn(late), view: views[0], standing: 'leading' },
    { bid: bidIn(early), view: views[1], standing: 'outbid' },
  ])
  expect(next).toBe(undefined)
  expect((await listOf(service, ben)).items.map(({ standing }) => standing)).toEqual(['leading'])
  expect(await listOf(service, toUserId(9))).toEqual({ items: [], next: undefined })
})

test('lists a purchase like a bid, which a read by its id shows, too', async () => {
  const { service, auction } = await serveAuction({ buyNowPrice: 900 })
  const { endedAtMs } = unwrap(await buy(service, auction))
  const { items } = await listOf(service)
  expect(items).toMatchObject([{ standing: 'won', view: { status: 'Ended' } }])
  const purchase = {
    ...{ id: 1, auctionId: auction.id, bidderId: anna, amountMinor: 900_00, currency: auction.currency },
    ...{ timestampMs: endedAtMs, isPurchase: true },
  }
  expect(items[0]?.bid).toStrictEqual(purchase)
  expect(unwrap(await service.readBid(toBidId(1)))).toStrictEqual(purchase)
  expect(unwrap(await service.listBids(auction.id, { limit: 10 })).items).toEqual([])
})

test('shows the effect of automatic bids and raised maximums, which are not listed', async () => {
  const { service, auction } = await serveAuction()
  const bid = (bidderId: number, amount: number, maximumAmount: number) =>
    service.placeBid(sampleNewBid({ auctionId: auction.id, bidderId, amount, maximumAmount }))
  const own = unwrap(await bid(2, 100, 200))
  unwrap(await bid(2, 100, 300))
  unwrap(await bid(3, 150, 160))
  const { items } = await listOf(service)
  expect(items).toMatchObject([{ bid: bidIn(own), standing: 'leading', view: { bidCount: 3, leaderId: 2 } }])
  expect(await listOf(service, ben)).toMatchObject({ items: [{ standing: 'outbid' }] })
})

test('pages through the bids of one auction and one time, unaffected by new ones, with one read each', async () => {
  const { store, calls } = createCountingStore()
  const { service, auction } = await serveAuction({}, { store })
  for (let amount = 100; amount <= 200; amount += 10)
    await service.placeBid(newBid(auction, 2 + (amount % 20) / 10, amount))
  const seen: number[] = []
  let after: EntryPosition | undefined
  do {
    calls.length = 0
    const page = unwrap(await service.listBidsOfBidder(anna, { limit: 2, ...(after && { after }) }))
    expect(calls).toEqual(['listBidderEntries', 'findAuctions', 'findHeads'])
    seen.push(...page.items.map(({ bid }) => bid.amountMinor / 100))
    after = page.next
    await service.placeBid(newBid(auction, 2, 1_000 + seen.length * 100))
  } while (after !== undefined)
  expect(seen).toEqual([200, 180, 160, 140, 120, 100])
})

test('continues after an entry that is not listed, as a later version may add', async () => {
  const [right, { event }] = [createMemoryStore(), sampleRepair()]
  const listBidderEntries: Store['listBidderEntries'] = async (...args) =>
    (await right.listBidderEntries(...args)).map((entry) => (entry.id === 2 ? { ...entry, event } : entry))
  const service = createTestService({ store: { ...right, listBidderEntries } })
  for (let count = 1; count <= 3; count++) await service.placeBid(newBid(await createAuction(service), 2, 100))
  expect(await listOf(service, anna, 2)).toMatchObject({ items: [{ bid: { id: 3 } }], next: { id: 2 } })
})

/** A store in which auction 2 or the last entry of auction 4 is unreadable. */
function damagedStore(right: Store): Store {
  return {
    ...right,
    async findAuctions(wanted) {
      if ('ids' in wanted && wanted.ids.some((id) => id === 2))
        throw new UnreadableStoredError('auction', { id: 2 }, 'an invalid field')
      return right.findAuctions(wanted)
    },
    async findHeads(ids) {
      if (ids.some((id) => id === 4)) throw new UnreadableStoredError('entry', { id: 4 }, 'an invalid field')
      return right.findHeads(ids)
    },
  }
}

test('leaves out the bids of unreadable auctions and heads, and reports each once', async () => {
  const right = createMemoryStore()
  const writing = createTestService({ store: right })
  for (let count = 1; count <= 5; count++) {
    await writing.placeBid(newBid(await createAuction(writing), 2, 100))
  }
  const reported: string[] = []
  const observer = { onUnreadable: ({ message }: Error) => reported.push(message) }
  const service = createTestService({ store: damagedStore(right), observer })
  expect((await listOf(service)).items.map(({ bid }) => bid.auctionId)).toEqual([5, 3, 1])
  const short = await listOf(service, anna, 2)
  expect(short.items.map(({ bid }) => bid.auctionId)).toEqual([5])
  expect(short.next).toBeDefined()
  const listed = unwrap(await service.listAuctions({ ids: [5, 4, 3, 2, 1].map(auctionIdOf) }))
  expect(listed.items.map(({ auction }) => auction.id)).toEqual([5, 3, 1])
  expect(reported.length).toBe(2)
})

test('lists auctions by their ids, in that order, those that exist, with one read each', async () => {
  const { store, calls } = createCountingStore()
  const service = createTestService({ store })
  for (let count = 1; count <= 3; count++) await createAuction(service, { description: 'It is old.' })
  const { items } = unwrap(await service.listAuctions({ order: 'newest', limit: 3 }))
  calls.length = 0
  const [three, two, one] = items
  const page = unwrap(await service.listAuctions({ ids: [1, 9, 3, 2].map(auctionIdOf) }))
  expect(page).toStrictEqual({ items: [one, three, two], next: undefined })
  expect(calls).toEqual(['findAuctions', 'findHeads'])
})

test('an unexpected error of the store is not treated as unreadable data', async () => {
  const right = createMemoryStore()
  const store: Store = { ...right, findAuctions: () => Promise.reject(new Error('a bug')) }
  const { service, auction } = await serveAuction({}, { store })
  await service.placeBid(newBid(auction, 2, 100))
  await expect(listOf(service)).rejects.toThrow('a bug')
  await expect(service.listAuctions({ ids: [auction.id] })).rejects.toThrow('a bug')
})
