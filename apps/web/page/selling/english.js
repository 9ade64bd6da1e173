/** @import { SellingFormat } from '../selling.js' */
/** @import { FieldName } from '../views/fields.js' */

const hourMs = 3_600_000

/** @type {readonly FieldName[]} */
const lateFields = ['windowSeconds', 'extensionSeconds', 'latestEndTime']

/** @type {SellingFormat} */
export const english = {
  name: 'english',
  title: 'formatEnglish',
  hint: 'formatEnglishHint',
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
