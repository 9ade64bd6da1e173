import type { BidderView, Claims } from '@auction/domain'
import type { UserId } from '@auction/domain/ids'
import { refused } from '@auction/domain/result'
import type { Success } from '@auction/host/responses'
import type { Caller } from '@auction/host/security'
import type * as v from 'valibot'
import { type Forbidden, maySeeListed } from '../callers/caller.ts'
import { BidderPath } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { BidderResource, bidderResource } from '../responses/register-resources.ts'
import { anyOf, defineOperation, responseTo } from './define-operation.ts'

const ofAnother: Forbidden = {
  code: 'forbidden',
  message: 'Without the permission Registers.Read, users read only their own entry, with a token that identifies them.',
}

/** The response to a read, whose entity tag a change may name. */
export const readBidderResponse = (
  view: BidderView,
  bidderId: UserId,
): Success<v.InferInput<typeof BidderResource>> => {
  const data = bidderResource(view, bidderId)
  return { message: `Bidder ${bidderId} ${data.mayBid ? 'may' : 'may not'} bid.`, data }
}

/** What the token of a caller says of a bidder: nothing of others. */
export const claimsOn = (bidderId: UserId, { userId, admissions }: Caller): Claims | undefined =>
  userId === bidderId ? admissions : undefined

export const readBidder = defineOperation({
  route: {
    name: 'readBidder',
    method: 'GET',
    path: '/api/Registers/{id}/Bidders/{bidderId}',
    permissions: anyOf('Registers.Read', 'Bids.Create'),
  },
  docs: {
    tag: 'Registers',
    summary: 'Read what a register says of a user',
    description:
      'Returns the entry of a user, listed or not, and whether the user may bid now. Users read their own entry; others need `Registers.Read`. A claim of the token counts for its own user only.',
    success: 'What the register says of the user.',
  },
  schemas: { parameters: BidderPath, data: BidderResource, isTagged: true },
  refusals: reasonsOf('register-not-found'),
  handle: async ({ input: { parameters }, caller, viewer, service }) => {
    const { id, bidderId } = parameters
    if (!maySeeListed(viewer, bidderId)) return refused(ofAnother)
    const read = await service.readBidder(id, bidderId, claimsOn(bidderId, caller))
    return responseTo(read, (view) => readBidderResponse(view, bidderId))
  },
  examples: {
    'A bidder who is admitted': { parameters: { id: 9, bidderId: 2 } },
    'A user who is not listed': { parameters: { id: 9, bidderId: 8 } },
  },
})
