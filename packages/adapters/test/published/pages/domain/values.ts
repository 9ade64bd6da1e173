import type { NewAuction, NewBid } from '@auction/domain/auction'
import { toAuctionId, toProductId, toUserId } from '@auction/domain/ids'
import { toMoment } from '@auction/domain/moment'
import { exactMinor, toCurrency, toPositiveDecimal } from '@auction/domain/money'

const usd = toCurrency('USD')

export const desk: NewAuction = {
  productId: toProductId(7),
  ownerId: toUserId(1),
  title: 'Walnut desk',
  startingPriceMinor: exactMinor(100, usd),
  minimumBidIncrementMinor: exactMinor(2.5, usd),
  currency: usd,
  startTime: toMoment('2030-01-31T12:00:00Z'),
  endTime: toMoment('2030-01-31T13:00:00Z'),
}

export const offer: NewBid = { auctionId: toAuctionId(1), bidderId: toUserId(2), amount: toPositiveDecimal(102.5) }
