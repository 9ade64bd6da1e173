// All examples use five auctions: a desk with two bids, a chair that is bought, a lamp that is cancelled, a coin, and a
// clock whose price falls.

/** When the requests are sent. */
export const timestamp = '2030-01-31T12:00:00.000Z'
const terms = { currency: 'USD', startTime: '2030-01-31T11:00:00Z', endTime: '2030-02-07T12:00:00Z' }

export const deskAuction = {
  productId: 7,
  ownerId: 1,
  title: 'Walnut desk',
  description: 'Four drawers, one key.',
  startingPrice: 100,
  minimumBidIncrement: 5,
  ...terms,
}

/** An auction that extends, has a reserve and can be bought. */
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

export const lampAuction = {
  productId: 9,
  ownerId: 4,
  title: 'Brass lamp',
  startingPrice: 20,
  minimumBidIncrement: 1,
  ...terms,
  cancellableUntilEnd: true,
  metadata: { pictureUrl: 'https://shop.example/lamp.jpg', lotNumber: '17' },
}

/** An auction whose increments grow with the price, with a reserve. */
export const coinAuction = {
  productId: 10,
  ownerId: 4,
  title: 'Silver coin',
  startingPrice: 20,
  minimumBidIncrement: 1,
  ...terms,
  incrementSteps: [
    { fromPrice: 50, increment: 2.5 },
    { fromPrice: 100, increment: 5 },
  ],
  maximumBidIncrement: 1000,
  reservePrice: 60,
}

/** An auction whose bids stay secret until its end. The winner pays what the second bidder offered. */
export const ringAuction = {
  format: 'sealed',
  productId: 12,
  ownerId: 4,
  title: 'Ring',
  pricing: 'second',
  startingPrice: 100,
  ...terms,
}

/** An auction whose price falls every ten minutes. An hour after its start, it is 170. */
export const clockAuction = {
  format: 'falling',
  productId: 11,
  ownerId: 4,
  title: 'Table clock',
  startingPrice: 200,
  falling: { decrement: 5, intervalSeconds: 600, floorPrice: 80 },
  ...terms,
}
