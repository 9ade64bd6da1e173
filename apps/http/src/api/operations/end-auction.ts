import { EarlyEndFields, parseEarlyEnd } from '@auction/domain/parsing'
import { editorOf } from '../callers/caller.ts'
import { jsonBody } from '../requests/json-body.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { AuctionViewResource } from '../responses/resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'
import { readAuctionResponse } from './read-auction.ts'

export const endAuction = defineOperation({
  route: {
    name: 'endAuction',
    method: 'POST',
    path: '/api/Auctions/{id}/Closing',
    permissions: allOf('Auctions.Manage'),
    isRepair: true,
  },
  docs: {
    tag: 'Repairs',
    summary: 'End an auction now',
    description:
      'Ends an auction before its end. Bids that have arrived by then count, and no bid extends the auction. The result follows a few seconds later, as at any end: sold to the leader or unsold, with `endedEarly`. Until then, the auction can still be extended. After the end, it is recorded as a repair and changes nothing. All readers see the reason.',
    success: 'The auction has ended. Its `result` is null until it is recorded.',
  },
  schemas: {
    parameters: AuctionPath,
    body: jsonBody(EarlyEndFields, parseEarlyEnd),
    data: AuctionViewResource,
    isTagged: true,
  },
  refusals: {
    ...reasonsOf('auction-not-found', 'auction-not-started', 'auction-cancelled', 'too-many-repairs'),
    'auction-ended': 'The result is recorded, or the auction was bought.',
  },
  handle: async ({ input: { parameters, body, retry }, caller, viewer, service, arrivedAtMs }) => {
    const request = { auctionId: parameters.id, earlyEnd: body, editor: editorOf(caller) }
    const ended = await service.endAuction(request, retry, arrivedAtMs)
    return responseTo(ended, (view) => readAuctionResponse(view, viewer))
  },
  examples: {
    'An auction without bids': {
      parameters: { id: 4 },
      headers: { 'Idempotency-Key': 'lost-1' },
      body: { reason: 'The coin was lost.' },
    },
  },
})
