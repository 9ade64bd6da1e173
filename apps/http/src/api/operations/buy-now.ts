import { PurchaseFields, parsePurchase } from '@auction/domain/parsing'
import { reasonsOf } from '../answers/refusals.ts'
import { AuctionViewResource, auctionLocation, auctionViewResource } from '../answers/resources.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { defineOperation } from './define-operation.ts'

export const buyNow = defineOperation({
  name: 'buyNow',
  method: 'POST',
  path: '/api/Auctions/{id}/Purchase',
  tag: 'Auctions',
  permission: 'Bids.Create',
  summary: 'Buy now',
  description:
    'Buys the product for the `buyNowPrice` and ends the auction. The offer is open from the start until the first bid or, with a reserve, until the reserve is met; see `buyNowOffered`. Only the first buyer succeeds; others receive `auction-ended`. A bid at or above that price is refused while the offer is open.',
  parameters: AuctionPath,
  body: { schema: PurchaseFields, ignored: new Set(), parse: parsePurchase },
  actingUser: 'buyerId',
  success: { status: 201, description: 'The auction was bought and has ended.', data: AuctionViewResource },
  refusals: {
    ...reasonsOf('auction-not-found', 'auction-not-started', 'auction-cancelled'),
    ...reasonsOf('owner-cannot-buy', 'buy-now-not-offered'),
    'auction-ended': 'The auction has ended, or another buyer was first.',
  },
  call: (buyNow, { parameters, fields, retry, arrivedAtMs }) =>
    buyNow({ auctionId: parameters.id, ...fields }, retry, arrivedAtMs),
  answer: (view, { viewer }) => ({
    message: `Auction ${view.auction.id} was bought.`,
    data: auctionViewResource(view, viewer),
    location: auctionLocation(view.auction),
  }),
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
