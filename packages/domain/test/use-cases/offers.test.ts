import { createMemorySealer } from '@auction/adapters/memory'
import { sampleAuction, sampleExtension } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import { offerAuction, parseNewOffer } from '../../src/auction/second-chance.ts'
import { createAuctionService } from '../../src/service.ts'
import { toUserId } from '../../src/values/ids.ts'
import { toMoment } from '../../src/values/moment.ts'
import { toAmountMinor } from '../../src/values/money.ts'
import { unwrap } from '../../src/values/result.ts'
import { contested, derivingOf, later, serveEnded } from '../support/derived.ts'
import { cancel, codeOf, newAuction } from '../support/service.ts'
import { pointers } from '../support.ts'

describe('an offer', () => {
  test('is an auction at one price that only the next bidder can buy', async () => {
    const { service, auction, clock, offer } = await serveEnded(contested, { metadata: { lot: '7' } })
    const made = unwrap(await offer([9]))
    expect(made).toMatchObject({
      ...{ format: 'falling', offerOf: auction.id, offeredTo: 2, startingPriceMinor: 155_00 },
      ...{ falling: { floorPriceMinor: 155_00 }, cancellableUntilEnd: true, endTime: { iso: later.endTime } },
      ...{ startTime: { epochMs: clock.nowMs() }, title: 'A vase', description: 'It is old.', metadata: { lot: '7' } },
    })
    expect(made).not.toHaveProperty('isPrivate')
    const read = async () => unwrap(await service.readAuction(made.id))
    clock.set('2030-03-05T12:00:00Z')
    expect(await read()).toMatchObject({ status: 'Active', currentPriceMinor: 155_00, nextPriceMinor: undefined })
    const { buy, bid } = derivingOf(service, made.id)
    expect(codeOf(await bid(2, 200))).toBe('bids-not-taken')
    expect(await buy(4, 155)).toStrictEqual({ ok: false, refusal: { code: 'not-admitted', bidderId: 4 } })
    expect(codeOf(await buy(2, 154))).toBe('price-is-higher')
    expect(codeOf(await buy(2, 160))).toBe('accepted')
    expect(await read()).toMatchObject({ result: { outcome: 'bought', buyerId: 2, priceMinor: 155_00 } })
  })

  test('of a lot is not part of the sale', () => {
    const offered = { excludedBidderIds: [], endTime: toMoment(later.endTime) }
    const offerOf = (source: Auction) => offerAuction(source, offered, toUserId(2), toAmountMinor(100_00), 0)
    const lot = sampleAuction({ saleId: 7, lot: '12A', saleSequence: 3 })
    expect(offerOf(lot)).toStrictEqual(offerOf(sampleAuction()))
  })

  test('can be extended and cancelled', async () => {
    const { service, offer } = await serveEnded(contested)
    const made = unwrap(await offer([9]))
    const extension = sampleExtension('2030-03-09T12:00:00Z')
    expect(codeOf(await service.extendAuction({ auctionId: made.id, extension, editor: 'staff' }))).toBe('accepted')
    expect(codeOf(await cancel(service, made))).toBe('accepted')
    expect(codeOf(await offer([9, 2]))).toBe('accepted')
  })

  test('is the same for the same excluded bidders, and one at a time', async () => {
    const { service, offer, relist } = await serveEnded(contested)
    const made = unwrap(await offer([9, 5]))
    const again = { ok: true, value: made, isRepeated: true }
    expect(await offer([5, 9], { endTime: '2030-04-01T12:00:00Z', price: 10 })).toStrictEqual(again)
    const open = { refusal: { code: 'auction-has-offer', offerId: made.id } }
    expect(await offer([9])).toMatchObject(open)
    expect(await relist()).toMatchObject(open)
    unwrap(await derivingOf(service, made.id).buy(2, 155))
    expect(await offer([9, 5])).toStrictEqual(again)
    // Who has bought the offer is excluded next.
    expect(await offer([9])).toMatchObject({ refusal: { errors: [{ pointer: '/excludedBidderIds' }] } })
    const next = unwrap(await offer([2, 9]))
    expect(next).toMatchObject({ offeredTo: 4, startingPriceMinor: 100_00 })
    unwrap(await cancel(service, next))
    expect(codeOf(await offer([2, 4, 9]))).toBe('no-next-bidder')
    unwrap(await relist())
    expect(await offer([9, 5])).toStrictEqual(again)
  })

  test('that has ended without a buyer can be made again', async () => {
    const { service, offer } = await serveEnded(contested)
    const first = unwrap(await offer([9]))
    unwrap(await cancel(service, first))
    const second = unwrap(await offer([9], { price: 120 }))
    expect(second).toMatchObject({ offeredTo: 2, startingPriceMinor: 120_00 })
    expect(second.id).not.toBe(first.id)
    expect(await offer([9])).toStrictEqual({ ok: true, value: second, isRepeated: true })
  })

  test('is not relisted, and not offered again', async () => {
    const { service, auction, offer } = await serveEnded(contested)
    const made = unwrap(await offer([9]))
    const refused = { refusal: { code: 'auction-is-offer', offerOf: auction.id } }
    expect(await derivingOf(service, made.id).relist()).toMatchObject(refused)
    expect(await derivingOf(service, made.id).offer([])).toMatchObject(refused)
  })

  test.each([
    { title: 'without the winner', fields: { excluded: [2] }, pointer: '/excludedBidderIds' },
    { title: 'with an end that is over', fields: { endTime: '2030-02-07T12:00:02Z' }, pointer: '/endTime' },
    { title: 'at an inexact price', fields: { price: 1.001 }, pointer: '/price' },
  ])('is refused $title', async ({ fields: { excluded = [9], ...fields }, pointer }) => {
    const { offer } = await serveEnded(contested)
    expect(await offer(excluded, fields)).toMatchObject({ refusal: { errors: [{ pointer }] } })
  })

  test('needs a price if the reserve is above the bids, and the error does not tell it', async () => {
    const { offer } = await serveEnded([{ bidderId: 2, amount: 120 }], { reservePrice: 177 })
    const refusal = await offer([])
    expect(refusal).toMatchObject({ refusal: { errors: [{ pointer: '/price' }] } })
    expect(JSON.stringify(refusal)).not.toContain('177')
    expect(unwrap(await offer([], { price: 140 }))).toMatchObject({ offeredTo: 2, startingPriceMinor: 140_00 })
  })

  test('is of no auction without bids, and of none whose price falls', async () => {
    const falling = { decrement: 5, intervalSeconds: 60, floorPrice: 60 }
    const format = { format: 'falling', minimumBidIncrement: undefined, falling }
    for (const fields of [{}, format])
      expect(codeOf(await (await serveEnded([], fields)).offer([]))).toBe('no-next-bidder')
  })

  test('of a long ledger reads all of it', async () => {
    const bids = Array.from({ length: 1_100 }, (_, index) => ({ bidderId: 2 + (index % 2), amount: 100 + 5 * index }))
    const { offer } = await serveEnded([{ bidderId: 4, amount: 100, maximumAmount: 102 }, ...bids.slice(1)])
    expect(unwrap(await offer([2, 3]))).toMatchObject({ offeredTo: 4, startingPriceMinor: 100_00 })
  })

  test('is made at most 50 times, and the auction is relisted after that', async () => {
    const { service, offer, relist } = await serveEnded(contested)
    for (let count = 0; count < 50; count++) unwrap(await cancel(service, unwrap(await offer([9, 100 + count]))))
    expect(codeOf(await offer([9]))).toBe('too-many-offers')
    expect(codeOf(await relist())).toBe('accepted')
  })

  test('has up to 100 different excluded bidders, an end, and no other fields', () => {
    const endTime = later.endTime
    const ids = Array.from({ length: 101 }, (_, index) => index + 1)
    expect(pointers(parseNewOffer({ excludedBidderIds: ids.slice(1), endTime }))).toEqual([])
    for (const excludedBidderIds of [ids, [2, 2], 'x'])
      expect(pointers(parseNewOffer({ excludedBidderIds, endTime }))).toEqual(['/excludedBidderIds'])
    expect(pointers(parseNewOffer({ price: -1, to: 2 }))).toEqual(['/excludedBidderIds', '/endTime', '/price', '/to'])
  })
})

