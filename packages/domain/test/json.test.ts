import { sampleAuction, sampleNewAuction, sampleNewBid } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import {
  asUser,
  auctionJson,
  auctionViewJson,
  bidJson,
  everyone,
  placedBidJson,
  refusalJson,
} from '../src/public/json.ts'
import { toCurrency } from '../src/values/currency.ts'
import { toUserId } from '../src/values/ids.ts'
import { momentAt } from '../src/values/moment.ts'
import { toAmountMinor } from '../src/values/money.ts'
import { unwrap } from '../src/values/result.ts'
import { createTestService } from './support/service.ts'

// The tests of the HTTP service compare all fields with their schemas.

const [owner, anna, ben] = [toUserId(1), toUserId(2), toUserId(3)]

async function createService() {
  const service = createTestService()
  const fields = sampleNewAuction({ ownerId: 1, startingPrice: 0.1, minimumBidIncrement: 0.2, reservePrice: 70.07 })
  const auction = unwrap(await service.createAuction(fields))
  const placed = unwrap(await service.placeBid(sampleNewBid({ bidderId: 2, amount: 0.3, maximumAmount: 69.99 })))
  const bid = unwrap(await service.readBid(placed.id))
  return { auction, placed, bid, view: unwrap(await service.readAuction(auction.id)) }
}

test('amounts are exact decimals, also where minor units divided by 100 are not', async () => {
  const { view } = await createService()
  expect(JSON.parse(JSON.stringify(auctionViewJson(view, everyone)))).toMatchObject({
    startingPrice: 0.1,
    minimumBidIncrement: 0.2,
    currentPrice: 0.3,
    minimumNextBid: 0.5,
    leaderId: 2,
    reserveMet: false,
    result: null,
    effectiveEndTime: view.auction.endTime.iso,
  })
})

test('a lot names its sale and its number, but no entry of the sale', () => {
  const sale = { saleId: 7, lot: '12A', saleSequence: 3 }
  expect(auctionJson(sampleAuction(sale), 'Pending', everyone)).toMatchObject({ saleId: 7, lot: '12A' })
  expect(auctionJson(sampleAuction(sale), 'Pending', everyone)).not.toHaveProperty('saleSequence')
})

test('everyone sees no reserve and no maximum', async () => {
  const { auction, view, bid, placed } = await createService()
  const shown = [
    auctionJson(auction, 'Active', everyone),
    auctionViewJson(view, everyone),
    bidJson(bid, everyone),
    placedBidJson(placed, everyone),
  ]
  expect(JSON.stringify(shown)).not.toMatch(/70\.07|7007|69\.99|6999|reservePrice|aximumAmount|yourMaximum|youLead/)
})

test('a user sees the reserves of the auctions that they own, and their maximums', async () => {
  const { view, bid } = await createService()
  const seenBy = (userId: typeof anna) => {
    const { reservePrice, youLead, yourMaximum } = auctionViewJson(view, asUser(userId))
    return { reservePrice, youLead, yourMaximum, maximumAmount: bidJson(bid, asUser(userId)).maximumAmount }
  }
  const none = { reservePrice: undefined, youLead: false, yourMaximum: undefined, maximumAmount: undefined }
  expect(seenBy(owner)).toStrictEqual({ ...none, reservePrice: 70.07 })
  expect(seenBy(anna)).toStrictEqual({ ...none, youLead: true, yourMaximum: 69.99, maximumAmount: 69.99 })
  expect(seenBy(ben)).toStrictEqual(none)
})

test('refusals have exact decimals, the code of the currency and the text of moments, and nothing in minor units', () => {
  const prices = { currentPriceMinor: toAmountMinor(30), minimumNextBidMinor: toAmountMinor(6999) }
  const [kwd, jpy] = [toCurrency('KWD'), toCurrency('JPY')]
  expect(refusalJson({ code: 'bid-too-low', ...prices, currency: kwd })).toStrictEqual({
    code: 'bid-too-low',
    currentPrice: 0.03,
    minimumNextBid: 6.999,
    currency: 'KWD',
  })
  const none = { code: 'bid-too-low', ...prices, minimumNextBidMinor: undefined, currency: jpy }
  expect(refusalJson(none)).toMatchObject({ currentPrice: 30, minimumNextBid: null })
  const ended = { code: 'auction-ended', endTime: momentAt(Date.UTC(2030, 0, 31)), final: 'closed' }
  expect(refusalJson(ended)).toStrictEqual({ ...ended, endTime: '2030-01-31T00:00:00.000Z' })
  const invalid = { code: 'validation-failed', errors: [{ field: 'title', message: 'is missing' }], moreErrors: 0 }
  expect(refusalJson(invalid)).toStrictEqual(invalid)
})
