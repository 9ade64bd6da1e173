import type { BidderView } from '@auction/domain'
import { BidderFields, parseBidder, type ValidationFailed, validationFailed } from '@auction/domain/parsing'
import { refused } from '@auction/domain/result'
import { tagOf } from '@auction/host/responses'
import * as v from 'valibot'
import { editorOf, type Forbidden } from '../callers/caller.ts'
import { jsonBody } from '../requests/json-body.ts'
import { BidderPath, ifMatchHeader } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import {
  BidderResource,
  WithdrawnEverywhereResource,
  withdrawnEverywhereResource,
} from '../responses/register-resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'
import { claimsOn, readBidderResponse } from './read-bidder.ts'

const needsRepairs: Forbidden = {
  code: 'forbidden',
  message: 'With withdrawBids, this operation also requires the permission Auctions.Manage.',
}

/** The body of this operation is the first bidder of a list. */
const asOfOne = (refusal: ValidationFailed): ValidationFailed => ({
  ...refusal,
  errors: refusal.errors.map(({ pointer, message }) => ({ pointer: pointer.replace('/bidders/0', ''), message })),
})

export const setBidder = defineOperation({
  route: {
    name: 'setBidder',
    method: 'PUT',
    path: '/api/Registers/{id}/Bidders/{bidderId}',
    permissions: allOf('Registers.Manage'),
  },
  docs: {
    tag: 'Registers',
    summary: 'Admit or refuse a bidder',
    description:
      'Sets the whole entry of a bidder: what is left out is removed. The same content again changes nothing, and returns 200, too. After the response to a refusal, no server accepts a bid of the bidder that arrives later. A lower limit leaves a standing maximum, which the bidder cannot raise above it.\n\nWith `withdrawBids`, the bids of the bidder in the open auctions of the register are withdrawn, among the newest 500 bids of the bidder, and the bidder is blocked there; this also requires `Auctions.Manage`. An auction with sealed bids is among them only if the bidder has bid there, so staff and readers of its repairs learn that, but no amount. A bid that arrived before the refusal may be recorded until `settledAt`: send the request again after it. A bidder who is admitted again stays blocked in these auctions, until a withdrawal with `block`: false.\n\nWith the `ETag` of the last read in `If-Match`, a change never overwrites one that the client has not read.',
    success: 'The register lists the bidder so.',
  },
  schemas: {
    parameters: BidderPath,
    header: ifMatchHeader,
    body: jsonBody(BidderFields, (input, { path }: { readonly path: v.InferOutput<typeof BidderPath> | undefined }) =>
      // Only the error of the path is reported: the entry has no bidder.
      path === undefined ? refused(validationFailed()) : parseBidder(input, path.bidderId),
    ),
    data: v.object({ ...BidderResource.entries, withdrawn: v.optional(WithdrawnEverywhereResource) }),
    isTagged: true,
  },
  refusals: reasonsOf('register-not-found', 'paddle-taken', 'too-many-bidders', 'precondition-failed', 'unsupported'),
  handle: async ({ input, caller, viewer, service, arrivedAtMs }) => {
    const { parameters, header: ifMatch, body, retry } = input
    const { id: registerId, bidderId } = parameters
    if (body.withdrawal !== undefined && !viewer.permissions.has('Auctions.Manage')) return refused(needsRepairs)
    const isExpected = (view: BidderView) =>
      ifMatch === undefined || ifMatch === '*' || ifMatch.includes(tagOf(readBidderResponse(view, bidderId)))
    const claims = claimsOn(bidderId, caller)
    const request = { registerId, bidders: body, editor: editorOf(caller), claims, isExpected }
    const set = await service.setBidders(request, retry, arrivedAtMs)
    if (!set.ok && set.refusal.code === 'validation-failed') return refused(asOfOne(set.refusal))
    return responseTo(set, ({ view, withdrawn }) => {
      const read = readBidderResponse(view, bidderId)
      if (withdrawn === undefined) return read
      return { ...read, data: { ...read.data, withdrawn: withdrawnEverywhereResource(withdrawn) }, tag: tagOf(read) }
    })
  },
  examples: {
    'A bidder up to a limit, with a paddle': {
      parameters: { id: 9, bidderId: 2 },
      body: { status: 'admitted', limit: 5000, paddle: '12' },
    },
    'A paddle that another bidder has': {
      parameters: { id: 9, bidderId: 3 },
      body: { status: 'admitted', paddle: '12' },
    },
    'A refusal during a sale': {
      parameters: { id: 9, bidderId: 3 },
      body: { status: 'refused', withdrawBids: true, reason: 'Has not paid for earlier lots.' },
    },
    'A withdrawal without a reason': {
      parameters: { id: 9, bidderId: 3 },
      body: { status: 'refused', withdrawBids: true },
    },
  },
})
