import { LotsCancellationFields, parseLotsCancellation } from '@auction/domain/parsing'
import * as v from 'valibot'
import { jsonBody } from '../requests/json-body.ts'
import { SalePath } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { LotCancelledResource, lotCancelledResource } from '../responses/sale-resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

export const cancelLots = defineOperation({
  route: {
    name: 'cancelLots',
    method: 'POST',
    path: '/api/Sales/{id}/Cancellation',
    permissions: allOf('Sales.Manage'),
    isRepair: true,
  },
  docs: {
    tag: 'Sales',
    summary: 'Cancel up to 100 lots of a sale',
    description:
      'Cancels lots before their ends, even after bids. A cancelled lot stays in the sale and keeps its number and its first reason.',
    success: 'One outcome for each lot.',
  },
  schemas: {
    parameters: SalePath,
    body: jsonBody(LotsCancellationFields, parseLotsCancellation),
    data: v.object({ lots: v.array(LotCancelledResource) }),
  },
  refusals: reasonsOf('sale-not-found'),
  handle: async ({ input: { parameters, body, retry }, service, arrivedAtMs }) => {
    const cancelled = await service.cancelLots({ saleId: parameters.id, cancellation: body }, retry, arrivedAtMs)
    return responseTo(cancelled, ({ sale, lots }) => ({
      message: `Lots of sale ${sale.id} with an outcome: ${lots.length}.`,
      data: { lots: lots.map(lotCancelledResource) },
    }))
  },
  examples: {
    'A lot, and one that the sale does not have': {
      parameters: { id: 13 },
      headers: { 'Idempotency-Key': 'lots-2' },
      body: { lots: ['2A', '9'], reason: 'Withdrawn by the seller' },
    },
    'No reason': { parameters: { id: 13 }, body: { lots: ['2'] } },
  },
})
