/** @import { Auction } from '../client.js' */
/** @import { Format } from '../format.js' */
/** @import { AuctionFormat } from '../formats.js' */

/** An auction in which bids rise. @type {AuctionFormat} */
export const english = {
  title: 'formatEnglish',
  action: 'bid',
  hasPriceHistory: true,
  signIn: 'signInToBid',
  own: 'ownAuction',
  unsold: 'unsoldNoBids',
  withdrawal: { hint: 'withdrawBidsHint', done: 'repairWithdrawn' },
  endHint: 'endAuctionHint',
  ruleTitle: 'increments',
  rule,
  mark: ({ text }, { bidCount }) => text('bidCount', { count: bidCount ?? 0 }),
  open: ({ bidCount }) => (bidCount === 0 ? 'noBidsYet' : 'openForBids'),
  priceTitle: ({ result, bidCount }) =>
    bidCount === 0 ? 'startingPriceNow' : result === null ? 'currentPrice' : 'highestBid',
  isFree: ({ bidCount }) => bidCount === 0,
  bidsListed: ({ bidCount }) => bidCount ?? 0,
}

/** How bids rise, in words. @param {Format} format @param {Auction} auction */
function rule({ text, money, percent }, auction) {
  const { minimumBidIncrement = 0, incrementSteps = [], incrementPercent, bidSteps, onlySteps } = auction
  if (bidSteps !== undefined) {
    const rows = bidSteps.map(({ fromPrice, amounts }) =>
      text('ladderRow', {
        price: money(fromPrice, auction),
        amounts: amounts.map((amount) => money(amount, auction)).join(', '),
      }),
    )
    const ladder = text(onlySteps === true ? 'riseOnlyLadder' : 'riseLadder', { rows: rows.join('; ') })
    const from = bidSteps[0]?.fromPrice ?? 0
    if (auction.startingPrice >= from) return ladder
    const below = { price: money(from, auction), increment: money(minimumBidIncrement, auction) }
    return `${ladder} ${text('riseBelow', below)}`
  }
  // A step from 0 counts instead of the minimum.
  const [first, ...later] = incrementSteps
  const isFromZero = first?.fromPrice === 0
  const increment = money(isFromZero ? first.increment : minimumBidIncrement, auction)
  if (incrementPercent !== undefined) return text('risePercent', { percent: percent(incrementPercent), increment })
  const others = isFromZero ? later : incrementSteps
  if (others.length === 0) return text('risePlain', { increment })
  const steps = others.map((step) =>
    text('riseStep', { price: money(step.fromPrice, auction), increment: money(step.increment, auction) }),
  )
  return text('riseSteps', { increment, steps: steps.join('; ') })
}
