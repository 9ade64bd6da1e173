import { parseNewAuction, parseNewBid } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'

const fields = {
  productId: 7,
  ownerId: 1,
  title: 'Walnut desk',
  startingPrice: 100,
  minimumBidIncrement: 2.5,
  currency: 'USD',
  startTime: '2030-01-31T12:00:00Z',
  endTime: '2030-01-31T13:00:00Z',
}

export const desk = unwrap(parseNewAuction(fields, Date.parse('2030-01-31T12:00:00Z')))

export const offer = unwrap(parseNewBid({ auctionId: 1, bidderId: 2, amount: 102.5 }))
