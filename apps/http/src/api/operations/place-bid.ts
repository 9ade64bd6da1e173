import type { Bid, NewBid } from '@auction/domain/auction'
import { type AmountMinor, toDecimal } from '@auction/domain/money'
import { assignedToBids, type Checked, NewBidFields, parseNewBid } from '@auction/domain/parsing'
import type { RetryKey } from '@auction/domain/request-key'
import { refused } from '@auction/domain/result'
import { endOfTick } from '@auction/host/server'
import { asMayBeSeen } from '../callers/caller.ts'
import { jsonBody } from '../requests/json-body.ts'
import { bidLocation, PlacedBidResource, placedBidResource } from '../responses/bid-resources.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'
import type { Context } from './operation.ts'

export const bidBody = { ignored: assignedToBids, maxBytes: 4 * 1024 }

export const bidRefusals = {
  ...reasonsOf('auction-not-found', 'auction-not-started', 'auction-ended', 'auction-cancelled'),
  ...reasonsOf(
    'owner-cannot-bid',
    'bidder-blocked',
    'not-admitted',
    'above-limit',
    'bid-too-low',
    'bid-too-high',
    'bid-not-on-step',
    'buy-now-is-lower',
    'maximum-not-raised',
    'bids-not-taken',
    'sealed-bids-unavailable',
  ),
}

type BidContext = Pick<
  Context<never, never, never, never>,
  'caller' | 'viewer' | 'userBinding' | 'service' | 'arrivedAtMs'
> & {
  readonly input: { readonly body: Checked<NewBid>; readonly retry: RetryKey | undefined }
}

/** Places the bid of a request, wherever its path has the auction. */
export async function handleBid({ input, caller, viewer, userBinding, service, arrivedAtMs }: BidContext) {
  const { body, retry } = input
  const forbidden = userBinding.refusalIfNotUser(caller, 'bidderId', body.bidderId)
  if (forbidden !== undefined) return refused(forbidden)
  // Bids of one tick are decided and appended together.
  await endOfTick()
  const placed = await service.placeBid(body, retry, arrivedAtMs, caller.admissions)
  return responseTo(asMayBeSeen(placed, viewer), (bid) => ({
    message: placedMessage(bid),
    data: placedBidResource(bid, viewer),
    location: bidLocation(bid),
  }))
}

export const placeBid = defineOperation({
  route: { name: 'placeBid', method: 'POST', path: '/api/Bids', permissions: allOf('Bids.Create') },
  docs: {
    tag: 'Bids',
    summary: 'Place a bid',
    description:
      'Places a bid of at least the `minimumNextBid` on an open auction, and below the `buyNowPrice` while `buyNowOffered` is true. If the auction has a `maximumNextBid`, the `amount` must not exceed it; a `maximumAmount` may. In an auction with `onlySteps`, the `amount` must be a step of `bidSteps`. The leader may raise their own bid. If the bids are sealed, any amount from the `startingPrice` on is accepted, the last bid of a bidder counts, even a lower one, and a `maximumAmount` must be omitted.\n\nWith a `maximumAmount`, the service bids for the bidder when others bid (proxy bidding): the bid or maximum of the other bidder plus the increment at that amount, up to the maximum. The higher of two maximums leads; of equal maximums, the earlier. If the leader sends a higher `maximumAmount` with an `amount` below the `minimumNextBid`, such as the current price, only their maximum changes, unless it covers an unmet reserve: then the service bids the reserve.',
    success:
      'The bid was placed. `leaderId`, `youLead` and `yourMaximum` are those right after the bid, even in a repeated response. The price may be above `amount`: read the auction. With sealed bids, `leaderId` is absent.',
  },
  schemas: { body: jsonBody(NewBidFields, parseNewBid, bidBody), data: PlacedBidResource },
  refusals: bidRefusals,
  handle: handleBid,
  examples: {
    'A first bid at the starting price': {
      headers: { 'Idempotency-Key': 'bid-1' },
      body: { auctionId: 1, bidderId: 2, amount: 100 },
    },
    'A bid that is too low': { body: { auctionId: 1, bidderId: 3, amount: 104.99 } },
    'A bid that is too high': { body: { auctionId: 4, bidderId: 2, amount: 2000, maximumAmount: 2000 } },
    'A higher bid': { body: { auctionId: 1, bidderId: 3, amount: 110.5 } },
    'A bid with a maximum': { body: { auctionId: 2, bidderId: 2, amount: 50, maximumAmount: 120 } },
    'A bid below that maximum, which an automatic bid exceeds': { body: { auctionId: 2, bidderId: 3, amount: 60 } },
    'An auction that does not exist': { body: { auctionId: 99, bidderId: 2, amount: 100 } },
    'An amount as a string, and an unknown field': {
      body: { auctionId: 1, bidderId: 2, amount: '120', note: 'please' },
    },
  },
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
