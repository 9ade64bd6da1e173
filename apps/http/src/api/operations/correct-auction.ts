import { CorrectionFields, parseCorrection } from '@auction/domain/parsing'
import { accepted } from '@auction/domain/result'
import { tagOf } from '../../host/answers/success.ts'
import { reasonsOf } from '../answers/refusals.ts'
import { AuctionViewResource } from '../answers/resources.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { defineOperation } from './define-operation.ts'
import { readAuctionAnswer } from './read-auction.ts'

export const correctAuction = defineOperation({
  name: 'correctAuction',
  method: 'PATCH',
  path: '/api/Auctions/{id}',
  tag: 'Auctions',
  permission: 'Auctions.Update',
  summary: 'Correct an auction',
  description:
    'Corrects the title, the description or both before the first bid and before the end, up to 20 times. The body is a merge patch (RFC 7396). With the `ETag` of the last read in `If-Match`, a correction never overwrites one that the client has not read. The service keeps each correction, with its time and the caller.',
  parameters: AuctionPath,
  body: {
    schema: CorrectionFields,
    ignored: new Set(),
    parse: parseCorrection,
    mediaType: 'application/merge-patch+json',
  },
  isConditional: true,
  // Staff need no user.
  requester: (_bound, _fields, { userId }) => accepted(userId),
  success: { status: 200, description: 'The auction was corrected.', data: AuctionViewResource, tagged: true },
  refusals: {
    ...reasonsOf('auction-not-found', 'auction-ended', 'auction-cancelled', 'too-many-corrections'),
    'auction-has-bids': 'The auction has bids.',
    'precondition-failed':
      '`If-Match` does not contain the entity tag that a read of the auction returns to this caller.',
  },
  call: (correctAuction, { parameters, fields, retry, arrivedAtMs, viewer, storedCaller, ifMatch }) =>
    correctAuction(
      {
        auctionId: parameters.id,
        ...fields,
        editor: viewer.userId === undefined ? storedCaller : String(viewer.userId),
        ...(ifMatch !== '*' && { isExpected: (view) => ifMatch.includes(tagOf(readAuctionAnswer(view, viewer))) }),
      },
      retry,
      arrivedAtMs,
    ),
  answer: (view, { viewer }) => readAuctionAnswer(view, viewer),
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
