import { parseRelisting, RelistingFields } from '@auction/domain/parsing'
import { jsonBody } from '../requests/json-body.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { AuctionResource, auctionLocation, auctionResource } from '../responses/resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

export const relistAuction = defineOperation({
  route: {
    name: 'relistAuction',
    method: 'POST',
    path: '/api/Auctions/{id}/Relisting',
    permissions: allOf('Auctions.Manage'),
  },
  docs: {
    tag: 'Auctions',
    summary: 'Relist an auction',
    description:
      'Creates a repetition of an auction with a `result`: the auction as it is now, with the new times and the fields that are sent. Null removes a field. The latest end of a soft close moves with the end, unless `softClose` is sent. Format, owner, currency and register stay. Each auction is relisted once, and not while an offer of it is open; its repetition can be relisted, too.\n\nThe same request returns the repetition again, so an `Idempotency-Key` changes nothing. The response always has the status `Pending`.',
    success: 'The repetition was created, or had been created before.',
  },
  schemas: { parameters: AuctionPath, body: jsonBody(RelistingFields, parseRelisting), data: AuctionResource },
  refusals: reasonsOf(
    'auction-not-found',
    'auction-not-over',
    'auction-is-offer',
    'auction-relisted',
    'auction-has-offer',
  ),
  handle: async ({ input: { parameters, body }, viewer, service, arrivedAtMs }) => {
    const mayReadReserve = viewer.permissions.has('Auctions.Reserve.Read')
    const request = { auctionId: parameters.id, relisting: body, mayReadReserve }
    return responseTo(await service.relistAuction(request, arrivedAtMs), (auction) => ({
      message: `Auction ${parameters.id} was relisted as auction ${auction.id}.`,
      data: auctionResource(auction, 'Pending', viewer),
      location: auctionLocation(auction),
    }))
  },
  examples: {
    'The lamp again, from a lower price': {
      parameters: { id: 3 },
      body: { startTime: '2030-03-01T11:00:00Z', endTime: '2030-03-08T12:00:00Z', startingPrice: 15 },
    },
    'A relisting of an auction without a result': {
      parameters: { id: 4 },
      body: { startTime: '2030-03-01T11:00:00Z', endTime: '2030-03-08T12:00:00Z' },
    },
  },
})
