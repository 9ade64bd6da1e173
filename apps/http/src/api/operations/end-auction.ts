import { EarlyEndFields, parseEarlyEnd } from '@auction/domain/parsing'
import { accepted } from '@auction/domain/result'
import { reasonsOf } from '../answers/refusals.ts'
import { AuctionViewResource } from '../answers/resources.ts'
import { allOf } from '../callers/requirement.ts'
import { editorOf } from '../callers/user-binding.ts'
import { jsonBody } from '../requests/json-body.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { defineOperation } from './define-operation.ts'
import { readAuctionAnswer } from './read-auction.ts'

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
    if (!ended.ok) return ended
    return accepted({ ...readAuctionAnswer(ended.value, viewer), isRepeated: ended.isRepeated })
  },
  examples: {
    'An auction without bids': {
      parameters: { id: 4 },
      headers: { 'Idempotency-Key': 'lost-1' },
      body: { reason: 'The coin was lost.' },
    },
    'An empty reason': { parameters: { id: 4 }, body: { reason: '' } },
    'An auction that does not exist': { parameters: { id: 99 }, body: { reason: 'The coin was lost.' } },
  },
})
