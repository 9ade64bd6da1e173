import { ExtensionFields, parseExtension } from '@auction/domain/parsing'
import { editorOf } from '../callers/caller.ts'
import { jsonBody } from '../requests/json-body.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { AuctionViewResource } from '../responses/resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'
import { readAuctionResponse } from './read-auction.ts'

export const extendAuction = defineOperation({
  route: {
    name: 'extendAuction',
    method: 'POST',
    path: '/api/Auctions/{id}/Extension',
    permissions: allOf('Auctions.Manage'),
    isRepair: true,
  },
  docs: {
    tag: 'Repairs',
    summary: 'Extend an auction',
    description:
      'Gives an auction a later end, for example after an outage: before its end, or after it until the result is recorded a few seconds later. The latest end of a soft close moves by as much. All readers see the reason.',
    success: 'The auction was extended.',
  },
  schemas: {
    parameters: AuctionPath,
    body: jsonBody(ExtensionFields, parseExtension),
    data: AuctionViewResource,
    isTagged: true,
  },
  refusals: {
    ...reasonsOf('auction-not-found', 'auction-cancelled', 'too-many-repairs'),
    'auction-ended': 'The result is recorded, or the auction was bought.',
  },
  handle: async ({ input: { parameters, body, retry }, caller, viewer, service, arrivedAtMs }) => {
    const request = { auctionId: parameters.id, extension: body, editor: editorOf(caller) }
    const extended = await service.extendAuction(request, retry, arrivedAtMs)
    return responseTo(extended, (view) => readAuctionResponse(view, viewer))
  },
  examples: {
    'An extension by an hour': {
      parameters: { id: 1 },
      headers: { 'Idempotency-Key': 'outage-1' },
      body: { endTime: '2030-02-07T13:00:00Z', reason: 'The site could not be reached for an hour.' },
    },
    'No reason': { parameters: { id: 1 }, body: { endTime: '2030-02-07T14:00:00Z' } },
  },
})
