import { priceAt } from './client.js'
/** @import { Auction } from './client.js' */

/** Whether the price falls until a buyer takes it, so that the auction has no bids. @param {Auction} auction */
export const isFalling = ({ format }) => format === 'falling'

/** The price at a time, and the next one: it falls between two reads. @param {Auction} auction @param {number} nowMs */
export const priceNow = (auction, nowMs) =>
  priceAt(auction, nowMs) ?? { currentPrice: auction.currentPrice, nextPrice: null, nextPriceAtMs: null }
