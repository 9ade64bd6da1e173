import type { Bid } from '@auction/domain/auction'
import { BidId } from '@auction/domain/ids'
import { accepted } from '@auction/domain/result'
import * as v from 'valibot'
import { reasonsOf } from '../answers/refusals.ts'
import { BidResource, bidResource } from '../answers/resources.ts'
import { allOf } from '../callers/requirement.ts'
import { defineOperation } from './define-operation.ts'

export const readBid = defineOperation({
  route: { name: 'readBid', method: 'GET', path: '/api/Bids/{id}', permissions: allOf('Bids.Read'), isPublic: true },
  docs: {
    tag: 'Bids',
    summary: 'Read a bid',
    description:
      'A bid never changes, unless staff withdraw it: it then has `withdrawn`. A purchase, which the list of the bids of a bidder has, is read in the same way.',
    success: 'The bid.',
  },
  schemas: {
    parameters: v.object({ id: v.pipe(BidId, v.description('The bid.')) }),
    data: BidResource,
    isTagged: true,
  },
  refusals: reasonsOf('bid-not-found'),
  handle: async ({ input: { parameters }, viewer, service }) => {
    const read = await service.readBid(parameters.id)
    if (!read.ok) return read
    const bid = read.value
    return accepted({
      message: readMessage(bid),
      data: bidResource(bid, viewer),
    })
  },
  examples: {
    'The first bid': { parameters: { id: 1 } },
    'A bid that does not exist': { parameters: { id: 99 } },
  },
})

function readMessage({ id, auctionId, raisesMaximum, isPurchase }: Bid): string {
  if (isPurchase) return `Auction ${auctionId} was bought.`
  return raisesMaximum ? `The maximum was raised (id ${id}).` : `Bid ${id} was placed.`
}
