import type { Bid } from '@auction/domain/auction'
import { BidId } from '@auction/domain/ids'
import * as v from 'valibot'
import { readingAs } from '../callers/caller.ts'
import { BidResource, bidResource } from '../responses/bid-resources.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

export const readBid = defineOperation({
  route: { name: 'readBid', method: 'GET', path: '/api/Bids/{id}', permissions: allOf('Bids.Read'), isPublic: true },
  docs: {
    tag: 'Bids',
    summary: 'Read a bid',
    description:
      'A bid never changes, unless it is withdrawn: it then has `withdrawn`. A sealed bid exists only for its bidder. A purchase, which the list of the bids of a bidder has, is read in the same way.',
    success: 'The bid.',
  },
  schemas: {
    parameters: v.object({ id: v.pipe(BidId, v.description('The bid.')) }),
    data: BidResource,
    isTagged: true,
  },
  refusals: reasonsOf('bid-not-found', 'sealed-bids-unavailable'),
  handle: async ({ input: { parameters }, viewer, service }) => {
    const { viewerId, seesPrivate } = readingAs(viewer)
    const read = await service.readBid(parameters.id, viewerId, seesPrivate)
    return responseTo(read, (bid) => ({ message: readMessage(bid), data: bidResource(bid, viewer) }))
  },
  examples: {
    'The first bid': { parameters: { id: 1 } },
  },
})

function readMessage({ id, auctionId, raisesMaximum, isPurchase }: Bid): string {
  if (isPurchase) return `Auction ${auctionId} was bought.`
  return raisesMaximum ? `The maximum was raised (id ${id}).` : `Bid ${id} was placed.`
}
