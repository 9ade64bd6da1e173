import { ExtensionFields, parseExtension } from '@auction/domain/parsing'
import { accepted } from '@auction/domain/result'
import { reasonsOf } from '../answers/refusals.ts'
import { AuctionViewResource } from '../answers/resources.ts'
import { allOf } from '../callers/requirement.ts'
import { editorOf } from '../callers/user-binding.ts'
import { jsonBody } from '../requests/json-body.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { defineOperation } from './define-operation.ts'
import { readAuctionAnswer } from './read-auction.ts'

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
    if (!extended.ok) return extended
    return accepted({ ...readAuctionAnswer(extended.value, viewer), isRepeated: extended.isRepeated })
  },
  examples: {
    'An extension by an hour': {
      parameters: { id: 1 },
      headers: { 'Idempotency-Key': 'outage-1' },
      body: { endTime: '2030-02-07T13:00:00Z', reason: 'The site could not be reached for an hour.' },
    },
    'An end that is not later': {
      parameters: { id: 1 },
      body: { endTime: '2030-02-07T12:00:00Z', reason: 'The site could not be reached for an hour.' },
    },
    'No reason': { parameters: { id: 1 }, body: { endTime: '2030-02-07T14:00:00Z' } },
  },
})
