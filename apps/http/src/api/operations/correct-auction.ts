import { CorrectionFields, parseCorrection } from '@auction/domain/parsing'
import { accepted, refused } from '@auction/domain/result'
import { tagOf } from '@auction/host/answers'
import { reasonsOf } from '../answers/refusals.ts'
import { AuctionViewResource } from '../answers/resources.ts'
import { allOf } from '../callers/requirement.ts'
import { jsonBody, mergePatch } from '../requests/json-body.ts'
import { AuctionPath, ifMatchHeader, preconditionRequired } from '../requests/parameters.ts'
import { defineOperation } from './define-operation.ts'
import { readAuctionAnswer } from './read-auction.ts'

export const correctAuction = defineOperation({
  route: { name: 'correctAuction', method: 'PATCH', path: '/api/Auctions/{id}', permissions: allOf('Auctions.Update') },
  docs: {
    tag: 'Auctions',
    summary: 'Correct an auction',
    description:
      'Corrects the title, the description or both before the first bid and before the end, up to 20 times. The body is a merge patch (RFC 7396). With the `ETag` of the last read in `If-Match`, a correction never overwrites one that the client has not read. The service keeps each correction, with its time and the caller.',
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
    ...reasonsOf('auction-not-found', 'auction-ended', 'auction-cancelled', 'too-many-corrections'),
    ...reasonsOf('precondition-required'),
    'auction-has-bids': 'The auction has bids.',
    'precondition-failed':
      '`If-Match` does not contain the entity tag that a read of the auction returns to this caller.',
  },
  handle: async ({ input, caller, viewer, service, arrivedAtMs }) => {
    const { parameters, header: ifMatch, body, retry } = input
    if (ifMatch === undefined) return refused(preconditionRequired)
    const corrected = await service.correctAuction(
      {
        auctionId: parameters.id,
        correction: body,
        // Staff need no user.
        editor: viewer.userId === undefined ? caller.storedAs : String(viewer.userId),
        ...(ifMatch !== '*' && { isExpected: (view) => ifMatch.includes(tagOf(readAuctionAnswer(view, viewer))) }),
      },
      retry,
      arrivedAtMs,
    )
    if (!corrected.ok) return corrected
    return accepted({ ...readAuctionAnswer(corrected.value, viewer), isRepeated: corrected.isRepeated })
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
    'An auction with bids': { parameters: { id: 1 }, headers: { 'If-Match': '*' }, body: { title: 'Oak desk' } },
    'A field that cannot be corrected': {
      parameters: { id: 3 },
      headers: { 'If-Match': '*' },
      body: { title: '', startingPrice: 10 },
    },
  },
})
