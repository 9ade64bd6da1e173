import { PurchaseFields, parsePurchase } from '@auction/domain/auction/purchase-fields'
import { AuctionId } from '@auction/domain/ids'
import { accepted } from '@auction/domain/result'
import * as v from 'valibot'
import { AuctionViewResource, auctionLocation, auctionViewResource } from '../answers/resources.ts'
import { defineOperation } from './define-operation.ts'
import { failure, success } from './example.ts'
import { boughtChair } from './example-data.ts'

export const buyNow = defineOperation({
  name: 'buyNow',
  method: 'POST',
  path: '/api/Auctions/{id}/Purchase',
  tag: 'Auctions',
  permission: 'Bids.Create',
  summary: 'Buy at once',
  description:
    'Ends an auction that has a `buyNowPrice`: the buyer gets it for that. It is offered from the start until the first bid or, where there is a reserve, until that is met; `buyNowOffered` tells. Of two buyers at one moment one gets 201, the other `auction-ended`. A bid of as much is a bid, and buys nothing at once.',
  parameters: { id: v.pipe(AuctionId, v.description('The auction.')) },
  body: { schema: PurchaseFields, ignored: new Set(), parse: parsePurchase },
  actingUser: 'buyerId',
  success: { status: 201, description: 'The auction is bought, and over.', data: AuctionViewResource },
  refusals: {
    'auction-not-found': 'There is no such auction.',
    'auction-not-started': 'The purchase comes too early.',
    'auction-ended': 'The purchase comes too late, or somebody else was first.',
    'auction-cancelled': 'The auction was cancelled.',
    'owner-cannot-buy': 'The buyer owns the auction.',
    'buy-now-not-offered': 'The auction has no buy-now price, or bids have ended that offer.',
  },
  run: async (buyNow, { parameters, fields, retry, viewer }) => {
    const bought = await buyNow({ auctionId: parameters.id, ...fields }, retry)
    if (!bought.ok) return bought
    const view = bought.value
    return accepted({
      message: `Auction ${view.auction.id} is bought.`,
      data: auctionViewResource(view, viewer),
      location: auctionLocation(view.auction),
    })
  },
  examples: [
    {
      summary: 'The chair is bought for its buy-now price',
      request: { parameters: { id: 2 }, headers: { 'Idempotency-Key': 'chair-for-3' }, body: { buyerId: 3 } },
      answer: success(201, 'Auction 2 is bought.', boughtChair),
    },
    {
      summary: 'A buyer who comes second',
      request: { parameters: { id: 2 }, body: { buyerId: 4 } },
      answer: failure(
        'auction-ended',
        'The auction was bought at 2030-01-31T12:00:00.000Z; reading it tells by whom.',
        {
          endTime: '2030-01-31T12:00:00.000Z',
        },
      ),
    },
    {
      summary: 'An auction that has no buy-now price',
      request: { parameters: { id: 1 }, body: { buyerId: 3 } },
      answer: failure(
        'buy-now-not-offered',
        'The auction was created without a buyNowPrice. Bid for it: 115.5 USD is the least that counts.',
        { currentPrice: 110.5, minimumNextBid: 115.5, currency: 'USD' },
      ),
    },
  ],
})
