import { assignedToAuctions, NewAuctionFields, parseNewAuction } from '@auction/domain/auction/new-auction'
import { accepted } from '@auction/domain/result'
import { AuctionResource, auctionLocation, auctionResource } from '../answers/resources.ts'
import { defineOperation } from './define-operation.ts'
import { failure, success } from './example.ts'
import { createdAuction, deskAuction } from './example-data.ts'

export const createAuction = defineOperation({
  name: 'createAuction',
  method: 'POST',
  path: '/api/Auctions',
  tag: 'Auctions',
  permission: 'Auctions.Create',
  summary: 'Create an auction',
  description:
    'The status of a new auction is `Pending`, whatever its times. Money is exact: an amount with more decimals than its currency has is refused, never rounded.',
  body: { schema: NewAuctionFields, ignored: assignedToAuctions, parse: parseNewAuction },
  actingUser: 'ownerId',
  success: {
    status: 201,
    description: 'The auction is stored. `data` has all that was sent, with `id` and `status`.',
    data: AuctionResource,
  },
  refusals: {},
  run: async (createAuction, { fields, retry }) => {
    const created = await createAuction(fields, retry)
    if (!created.ok) return created
    const auction = created.value
    return accepted({
      message: `Auction ${auction.id} is created.`,
      data: auctionResource(auction, 'Pending'),
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
