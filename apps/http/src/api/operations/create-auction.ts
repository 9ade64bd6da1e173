import { assignedToAuctions, NewAuctionFields, parseNewAuction } from '@auction/domain/parsing'
import { AuctionResource, auctionLocation, auctionResource } from '../answers/resources.ts'
import { defineOperation } from './define-operation.ts'
import { failure, invalid, success } from './example.ts'
import { chairAuction, createdAuction, createdChair, createdLamp, deskAuction, lampAuction } from './example-data.ts'

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
  call: (createAuction, { fields, retry }) => createAuction(fields, retry),
  answer: (auction, { viewer }) => ({
    message: `Auction ${auction.id} was created.`,
    data: auctionResource(auction, 'Pending', viewer),
    location: auctionLocation(auction),
  }),
  examples: [
    {
      summary: 'An auction that runs for a week',
      request: { headers: { 'Idempotency-Key': 'desk-7' }, body: deskAuction },
      answer: success(201, 'Auction 1 was created.', createdAuction),
    },
    {
      summary: 'An auction with a soft close, a reserve and a buy-now price',
      request: { body: chairAuction },
      answer: success(201, 'Auction 2 was created.', createdChair),
    },
    {
      summary: 'An auction that can be cancelled until its end',
      request: { body: lampAuction },
      answer: success(201, 'Auction 3 was created.', createdLamp),
    },
    {
      summary: 'The first request again, with the same key',
      request: { headers: { 'Idempotency-Key': 'desk-7' }, body: deskAuction },
      answer: success(201, 'Auction 1 was created.', createdAuction),
    },
    {
      summary: 'A different request with that key',
      request: { headers: { 'Idempotency-Key': 'desk-7' }, body: { ...deskAuction, startingPrice: 90 } },
      answer: failure(
        'idempotency-key-reused',
        'This Idempotency-Key was already used for a different request; use a new key.',
      ),
    },
    {
      summary: 'A reserve below the starting price, and an extension of more than a week',
      request: {
        body: {
          ...chairAuction,
          reservePrice: 40,
          softClose: { ...chairAuction.softClose, latestEndTime: '2030-02-14T12:00:01Z' },
        },
      },
      answer: invalid({
        '/reservePrice': 'must be at least startingPrice',
        '/softClose/latestEndTime':
          'must be after endTime and no later than 2030-02-14T12:00:00.000Z, one week after it',
      }),
    },
    {
      summary: 'Too many decimal places, and an end before the start',
      request: { body: { ...deskAuction, startingPrice: 99.999, endTime: '2030-01-31T10:00:00Z' } },
      answer: invalid({
        '/startingPrice':
          '99.999 is not a valid USD amount; it must have at most 2 decimal places and be below 10^15 minor units',
        '/endTime': 'must be at least 1 millisecond after startTime',
      }),
    },
  ],
})