const bids = [
  { bidderId: 2, amount: 300 },
  { bidderId: 3, amount: 200 },
  { bidderId: 9, amount: 400 },
]

describe('an offer of a sealed auction', () => {
  test('has the price of the other bid, and is private, but not for extensions such as webhooks', async () => {
    const { service, offer } = await serveEnded(bids, { format: 'sealed' })
    const made = unwrap(await offer([9]))
    expect(made).toMatchObject({ offeredTo: 2, startingPriceMinor: 200_00, isPrivate: true })
    const { listEvents } = service.extend({})
    unwrap(await derivingOf(service, made.id).buy(2, 200))
    const query = { after: 0, through: 1, limit: 1 }
    expect(unwrap(await listEvents(made.id, query)).items).toMatchObject([{ type: 'ended' }])
    expect(codeOf(await service.listEvents(made.id, query))).toBe('auction-not-found')
    expect(codeOf(await service.listEvents(made.id, { ...query, viewerId: toUserId(2) }))).toBe('accepted')
  })

  test('is in no list, whose pages are as full as others, and have no position of it', async () => {
    const { service, auction, offer, store, clock, sealer } = await serveEnded(bids, { format: 'sealed' })
    const { id } = unwrap(await offer([9]))
    expect(codeOf(await cancel(service, { id }))).toBe('auction-not-found')
    unwrap(await service.cancelAuction({ auctionId: id, seesPrivate: true }))
    unwrap(await offer([9, 2]))
    const other = createAuctionService({ store, clock, sealer })
    const newest = unwrap(await other.createAuction(newAuction({ endTime: later.endTime })))
    const list = async (limit: number, seesPrivate = false) => {
      const { items, next } = unwrap(await service.listAuctions({ order: 'newest', limit, seesPrivate }))
      return { ids: items.map((view) => view.auction.id), nextId: next?.id }
    }
    expect(await list(1)).toEqual({ ids: [newest.id], nextId: newest.id })
    expect(await list(2)).toEqual({ ids: [newest.id, auction.id], nextId: undefined })
    expect(await list(3)).toEqual({ ids: [newest.id, auction.id], nextId: undefined })
    expect((await list(4, true)).ids.length).toBe(4)
  })

  test('needs the key of the bids', async () => {
    const { auction, store, clock } = await serveEnded(bids, { format: 'sealed' })
    const sealer = { ...createMemorySealer(), open: noKey }
    const { offer } = derivingOf(createAuctionService({ store, clock, sealer }), auction.id)
    await expect(offer([9])).rejects.toMatchObject({ code: 'sealed-bids-unavailable' })
  })
})

function noKey(): never {
  throw Object.assign(new Error('no key'), { code: 'key-missing' })
}
