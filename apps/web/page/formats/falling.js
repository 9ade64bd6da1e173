import { priceNow } from '../amounts.js'
import { isolated, phaseOf } from '../times.js'

/** @import { Auction } from '../client.js' */
/** @import { Format } from '../format.js' */
/** @import { AuctionFormat } from '../formats.js' */

/** An auction whose price falls until a buyer takes it. @type {AuctionFormat} */
export const falling = {
  title: 'formatFalling',
  action: 'buy',
  hasPriceHistory: false,
  signIn: 'signInToBuy',
  own: 'ownFalling',
  unsold: 'unsoldNoBuyer',
  withdrawal: { hint: 'withdrawNoneHint', done: 'repairWithdrawnAny' },
  endHint: 'endFallingHint',
  ruleTitle: 'fallingMark',
  rule: ({ text, money, duration }, auction) =>
    auction.falling === undefined
      ? ''
      : text('fallsBy', {
          decrement: money(auction.falling.decrement, auction),
          time: isolated(duration(auction.falling.intervalSeconds * 1_000)),
          floor: money(auction.falling.floorPrice, auction),
        }),
  mark: (format, auction, nowMs) =>
    auction.result === null || auction.offeredTo !== undefined
      ? nextMark(format, auction, nowMs)
      : format.text('fallingMark'),
  nextMark,
  open: ({ offeredTo }) => (offeredTo === undefined ? 'openToBuy' : 'offerMark'),
  priceTitle: ({ result }, phase) =>
    result !== null ? 'lastPrice' : phase === 'soon' ? 'startingPriceNow' : 'currentPrice',
  isFree: (auction, nowMs) => phaseOf(auction, nowMs) === 'soon',
  bidsListed: () => undefined,
}

/** The price to which it falls next, in a few words. @param {Format} format @param {Auction} auction @param {number} nowMs */
function nextMark(format, auction, nowMs) {
  if (auction.offeredTo !== undefined) return format.text('offerMark')
  const next = nextPriceOf(format, auction, nowMs)
  return next === undefined ? format.text('lowestPriceMark') : format.text('fallsToMark', next)
}

/** The next price and the time until it; undefined at the lowest. @param {Format} format @param {Auction} auction @param {number} nowMs */
export function nextPriceOf(format, auction, nowMs) {
  const { nextPrice, nextPriceAtMs } = priceNow(auction, nowMs)
  if (nextPrice === null || nextPriceAtMs === null) return undefined
  return { price: format.money(nextPrice, auction), time: isolated(format.duration(nextPriceAtMs - nowMs)) }
}
