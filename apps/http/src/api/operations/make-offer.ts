import { NewOfferFields, parseNewOffer } from '@auction/domain/parsing'
import { refused } from '@auction/domain/result'
import { type Forbidden, maySeeBids } from '../callers/caller.ts'
import { jsonBody } from '../requests/json-body.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { AuctionResource, auctionLocation, auctionResource } from '../responses/resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

/** Otherwise the offers would say who has bid. */
const hiddenBidders: Forbidden = {
  code: 'forbidden',
  message:
    'This service hides the ids of bidders; an offer that excludes some also requires the permission Bidders.Read.',
}

export const makeOffer = defineOperation({
  route: {
    name: 'makeOffer',
    method: 'POST',
    path: '/api/Auctions/{id}/Offers',
    permissions: allOf('Auctions.Manage'),
  },
  docs: {
    tag: 'Auctions',
    summary: 'Offer an auction to the next bidder',
    description:
      'Gives the bidder behind the excluded ones a second chance, after the winner of an auction with a `result` has not paid. The offer is an auction at one price that only this bidder can buy, until its end; others receive `not-admitted`. Staff can extend and cancel it. The next bidder is the one with the highest maximum, or bid without one. The default price is what they would have paid without the excluded bidders: the highest maximum of the others plus the increment, at least the starting price and the reserve, and at most their own. If the service hides the ids of bidders, the caller also needs `Bidders.Read`.\n\nAn offer with the same excluded bidders is made once, unless it has ended without a buyer: such a request returns it again, whatever its other fields, so an `Idempotency-Key` changes nothing. One offer is open at a time, and none after the auction was relisted. The response always has the status `Pending`.\n\nAn offer of an auction with sealed bids exists only for this bidder and callers with `Auctions.Manage`.',
    success: 'The offer was made, or had been made before.',
  },
  schemas: { parameters: AuctionPath, body: jsonBody(NewOfferFields, parseNewOffer), data: AuctionResource },
  refusals: reasonsOf(
    'auction-not-found',
    'auction-not-over',
    'auction-is-offer',
    'auction-relisted',
    'auction-has-offer',
    'no-next-bidder',
    'too-many-offers',
    'sealed-bids-unavailable',
  ),
  handle: async ({ input: { parameters, body }, viewer, service, arrivedAtMs }) => {
    if (!body.excludedBidderIds.every((id) => maySeeBids(viewer, id))) return refused(hiddenBidders)
    const made = await service.makeOffer({ auctionId: parameters.id, offer: body }, arrivedAtMs)
    const isRepeated = made.ok && made.isRepeated === true
    return responseTo(made, (auction) => ({
      message: `Auction ${parameters.id} ${isRepeated ? 'had been' : 'is'} offered to its next bidder as auction ${auction.id}.`,
      data: auctionResource(auction, 'Pending', viewer),
      location: auctionLocation(auction),
    }))
  },
  examples: {
    'The chair for the bidder behind the buyer, below the reserve': {
      parameters: { id: 2 },
      body: { excludedBidderIds: [3], endTime: '2030-02-07T12:00:00Z', price: 140 },
    },
    'An auction without other bidders': {
      parameters: { id: 5 },
      body: { excludedBidderIds: [3], endTime: '2030-02-07T12:00:00Z' },
    },
    'Another offer while one is open': {
      parameters: { id: 2 },
      body: { excludedBidderIds: [7], endTime: '2030-02-07T12:00:00Z' },
    },
  },
})
