import { PurchaseFields, parsePurchase } from '@auction/domain/parsing'
import { refused } from '@auction/domain/result'
import { asMayBeSeen } from '../callers/caller.ts'
import { jsonBody } from '../requests/json-body.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { AuctionViewResource, auctionLocation, auctionViewResource } from '../responses/resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

export const buyNow = defineOperation({
  route: { name: 'buyNow', method: 'POST', path: '/api/Auctions/{id}/Purchase', permissions: allOf('Bids.Create') },
  docs: {
    tag: 'Auctions',
    summary: 'Buy now',
    description:
      'Buys the product for the `buyNowPrice` and ends the auction. The offer is open from the start until the first bid or, with a reserve, until the reserve is met; see `buyNowOffered`. Only the first buyer succeeds; others receive `auction-ended`. A bid at or above that price is refused while the offer is open.\n\nAn auction whose price falls is bought at its `currentPrice` when the request arrives, and never above `atMost`.',
    success: 'The auction was bought and has ended.',
  },
  schemas: { parameters: AuctionPath, body: jsonBody(PurchaseFields, parsePurchase), data: AuctionViewResource },
  refusals: {
    ...reasonsOf('auction-not-found', 'auction-not-started', 'auction-cancelled'),
    ...reasonsOf(
      'owner-cannot-buy',
      'bidder-blocked',
      'not-admitted',
      'above-limit',
      'buy-now-not-offered',
      'price-is-higher',
      'not-in-format',
    ),
    'auction-ended': 'The auction has ended, or another buyer was first.',
  },
  handle: async ({ input, caller, viewer, userBinding, service, arrivedAtMs }) => {
    const { parameters, body, retry } = input
    const forbidden = userBinding.refusalIfNotUser(caller, 'buyerId', body.buyerId)
    if (forbidden !== undefined) return refused(forbidden)
    const request = { auctionId: parameters.id, purchase: body, claims: caller.admissions }
    const bought = await service.buyNow(request, retry, arrivedAtMs)
    return responseTo(asMayBeSeen(bought, viewer), (view) => ({
      message: `Auction ${view.auction.id} was bought.`,
      data: auctionViewResource(view, viewer),
      location: auctionLocation(view.auction),
    }))
  },
  examples: {
    'Buying the chair for its buy-now price': {
      parameters: { id: 2 },
      headers: { 'Idempotency-Key': 'chair-for-3' },
      body: { buyerId: 3 },
    },
    'A second buyer': { parameters: { id: 2 }, body: { buyerId: 4 } },
    'Less than the falling price of the clock': { parameters: { id: 5 }, body: { buyerId: 3, atMost: 165 } },
    'Buying the clock for its price now': { parameters: { id: 5 }, body: { buyerId: 3, atMost: 175 } },
  },
})
