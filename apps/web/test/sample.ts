import type { Auction } from '../page/client.js'

/** An auction without bids. */
export const auction: Auction = {
  id: 1,
  productId: 1,
  ownerId: 1,
  currency: 'USD',
  status: 'Active',
  startingPrice: 1,
  minimumBidIncrement: 1,
  startTime: '2030-01-01T00:00:00Z',
  endTime: '2030-01-02T00:00:00Z',
  effectiveEndTime: '2030-01-02T00:00:00Z',
  createdAt: '2029-12-01T00:00:00Z',
  correctedAt: null,
  currentPrice: 1,
  minimumNextBid: 1,
  bidCount: 0,
  repairCount: 0,
  leaderId: null,
  endedAt: null,
  result: null,
}
