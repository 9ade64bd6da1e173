import type { NewBid } from '@auction/domain/auction'
import {
  allErrorsOf,
  type Checked,
  isPlainObject,
  NewBidFields,
  type Parsed,
  parseNewBid,
  validationFailed,
} from '@auction/domain/parsing'
import { refused } from '@auction/domain/result'
import * as v from 'valibot'
import { jsonBody } from '../requests/json-body.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { PlacedBidResource } from '../responses/bid-resources.ts'
import { allOf, defineOperation } from './define-operation.ts'
import { bidBody, bidRefusals, handleBid, placeBid } from './place-bid.ts'

const { auctionId: _, ...ownFields } = NewBidFields.entries

/** The JSON of a bid whose auction is in the path. */
const Fields = v.object({
  auctionId: v.nullish(v.pipe(AuctionPath.entries.id, v.description('If it is present, the auction in the path.'))),
  ...ownFields,
})

export const placeBidOnAuction = defineOperation({
  route: {
    name: 'placeBidOnAuction',
    method: 'POST',
    path: '/api/Auctions/{id}/Bids',
    permissions: allOf('Bids.Create'),
  },
  docs: {
    tag: 'Bids',
    summary: 'Place a bid on the auction in the path',
    description:
      'The same as `POST /api/Bids`, with the auction in the path, where a load balancer sees it and can send all bids on the auction to one server. A key that was used on one of the two paths counts on the other.',
    success: placeBid.docs.success,
  },
  schemas: { parameters: AuctionPath, body: jsonBody(Fields, parseWithPath, bidBody), data: PlacedBidResource },
  refusals: bidRefusals,
  handle: handleBid,
  examples: {
    'A bid without the auction in the body': { parameters: { id: 1 }, body: { bidderId: 2, amount: 150 } },
    'The key of a bid that was placed by the other path': {
      parameters: { id: 1 },
      headers: { 'Idempotency-Key': 'bid-1' },
      body: { auctionId: 1, bidderId: 2, amount: 100 },
    },
    'Another auction in the body, and no bidder': { parameters: { id: 1 }, body: { auctionId: 2, amount: 160 } },
  },
})

function parseWithPath(
  input: unknown,
  { path }: { readonly path: v.InferOutput<typeof AuctionPath> | undefined },
): Parsed<Checked<NewBid>> {
  // Only the error of the path is reported: the bid has no auction.
  if (path === undefined) return refused(validationFailed())
  if (!isPlainObject(input)) return parseNewBid(input)
  const { auctionId = path.id } = input
  const isOther = auctionId !== null && auctionId !== path.id
  const bid = parseNewBid({ ...input, auctionId: path.id })
  if (!isOther) return bid
  const message = `must be ${path.id}, the auction in the path, or absent`
  return refused(allErrorsOf(bid, refused(validationFailed({ pointer: '/auctionId', message }))))
}
