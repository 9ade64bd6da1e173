import { CorrectionFields, parseCorrection } from '@auction/domain/parsing'
import { refused } from '@auction/domain/result'
import { tagOf } from '@auction/host/responses'
import { editorOf, ownerUnknownFor, readingAs } from '../callers/caller.ts'
import { jsonBody, mergePatch } from '../requests/json-body.ts'
import { AuctionPath, ifMatchHeader, preconditionRequired } from '../requests/parameters.ts'
import { ownersOnly, reasonsOf } from '../responses/refusals.ts'
import { AuctionViewResource } from '../responses/resources.ts'
import { anyOf, defineOperation, responseTo } from './define-operation.ts'
import { readWithoutBidResponse } from './read-auction.ts'

export const correctAuction = defineOperation({
  route: {
    name: 'correctAuction',
    method: 'PATCH',
    path: '/api/Auctions/{id}',
    permissions: anyOf('Auctions.Update', 'Auctions.Update.Any'),
  },
  docs: {
    tag: 'Auctions',
    summary: 'Correct an auction',
    description:
      'Corrects fields before the first bid and before the end: all but `productId`, `ownerId` and `currency`, and `startTime` only before it has passed. The body is a merge patch (RFC 7396): a field that is absent is kept, null removes an optional field, and members of `metadata` are merged. `softClose` is replaced, so send all of its members. The result must be valid as a whole, like a new auction. With the `ETag` of the last read in `If-Match`, a correction never overwrites one that the client has not read. The service keeps each correction, with its time and the caller: `GET /api/Auctions/{id}/Repairs` lists them. The owner can correct until the auction was corrected 20 times, and others until 40 times.\n\nWith `Auctions.Update`, only the owner can correct an auction, and callers must be bound to users; with `Auctions.Update.Any`, any caller can. A caller who may not read the reserve of the auction must send a `reservePrice` with a `startingPrice` or a `buyNowPrice`.',
    success: 'The auction was corrected.',
  },
  schemas: {
    parameters: AuctionPath,
    header: ifMatchHeader,
    body: mergePatch(jsonBody(CorrectionFields, parseCorrection)),
    data: AuctionViewResource,
    isTagged: true,
  },
  refusals: {
    ...reasonsOf('auction-not-found', 'auction-ended', 'auction-cancelled', 'auction-repaired', 'too-many-corrections'),
    ...reasonsOf('precondition-required'),
    ...ownersOnly,
    'auction-has-bids': 'The auction has had bids.',
    'auction-started': 'The auction, whose price falls, has started.',
    'precondition-failed':
      '`If-Match` does not contain the entity tag that a read of the auction returns to this caller.',
  },
  handle: async ({ input, caller, viewer, userBinding, service, arrivedAtMs }) => {
    const { parameters, header: ifMatch, body, retry } = input
    if (ifMatch === undefined) return refused(preconditionRequired)
    const mayCorrectAny = viewer.permissions.has('Auctions.Update.Any')
    const requester = userBinding.requesterOf(caller)
    if (!mayCorrectAny && !requester.ok) return requester
    if (!mayCorrectAny && viewer.userId === undefined)
      return refused(ownerUnknownFor('correcting', 'Auctions.Update.Any'))
    const corrected = await service.correctAuction(
      {
        auctionId: parameters.id,
        correction: body,
        requesterId: viewer.userId,
        mayCorrectAny,
        seesPrivate: readingAs(viewer).seesPrivate,
        mayReadReserve: viewer.permissions.has('Auctions.Reserve.Read'),
        editor: editorOf(caller),
        // An auction with bids cannot be corrected.
        ...(ifMatch !== '*' && { isExpected: (view) => ifMatch.includes(tagOf(readWithoutBidResponse(view, viewer))) }),
      },
      retry,
      arrivedAtMs,
    )
    return responseTo(corrected, (view) => readWithoutBidResponse(view, viewer))
  },
  examples: {
    'A new title and description': {
      parameters: { id: 3 },
      headers: { 'If-Match': '*', 'Idempotency-Key': 'lamp-1' },
      body: { title: 'Brass lamp, 1920', description: 'The shade is new.' },
    },
    'The entity tag of an earlier state': {
      parameters: { id: 3 },
      headers: { 'If-Match': '"lq~XcRr14E9JTQuUWdc9RDVIw2E-j8xrtsGIU8i_zbOJh0"' },
      body: { title: 'Copper lamp' },
    },
    'No entity tag': { parameters: { id: 3 }, body: { description: null } },
    'A lower price, a later end and other metadata': {
      parameters: { id: 3 },
      headers: { 'If-Match': '*' },
      body: { startingPrice: 15, endTime: '2030-02-08T12:00:00Z', metadata: { lotNumber: null, color: 'gold' } },
    },
  },
})
