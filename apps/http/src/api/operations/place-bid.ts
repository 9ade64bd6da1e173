import type { Bid } from '@auction/domain/auction'
import { type AmountMinor, toDecimal } from '@auction/domain/money'
import { assignedToBids, NewBidFields, parseNewBid } from '@auction/domain/parsing'
import { reasonsOf } from '../answers/problem-types.ts'
import { bidLocation, PlacedBidResource, placedBidResource } from '../answers/resources.ts'
import { defineOperation } from './define-operation.ts'
import { failure, invalid, success } from './example.ts'
import { bidWithMaximum, firstBid, outbidAtOnce, secondBid } from './example-data.ts'

export const placeBid = defineOperation({
  name: 'placeBid',
  method: 'POST',
  path: '/api/Bids',
  tag: 'Bids',
  permission: 'Bids.Create',
  summary: 'Place a bid',
  description:
    'Places a bid of at least the `minimumNextBid` on an open auction. The leader may raise their own bid.\n\nWith a `maximumAmount`, the service bids for the bidder when others bid (proxy bidding): the bid or maximum of the other bidder plus the increment, up to the maximum. The higher of two maximums leads; of equal maximums, the earlier. If the leader sends a higher `maximumAmount`, only their maximum changes, unless it covers an unmet reserve: then the service bids the reserve.',
  body: { schema: NewBidFields, ignored: assignedToBids, parse: parseNewBid, maxBytes: 4 * 1024 },
  actingUser: 'bidderId',
  // Bids of one tick are decided and appended together.
  batched: true,
  success: {
    status: 201,
    description:
      'The bid was placed. `leaderId`, `youLead` and `yourMaximum` are those right after the bid, even in a repeated response. The price may be above `amount`: read the auction.',
    data: PlacedBidResource,
  },
  refusals: {
    ...reasonsOf('auction-not-found', 'auction-not-started', 'auction-ended', 'auction-cancelled'),
    ...reasonsOf('owner-cannot-bid', 'bid-too-low', 'maximum-not-raised'),
  },
  call: (placeBid, { fields, retry }) => placeBid(fields, retry),
  answer: (bid, { viewer }) => ({
    message: placedMessage(bid),
    data: placedBidResource(bid, viewer),
    location: bidLocation(bid),
  }),
  examples: [
    {
      summary: 'A first bid at the starting price',
      request: { headers: { 'Idempotency-Key': 'bid-1' }, body: { auctionId: 1, bidderId: 2, amount: 100 } },
      answer: success(201, 'Bid 1 was placed.', { ...firstBid, leaderId: 2 }),
    },
    {
      summary: 'A bid that is too low',
      request: { body: { auctionId: 1, bidderId: 3, amount: 104.99 } },
      answer: failure('bid-too-low', 'The bid is too low; the minimum next bid is 105 USD.', {
        currentPrice: 100,
        minimumNextBid: 105,
        currency: 'USD',
      }),
    },
    {
      summary: 'A bid by the owner',
      request: { body: { auctionId: 1, bidderId: 1, amount: 105 } },
      answer: failure('owner-cannot-bid', 'The owner of an auction cannot bid on it.'),
    },
    {
      summary: 'A higher bid',
      request: { body: { auctionId: 1, bidderId: 3, amount: 110.5 } },
      answer: success(201, 'Bid 2 was placed.', { ...secondBid, leaderId: 3 }),
    },
    {
      summary: 'A bid with a maximum',
      request: { body: { auctionId: 2, bidderId: 2, amount: 50, maximumAmount: 120 } },
      answer: success(201, 'Bid 3 was placed.', { ...bidWithMaximum, leaderId: 2 }),
    },
    {
      summary: 'A bid below that maximum, which an automatic bid exceeds',
      request: { body: { auctionId: 2, bidderId: 3, amount: 60 } },
      answer: success(201, "Bid 4 was placed and outbid by the leader's maximum, which leads at 65 USD.", {
        ...outbidAtOnce,
        leaderId: 2,
      }),
    },
    {
      summary: 'A maximum that is not higher than before',
      request: { body: { auctionId: 2, bidderId: 2, amount: 70, maximumAmount: 120 } },
      answer: failure(
        'maximum-not-raised',
        'The bidder already leads with this maximum or bid, or a higher one. Send a higher maximumAmount, or omit it to raise the bid.',
      ),
    },
    {
      summary: 'An auction that does not exist',
      request: { body: { auctionId: 99, bidderId: 2, amount: 100 } },
      answer: failure('auction-not-found', 'Auction 99 does not exist.'),
    },
    {
      summary: 'An amount as a string, and an unknown field',
      request: { body: { auctionId: 1, bidderId: 2, amount: '120', note: 'please' } },
      answer: invalid({
        '/amount':
          'must be a JSON number above 0, with no more decimal places than the currency has, and below 10^15 minor units',
        '/note': 'is not a known field; known fields are auctionId, bidderId, amount, maximumAmount',
      }),
    },
  ],
})

function placedMessage({ id, outbidAtMinor, raisedToMinor, raisesMaximum, currency }: Bid): string {
  const inWords = (amountMinor: AmountMinor) => `${toDecimal(amountMinor, currency)} ${currency.code}`
  if (outbidAtMinor !== undefined) {
    return `Bid ${id} was placed and outbid by the leader's maximum, which leads at ${inWords(outbidAtMinor)}.`
  }
  const price = raisedToMinor === undefined ? undefined : inWords(raisedToMinor)
  if (raisesMaximum) {
    // The price changes if the maximum covers an unmet reserve.
    const at = price === undefined ? '' : ` at ${price}`
    return `The maximum was raised (id ${id}); the bidder leads${at}.`
  }
  return price === undefined ? `Bid ${id} was placed.` : `Bid ${id} was placed and raised to ${price}; it leads.`
}
