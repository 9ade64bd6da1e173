import type { RegisterRefusal } from '@auction/domain'
import { BiddersFields, parseBidders } from '@auction/domain/parsing'
import { refused } from '@auction/domain/result'
import * as v from 'valibot'
import { editorOf } from '../callers/caller.ts'
import { csvBody, withLines } from '../requests/csv-body.ts'
import { jsonBody } from '../requests/json-body.ts'
import { Check, RegisterPath } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { ListedBidderResource, listedBidderResource } from '../responses/register-resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

const table = {
  listName: 'bidders',
  columns: { bidderId: 'integer', status: 'text', limit: 'number', paddle: 'text' },
  required: ['bidderId', 'status'],
  maxRows: 100,
} as const

function refusalOf(refusal: RegisterRefusal, body: object) {
  if (refusal.code === 'precondition-failed') throw new Error('no change of several bidders has a precondition')
  return refusal.code === 'validation-failed' ? withLines(body, refusal) : refusal
}

export const setBidders = defineOperation({
  route: {
    name: 'setBidders',
    method: 'POST',
    path: '/api/Registers/{id}/Bidders',
    permissions: allOf('Registers.Manage'),
    isRepair: true,
  },
  docs: {
    tag: 'Registers',
    summary: 'Set the entries of up to 100 bidders',
    description:
      'Sets the whole entries of 1 to 100 different bidders, as `PUT` does for one, all or none: if one is wrong, nothing is changed. The body is JSON, or CSV with a header; errors of CSV name the line and the column. Bids are withdrawn by the `PUT` of one bidder only.',
    success: 'The register lists the bidders so; with `check`, it would.',
  },
  schemas: {
    parameters: RegisterPath,
    query: v.object({ check: Check }),
    body: csvBody(jsonBody(BiddersFields, parseBidders), table),
    data: v.object({ bidders: v.array(ListedBidderResource) }),
  },
  refusals: reasonsOf('register-not-found', 'paddle-taken', 'too-many-bidders'),
  handle: async ({ input: { parameters, query, body, retry }, caller, service, arrivedAtMs }) => {
    const isTrial = query.check === 'true'
    const request = { registerId: parameters.id, bidders: body, editor: editorOf(caller), isTrial }
    const set = await service.setBidders(request, isTrial ? undefined : retry, arrivedAtMs)
    const result = set.ok ? set : refused(refusalOf(set.refusal, body))
    return responseTo(result, ({ view, bidders }) => ({
      message: `Bidders that register ${parameters.id} ${isTrial ? 'would list' : 'lists'} so: ${bidders.length}.`,
      data: { bidders: bidders.map((bidder) => listedBidderResource(bidder, view.register)) },
    }))
  },
  examples: {
    'Two bidders': {
      parameters: { id: 9 },
      headers: { 'Idempotency-Key': 'bidders-1' },
      body: {
        bidders: [
          { bidderId: 3, status: 'admitted', limit: 1000, paddle: '14' },
          { bidderId: 4, status: 'pending' },
        ],
      },
    },
    'The lines of a spreadsheet': {
      parameters: { id: 9 },
      body: 'bidderId;status;limit;paddle\n5;admitted;2500;15\n6;refused;;\n',
    },
    'A limit with a thousands separator': {
      parameters: { id: 9 },
      body: 'bidderId,status,limit\n5,admitted,"2,500.00"\n',
    },
  },
})
