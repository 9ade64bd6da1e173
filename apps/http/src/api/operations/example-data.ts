// The data of all examples: a desk with two bids, a chair that is bought, and a lamp that is cancelled.

export const timestamp = '2030-01-31T12:00:00.000Z'
const terms = { currency: 'USD', startTime: '2030-01-31T11:00:00Z', endTime: '2030-02-07T12:00:00Z' }

const stateWithoutBids = {
  status: 'Active',
  currentPrice: 0,
  minimumNextBid: 0,
  bidCount: 0,
  leaderId: null,
  result: null,
  createdAt: timestamp,
  endedAt: null,
  correctedAt: null,
}

export const deskAuction = {
  productId: 7,
  ownerId: 1,
  title: 'Walnut desk',
  description: 'Four drawers, one key.',
  startingPrice: 100,
  minimumBidIncrement: 5,
  ...terms,
}

export const createdAuction = { id: 1, ...deskAuction, status: 'Pending' }

const afterTwoBids = { currentPrice: 110.5, minimumNextBid: 115.5, bidCount: 2, leaderId: 3 }

export const runningAuction = { id: 1, ...deskAuction, ...stateWithoutBids, ...afterTwoBids }

export const firstBid = { id: 1, auctionId: 1, bidderId: 2, amount: 100, timestamp }
export const secondBid = { id: 2, auctionId: 1, bidderId: 3, amount: 110.5, timestamp }

/** An auction with all optional features. */
export const chairAuction = {
  productId: 8,
  ownerId: 4,
  title: 'Oak chair',
  startingPrice: 50,
  minimumBidIncrement: 5,
  ...terms,
  softClose: { windowSeconds: 300, extensionSeconds: 300, latestEndTime: '2030-02-07T13:00:00Z' },
  reservePrice: 150,
  buyNowPrice: 200,
}

// Callers of the examples are not bound to users, so no response shows the reserve.
const { reservePrice: _reserve, ...visibleChair } = chairAuction

export const createdChair = { id: 2, ...visibleChair, status: 'Pending' }

export const boughtChair = {
  id: 2,
  ...visibleChair,
  status: 'Ended',
  currentPrice: 65,
  minimumNextBid: 70,
  bidCount: 3,
  leaderId: 2,
  effectiveEndTime: '2030-02-07T12:00:00Z',
  reserveMet: false,
  buyNowOffered: false,
  result: { outcome: 'bought', buyerId: 3, price: 200 },
  createdAt: timestamp,
  endedAt: timestamp,
  correctedAt: null,
}

export const bidWithMaximum = { id: 3, auctionId: 2, bidderId: 2, amount: 50, timestamp }
export const outbidAtOnce = { id: 4, auctionId: 2, bidderId: 3, amount: 60, timestamp }
export const automaticBid = { id: 5, auctionId: 2, bidderId: 2, amount: 65, timestamp, automatic: true }

/** The bid with a maximum in the list of its bidder. The automatic bid leads for the bidder. */
export const leadingBid = {
  ...bidWithMaximum,
  standing: 'leading',
  auction: {
    id: 2,
    title: 'Oak chair',
    currency: 'USD',
    endTime: terms.endTime,
    status: 'Active',
    currentPrice: 65,
    minimumNextBid: 70,
    effectiveEndTime: terms.endTime,
    result: null,
    endedAt: null,
  },
}

export const lampAuction = {
  productId: 9,
  ownerId: 4,
  title: 'Brass lamp',
  startingPrice: 20,
  minimumBidIncrement: 1,
  ...terms,
  cancellableUntilEnd: true,
}

export const createdLamp = { id: 3, ...lampAuction, status: 'Pending' }

export const correctedLamp = {
  id: 3,
  ...lampAuction,
  title: 'Brass lamp, 1920',
  description: 'The shade is new.',
  ...stateWithoutBids,
  currentPrice: 20,
  minimumNextBid: 20,
  correctedAt: timestamp,
}

export const cancelledLamp = {
  ...correctedLamp,
  status: 'Cancelled',
  result: { outcome: 'cancelled', reason: 'Broken in transport' },
  endedAt: timestamp,
}

const bidEvent = { type: 'bid', auctionId: 1, timestamp, effectiveEndTime: terms.endTime }

export const firstBidEvent = {
  ...bidEvent,
  sequence: 1,
  bids: [firstBid],
  currentPrice: 100,
  minimumNextBid: 105,
  bidCount: 1,
  leaderId: 2,
}

export const secondBidEvent = { ...bidEvent, sequence: 2, bids: [secondBid], ...afterTwoBids }
