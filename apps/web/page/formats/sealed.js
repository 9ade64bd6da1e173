import { phaseOf } from '../times.js'

/** @import { AuctionFormat } from '../formats.js' */

const rules = /** @type {const} */ ({ first: 'paysFirst', second: 'paysSecond' })

/** An auction whose bids are secret until its end. @type {AuctionFormat} */
export const sealed = {
  title: 'formatSealed',
  action: 'seal',
  hasPriceHistory: false,
  signIn: 'signInToBid',
  own: 'ownAuction',
  unsold: 'unsoldNoBids',
  withdrawal: { hint: 'withdrawAnyHint', done: 'repairWithdrawnAny' },
  endHint: 'endSealedHint',
  ruleTitle: 'pricing',
  rule: ({ text }, { pricing = 'first' }) => text(rules[pricing]),
  mark({ text, money }, auction) {
    const { result, startingPrice } = auction
    if (result === null) return text('fromPrice', { price: money(startingPrice, auction) })
    const count = bidderCountOf(auction)
    return count === undefined ? '' : text('bidderCount', { count })
  },
  open: () => 'openSealed',
  opening: 'bidsOpening',
  priceTitle: () => 'startingPriceNow',
  // Otherwise the end of the right would tell the owner that there are bids.
  isFree: (auction, nowMs) => phaseOf(auction, nowMs) === 'soon',
  bidsListed: (auction) => (auction.reveal === 'bids' ? bidderCountOf(auction) : undefined),
}

/** The number of bidders, which everyone sees after the end. @param {import('../client.js').Auction} auction */
export const bidderCountOf = ({ result }) =>
  result !== null && 'bidderCount' in result ? result.bidderCount : undefined
