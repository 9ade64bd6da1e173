import { PurchaseFields, parsePurchase } from '@auction/domain/parsing'
import { accepted, refused } from '@auction/domain/result'
import { reasonsOf } from '../answers/refusals.ts'
import { AuctionViewResource, auctionLocation, auctionViewResource } from '../answers/resources.ts'
import { allOf } from '../callers/requirement.ts'
import { jsonBody } from '../requests/json-body.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { defineOperation } from './define-operation.ts'

export const buyNow = defineOperation({
  route: { name: 'buyNow', method: 'POST', path: '/api/Auctions/{id}/Purchase', permissions: allOf('Bids.Create') },
  docs: {
    tag: 'Auctions',
    summary: 'Buy now',
    description:
      'Buys the product for the `buyNowPrice` and ends the auction. The offer is open from the start until the first bid or, with a reserve, until the reserve is met; see `buyNowOffered`. Only the first buyer succeeds; others receive `auction-ended`. A bid at or above that price is refused while the offer is open.',
    success: 'The auction was bought and has ended.',
  },
  schemas: { parameters: AuctionPath, body: jsonBody(PurchaseFields, parsePurchase), data: AuctionViewResource },
  refusals: {
    ...reasonsOf('auction-not-found', 'auction-not-started', 'auction-cancelled'),
    ...reasonsOf('owner-cannot-buy', 'bidder-blocked', 'buy-now-not-offered'),
    'auction-ended': 'The auction has ended, or another buyer was first.',
  },
  handle: async ({ input, caller, viewer, userBinding, service, arrivedAtMs }) => {
    const { parameters, body, retry } = input
    const forbidden = userBinding.refusalIfNotUser(caller, 'buyerId', body.buyerId)
    if (forbidden !== undefined) return refused(forbidden)
    const bought = await service.buyNow({ auctionId: parameters.id, purchase: body }, retry, arrivedAtMs)
    if (!bought.ok) return bought
    const { value: view, isRepeated } = bought
    return accepted({
      message: `Auction ${view.auction.id} was bought.`,
      data: auctionViewResource(view, viewer),
      location: auctionLocation(view.auction),
      isRepeated,
    })
  },
  examples: {
    'Buying the chair for its buy-now price': {
      parameters: { id: 2 },
      headers: { 'Idempotency-Key': 'chair-for-3' },
      body: { buyerId: 3 },
    },
    'A second buyer': { parameters: { id: 2 }, body: { buyerId: 4 } },
    'An auction without a buy-now price': { parameters: { id: 1 }, body: { buyerId: 3 } },
  },
})
