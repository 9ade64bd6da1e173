import { sampleNewBid } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import { unwrap } from '../../src/values/result.ts'
import { allOf, auctionIdOf, bidIn, correct, newBid, serveAuction, type TestService } from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

const bidWithMaximum = (
  { placeBid }: TestService,
  { id }: Auction,
  bidderId: number,
  amount: number,
  maximum: number,
) => placeBid(sampleNewBid({ auctionId: id, bidderId, amount, maximumAmount: maximum }))

/** The amounts of all bids, newest first, read page by page. */
async function listAll(service: TestService, { id }: Auction, limit: number) {
  const bids = await allOf((before?: number) => service.listBids(id, { limit, before }))
  return bids.map(({ amountMinor }) => amountMinor / 100)
}

test('pages have all bids, newest first, unaffected by new ones', async () => {
  const { service, auction } = await serveAuction()
  const placed = []
  for (let count = 0; count < 5; count++)
    placed.push(unwrap(await service.placeBid(newBid(auction, 2, 100 + count * 5))))
  let amount = 1_000
  const seen = await allOf(async (before?: number) => {
    amount += 1_000
    if (before !== undefined) unwrap(await service.placeBid(newBid(auction, 3, amount)))
    return service.listBids(auction.id, { limit: 2, before })
  })
  expect(seen).toStrictEqual(placed.map(bidIn).toReversed())
})

test('the list has no empty pages, however many maximums are raised', async () => {
  const { store, calls } = createCountingStore()
  const { service, auction } = await serveAuction({}, { store })
  await service.placeBid(newBid(auction, 3, 100))
  await bidWithMaximum(service, auction, 2, 110, 200)
  for (let cents = 1; cents <= 300; cents++) await bidWithMaximum(service, auction, 2, 110, 200 + cents / 100)
  await service.placeBid(newBid(auction, 3, 120))
  for (let cents = 1; cents <= 300; cents++) await bidWithMaximum(service, auction, 2, 110, 300 + cents / 100)
  calls.length = 0
  expect(await listAll(service, auction, 20)).toEqual([125, 120, 110, 100])
  expect(calls.length).toBeLessThan(8)
  for (const limit of [1, 2, 3]) expect(await listAll(service, auction, limit)).toHaveLength(4)
})

test.each([1, 2, 3, 4, 6, 100])(
  'the list contains each bid once, in pages of %i, if entries have none, one or two',
  async (limit) => {
    const { service, auction } = await serveAuction()
    await correct(service, auction, { title: 'Desk' })
    await bidWithMaximum(service, auction, 2, 100, 200)
    await service.placeBid(newBid(auction, 3, 120))
    for (const maximum of [210, 220, 230, 240, 250]) await bidWithMaximum(service, auction, 2, 100, maximum)
    await bidWithMaximum(service, auction, 4, 130, 400)
    await service.placeBid(newBid(auction, 5, 500))
    service.clock.set('2030-02-07T12:00:02Z')
    await service.closeDue()
    expect(await listAll(service, auction, limit)).toEqual([500, 255, 130, 125, 120, 100])
  },
)

test('a full page of an auction without further bids is the last, after the end and a correction, too', async () => {
  const { service, auction } = await serveAuction()
  await correct(service, auction, { title: 'Desk' })
  for (const amount of [100, 105, 110]) await service.placeBid(newBid(auction, 2, amount))
  service.clock.set('2030-02-07T12:00:02Z')
  await service.closeDue()
  const { items, next } = unwrap(await service.listBids(auction.id, { limit: 3 }))
  expect([items.length, next]).toEqual([3, undefined])
})

test('the list is empty for an auction without bids, and refused for a missing auction', async () => {
  const { service, auction } = await serveAuction()
  expect(unwrap(await service.listBids(auction.id, { limit: 2 }))).toEqual({ items: [], next: undefined })
  const missing = { ok: false, refusal: { code: 'auction-not-found', auctionId: 999 } }
  expect(await service.listBids(auctionIdOf(999), { limit: 2 })).toEqual(missing)
})
