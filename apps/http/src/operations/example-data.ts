/** What the examples of all operations tell of: one auction of a desk, and the two bids on it. */

export const deskAuction = {
  productId: 7,
  ownerId: 1,
  title: 'Walnut desk',
  description: 'Four drawers, one key.',
  startingPrice: 100,
  minimumBidIncrement: 5,
  currency: 'USD',
  startTime: '2030-01-31T11:00:00Z',
  endTime: '2030-02-07T12:00:00Z',
}

export const createdAuction = { id: 1, ...deskAuction, status: 'Pending' }

/** As it is read after both bids. */
export const runningAuction = {
  id: 1,
  ...deskAuction,
  status: 'Active',
  currentPrice: 110.5,
  minimumNextBid: 115.5,
  bidCount: 2,
  result: null,
}

export const firstBid = { id: 1, auctionId: 1, bidderId: 2, amount: 100, timestamp: '2030-01-31T12:00:00.000Z' }
export const secondBid = { id: 2, auctionId: 1, bidderId: 3, amount: 110.5, timestamp: '2030-01-31T12:00:00.000Z' }
