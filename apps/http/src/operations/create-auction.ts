import { assignedToAuctions, NewAuctionFields, parseNewAuction } from '@auction/domain/auction/new-auction'
import { accepted } from '@auction/domain/result'
import { AuctionResource, auctionLocation, auctionResource } from '../answers/resources.ts'
import { defineOperation } from './define-operation.ts'
import { failure, success } from './example.ts'
import { chairAuction, createdAuction, createdChair, createdLamp, deskAuction, lampAuction } from './example-data.ts'

export const createAuction = defineOperation({
  name: 'createAuction',
  method: 'POST',
  path: '/api/Auctions',
  tag: 'Auctions',
  permission: 'Auctions.Create',
  summary: 'Create an auction',
  description:
    'The status of a new auction is `Pending`, whatever its times. Money is exact: an amount with more decimals than its currency has is refused, never rounded.\n\nWith a `softClose`, late bids move the end. Below a `reservePrice` nothing is sold. For the `buyNowPrice` it can be bought at once. With `cancellableUntilEnd`, bids leave it free to be cancelled. Without them, an auction has none of that.',
  body: { schema: NewAuctionFields, ignored: assignedToAuctions, parse: parseNewAuction },
  actingUser: 'ownerId',
  success: {
    status: 201,
    description: 'The auction is stored. `data` has all that was sent, with `id` and `status`.',
    data: AuctionResource,
  },
  refusals: {},
  run: async (createAuction, { fields, retry, viewer }) => {
    const created = await createAuction(fields, retry)
    if (!created.ok) return created
    const auction = created.value
    return accepted({
      message: `Auction ${auction.id} is created.`,
      data: auctionResource(auction, 'Pending', viewer),
      location: auctionLocation(auction),
    })
  },
  examples: [
    {
      summary: 'An auction of a desk, which runs for a week',
      request: { headers: { 'Idempotency-Key': 'desk-7' }, body: deskAuction },
      answer: success(201, 'Auction 1 is created.', createdAuction),
    },
    {
      summary: 'An auction of a chair, with a soft close, a reserve and a buy-now price',
      request: { body: chairAuction },
      answer: success(201, 'Auction 2 is created.', createdChair),
    },
    {
      summary: 'An auction of a lamp, which can be cancelled until its end',
      request: { body: lampAuction },
      answer: success(201, 'Auction 3 is created.', createdLamp),
    },
    {
      summary: 'Sent again with its key, it is the same auction',
      request: { headers: { 'Idempotency-Key': 'desk-7' }, body: deskAuction },
      answer: success(201, 'Auction 1 is created.', createdAuction),
    },
    {
      summary: 'Another auction with that key',
      request: { headers: { 'Idempotency-Key': 'desk-7' }, body: { ...deskAuction, startingPrice: 90 } },
      answer: failure(
        'idempotency-key-reused',
        'The Idempotency-Key stands for another request; send this one with a key of its own.',
      ),
    },
    {
      summary: 'A reserve below the starting price, and an end that can move by more than a week',
      request: {
        body: {
          ...chairAuction,
          reservePrice: 40,
          softClose: { ...chairAuction.softClose, latestEndTime: '2030-02-14T12:00:01Z' },
        },
      },
      answer: failure('validation-failed', '2 fields are missing or invalid.', {
        errors: [
          { pointer: '/reservePrice', message: 'must be at least the startingPrice' },
          {
            pointer: '/softClose/latestEndTime',
            message: 'must be after endTime, and no later than 2030-02-14T12:00:00.000Z, a week after it',
          },
        ],
      }),
    },
    {
      summary: 'More decimals than the currency has, and an end before the start',
      request: { body: { ...deskAuction, startingPrice: 99.999, endTime: '2030-01-31T10:00:00Z' } },
      answer: failure('validation-failed', '2 fields are missing or invalid.', {
        errors: [
          {
            pointer: '/startingPrice',
            message: '99.999 is not an exact amount in USD, which has 2 decimals and stays below 10^15 minor units',
          },
          { pointer: '/endTime', message: 'must be after startTime, by a millisecond at least' },
        ],
      }),
    },
  ],
})
