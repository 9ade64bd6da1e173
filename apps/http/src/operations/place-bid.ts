import { assignedToBids, type Bid, NewBidFields, parseNewBid } from '@auction/domain/auction/bid'
import { type AmountMinor, toDecimal } from '@auction/domain/money'
import { accepted } from '@auction/domain/result'
import { BidResource, bidLocation, bidResource } from '../answers/resources.ts'
import { defineOperation } from './define-operation.ts'
import { failure, success } from './example.ts'
import { bidWithMaximum, firstBid, outbidAtOnce, secondBid } from './example-data.ts'

export const placeBid = defineOperation({
  name: 'placeBid',
  method: 'POST',
  path: '/api/Bids',
  tag: 'Bids',
  permission: 'Bids.Create',
  summary: 'Place a bid',
  description:
    'A bid is accepted from the start of its auction until the end, from anybody but the owner, when it offers at least the `minimumNextBid` of the auction. The leader may raise its own bid. A bid of as much as the highest is refused.\n\nWith a `maximumAmount`, the service bids for the bidder when others bid: by no more than it takes to lead, up to that. Of two maxima the higher leads, and of two that are equal the first, as does a maximum over a later bid of the same amount. The leader who sends a higher `maximumAmount` raises it, and no price, whatever its `amount`; unless it covers a reserve that is not met: then the service bids the reserve.',
  body: { schema: NewBidFields, ignored: assignedToBids, parse: parseNewBid, maxBytes: 4 * 1024 },
  actingUser: 'bidderId',
  // Their bids are decided and appended together.
  gathered: true,
  success: { status: 201, description: 'The bid is stored.', data: BidResource },
  refusals: {
    'auction-not-found': 'There is no such auction.',
    'auction-not-started': 'The bid comes too early.',
    'auction-ended': 'The bid comes too late, or the auction was bought.',
    'auction-cancelled': 'The auction was cancelled.',
    'owner-cannot-bid': 'The bidder owns the auction.',
    'bid-too-low': 'The amount is below the least next bid.',
    'maximum-not-raised':
      'The bidder leads, and `maximumAmount` is not above its maximum, or its bid where it has none.',
  },
  run: async (placeBid, { fields, retry, viewer }) => {
    const placed = await placeBid(fields, retry)
    if (!placed.ok) return placed
    const bid = placed.value
    return accepted({ message: placedMessage(bid), data: bidResource(bid, viewer), location: bidLocation(bid) })
  },
  examples: [
    {
      summary: 'A first bid, of the starting price',
      request: { headers: { 'Idempotency-Key': 'bid-1' }, body: { auctionId: 1, bidderId: 2, amount: 100 } },
      answer: success(201, 'Bid 1 is placed.', firstBid),
    },
    {
      summary: 'A bid that is too low',
      request: { body: { auctionId: 1, bidderId: 3, amount: 104.99 } },
      answer: failure('bid-too-low', 'The amount is too low; 105 USD is the least that the next bid must offer.', {
        currentPrice: 100,
        minimumNextBid: 105,
        currency: 'USD',
      }),
    },
    {
      summary: 'A bid of the owner',
      request: { body: { auctionId: 1, bidderId: 1, amount: 105 } },
      answer: failure('owner-cannot-bid', "The bidder owns the auction; anyone else's bid may be accepted."),
    },
    {
      summary: 'A higher bid',
      request: { body: { auctionId: 1, bidderId: 3, amount: 110.5 } },
      answer: success(201, 'Bid 2 is placed.', secondBid),
    },
    {
      summary: 'A bid with a maximum, which only its bidder reads where callers are bound to their users',
      request: { body: { auctionId: 2, bidderId: 2, amount: 50, maximumAmount: 120 } },
      answer: success(201, 'Bid 3 is placed.', bidWithMaximum),
    },
    {
      summary: 'A bid below that maximum, which the service answers for its bidder',
      request: { body: { auctionId: 2, bidderId: 3, amount: 60 } },
      answer: success(
        201,
        "Bid 4 is placed, and outbid at once: the leader's maximum answers it, and leads at 65 USD.",
        outbidAtOnce,
      ),
    },
    {
      summary: 'A maximum that is no higher than that of before',
      request: { body: { auctionId: 2, bidderId: 2, amount: 70, maximumAmount: 120 } },
      answer: failure(
        'maximum-not-raised',
        'The bidder leads, and its maximum or bid is as high as that already. Send a higher maximumAmount, or leave it out to raise the bid.',
      ),
    },
    {
      summary: 'A bid on an auction that is not there',
      request: { body: { auctionId: 99, bidderId: 2, amount: 100 } },
      answer: failure('auction-not-found', 'There is no auction 99.'),
    },
    {
      summary: 'An amount as a text, and a field that is not known',
      request: { body: { auctionId: 1, bidderId: 2, amount: '120', note: 'please' } },
      answer: failure('validation-failed', '2 fields are missing or invalid.', {
        errors: [
          {
            pointer: '/amount',
            message:
              'must be a JSON number above 0, with no more decimals than the currency has, and below 10^15 of its minor units',
          },
          {
            pointer: '/note',
            message: 'is not a known field; the fields are auctionId, bidderId, amount, maximumAmount',
          },
        ],
      }),
    },
  ],
})

function placedMessage({ id, outbidAtMinor, raisedToMinor, raisesMaximum, currency }: Bid): string {
  const inWords = (amountMinor: AmountMinor) => `${toDecimal(amountMinor, currency)} ${currency.code}`
  if (outbidAtMinor !== undefined) {
    return `Bid ${id} is placed, and outbid at once: the leader's maximum answers it, and leads at ${inWords(outbidAtMinor)}.`
  }
  const price = raisedToMinor === undefined ? undefined : inWords(raisedToMinor)
  if (raisesMaximum) {
    // A maximum that lifts the price to the reserve may be just that.
    const leads = price === undefined ? 'leads, and goes further if others bid' : `leads at ${price}`
    return `Maximum raised, under the id ${id}: the bidder ${leads}.`
  }
  return price === undefined ? `Bid ${id} is placed.` : `Bid ${id} is placed, and raised to ${price}, which leads.`
}
