import { assignedToAuctions, NewAuctionFields, parseNewAuction } from '@auction/domain/parsing'
import { accepted, refused } from '@auction/domain/result'
import { AuctionResource, auctionLocation, auctionResource } from '../answers/resources.ts'
import { allOf } from '../callers/requirement.ts'
import { jsonBody } from '../requests/json-body.ts'
import { defineOperation } from './define-operation.ts'
import { chairAuction, coinAuction, deskAuction, lampAuction } from './example-data.ts'

export const createAuction = defineOperation({
  route: { name: 'createAuction', method: 'POST', path: '/api/Auctions', permissions: allOf('Auctions.Create') },
  docs: {
    tag: 'Auctions',
    summary: 'Create an auction',
    description: 'The response always has the status `Pending`.',
    success: 'The auction was created.',
  },
  schemas: {
    body: jsonBody(NewAuctionFields, (input, { arrivedAtMs }) => parseNewAuction(input, arrivedAtMs), {
      ignored: assignedToAuctions,
    }),
    data: AuctionResource,
  },
  refusals: {},
  handle: async ({ input: { body, retry }, caller, viewer, userBinding, service, arrivedAtMs }) => {
    const forbidden = userBinding.refusalIfNotUser(caller, 'ownerId', body.ownerId)
    if (forbidden !== undefined) return refused(forbidden)
    const created = await service.createAuction(body, retry, arrivedAtMs)
    if (!created.ok) return created
    const { value: auction, isRepeated } = created
    return accepted({
      message: `Auction ${auction.id} was created.`,
      data: auctionResource(auction, 'Pending', viewer),
      location: auctionLocation(auction),
      isRepeated,
    })
  },
  examples: {
    'An auction that runs for a week': { headers: { 'Idempotency-Key': 'desk-7' }, body: deskAuction },
    'An auction with a soft close, a reserve and a buy-now price': { body: chairAuction },
    'An auction that can be cancelled until its end': { body: lampAuction },
    'An auction whose increments grow with the price, and a limit of a bid': { body: coinAuction },
    'The first request again, with the same key': { headers: { 'Idempotency-Key': 'desk-7' }, body: deskAuction },
    'A different request with that key': {
      headers: { 'Idempotency-Key': 'desk-7' },
      body: { ...deskAuction, startingPrice: 90 },
    },
    'A reserve below the starting price, and an extension of more than a week': {
      body: {
        ...chairAuction,
        reservePrice: 40,
        softClose: { ...chairAuction.softClose, latestEndTime: '2030-02-14T12:00:01Z' },
      },
    },
    'Increments that fall, and a limit below one of them': {
      body: {
        ...coinAuction,
        incrementSteps: [
          { fromPrice: 50, increment: 5 },
          { fromPrice: 100, increment: 2.5 },
        ],
        maximumBidIncrement: 2,
      },
    },
    'Too many decimal places, and an end before the start': {
      body: { ...deskAuction, startingPrice: 99.999, endTime: '2030-01-31T10:00:00Z' },
    },
  },
})
