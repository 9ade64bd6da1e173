/** @import { Auction } from '../client.js' */
/** @import { Format } from '../format.js' */
/** @import { AuctionFormat } from '../formats.js' */
/** @import { FieldName } from '../views/fields.js' */

const hourMs = 3_600_000

/** @type {readonly FieldName[]} */
const lateFields = ['windowSeconds', 'extensionSeconds', 'latestEndTime']

/** An auction in which bids rise. @type {AuctionFormat} */
export const english = {
  name: 'english',
  title: 'formatEnglish',
  hint: 'formatEnglishHint',
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
  correctable: [
    'title',
    'description',
    'pictureUrls',
    'startingPrice',
    'minimumBidIncrement',
    'incrementSteps',
    'incrementPercent',
    'maximumBidIncrement',
    'reservePrice',
    'buyNowPrice',
    'startTime',
    'endTime',
    ...lateFields,
  ],
  required: ['minimumBidIncrement'],
  choices: [],
  priceFields: [
    'minimumBidIncrement',
    {
      title: 'moreIncrements',
      fields: ['incrementSteps', 'bidSteps', 'onlySteps', 'incrementPercent', 'maximumBidIncrement'],
    },
    { title: 'moreOffers', fields: ['reservePrice', 'buyNowPrice', 'cancellableUntilEnd'] },
  ],
  timeFields: [{ title: 'moreLateBids', fields: lateFields, member: 'softClose' }],
  nested: { member: 'softClose', fields: lateFields, valueOf: softCloseOf },
  sent: {},
  atFirst: ({ startingPrice, reservePrice, buyNowPrice }) => ({
    ...{ bidCount: 0, currentPrice: startingPrice, minimumNextBid: startingPrice, buyNowOffered: buyNowPrice != null },
    ...(reservePrice != null && { reserveMet: false }),
  }),
}

/** The rule for late bids; null without a window. A new auction has an end, and by default a latest end that is an hour later. @param {Record<string, any>} values */
function softCloseOf({ windowSeconds, extensionSeconds, latestEndTime, endTime }) {
  if (windowSeconds == null) return null
  const latest = latestEndTime ?? (endTime && new Date(Date.parse(endTime) + hourMs).toISOString())
  return { windowSeconds, extensionSeconds: extensionSeconds ?? undefined, latestEndTime: latest }
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
