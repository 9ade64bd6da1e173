import { BidId } from '@auction/domain/ids'
import * as v from 'valibot'
import { reasonsOf } from '../answers/refusals.ts'
import { BidResource, bidResource } from '../answers/resources.ts'
import { defineOperation } from './define-operation.ts'

export const readBid = defineOperation({
  name: 'readBid',
  method: 'GET',
  path: '/api/Bids/{id}',
  tag: 'Bids',
  permission: 'Bids.Read',
  isPublic: true,
  summary: 'Read a bid',
  description: 'A bid never changes.',
  parameters: v.object({ id: v.pipe(BidId, v.description('The bid.')) }),
  success: { status: 200, description: 'The bid.', data: BidResource, tagged: true },
  refusals: reasonsOf('bid-not-found'),
  call: (readBid, { parameters }) => readBid(parameters.id),
  answer: (bid, { viewer }) => ({
    message: bid.raisesMaximum ? `The maximum was raised (id ${bid.id}).` : `Bid ${bid.id} was placed.`,
    data: bidResource(bid, viewer),
  }),
  examples: {
    'The first bid': { parameters: { id: 1 } },
    'A bid that does not exist': { parameters: { id: 99 } },
  },
})
