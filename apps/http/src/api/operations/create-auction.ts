import { assignedToAuctions, NewAuctionFields, parseNewAuction } from '@auction/domain/parsing'
import { AuctionResource, auctionLocation, auctionResource } from '../answers/resources.ts'
import { defineOperation } from './define-operation.ts'
import { chairAuction, deskAuction, lampAuction } from './example-data.ts'

export const createAuction = defineOperation({
  name: 'createAuction',
  method: 'POST',
  path: '/api/Auctions',
  tag: 'Auctions',
  permission: 'Auctions.Create',
  summary: 'Create an auction',
  description: 'The response always has the status `Pending`.',
  body: { schema: NewAuctionFields, ignored: assignedToAuctions, parse: parseNewAuction },
  actingUser: 'ownerId',
  success: { status: 201, description: 'The auction was created.', data: AuctionResource },
  refusals: {},
  call: (createAuction, { fields, retry, arrivedAtMs }) => createAuction(fields, retry, arrivedAtMs),
  answer: (auction, { viewer }) => ({
    message: `Auction ${auction.id} was created.`,
    data: auctionResource(auction, 'Pending', viewer),
    location: auctionLocation(auction),
  }),
  examples: {
    'An auction that runs for a week': { headers: { 'Idempotency-Key': 'desk-7' }, body: deskAuction },
    'An auction with a soft close, a reserve and a buy-now price': { body: chairAuction },
    'An auction that can be cancelled until its end': { body: lampAuction },
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
    'Too many decimal places, and an end before the start': {
      body: { ...deskAuction, startingPrice: 99.999, endTime: '2030-01-31T10:00:00Z' },
    },
  },
})
