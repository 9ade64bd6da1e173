import { parseSaleExtension, SaleExtensionFields, validationFailed } from '@auction/domain/parsing'
import { refused } from '@auction/domain/result'
import * as v from 'valibot'
import { editorOf } from '../callers/caller.ts'
import { jsonBody } from '../requests/json-body.ts'
import { SalePath } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { LotExtendedResource, lotExtendedResource } from '../responses/sale-resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

const keyNeeded = refused(
  validationFailed({
    pointer: '/Idempotency-Key',
    message: 'is required: the same request again, with the same key, completes the extension and never adds one',
  }),
)

export const extendSale = defineOperation({
  route: {
    name: 'extendSale',
    method: 'POST',
    path: '/api/Sales/{id}/Extension',
    permissions: allOf('Sales.Manage'),
    isRepair: true,
  },
  docs: {
    tag: 'Sales',
    summary: 'Extend a sale',
    description:
      'Gives every lot without a result a later end, for example after an outage, and the lots that are added later, too. It needs an `Idempotency-Key`: the same request again completes it, and never adds. The ledger of each lot decides, so a result that is recorded meanwhile stays.',
    success: 'The sale was extended, with one outcome for each lot.',
  },
  schemas: {
    parameters: SalePath,
    body: jsonBody(SaleExtensionFields, parseSaleExtension),
    data: v.object({ lots: v.array(LotExtendedResource) }),
  },
  refusals: {
    ...reasonsOf('sale-not-found', 'too-many-extensions'),
  },
  handle: async ({ input: { parameters, body, retry }, caller, service, arrivedAtMs }) => {
    if (retry === undefined) return keyNeeded
    const request = { saleId: parameters.id, extension: body, editor: editorOf(caller) }
    return responseTo(await service.extendSale(request, retry, arrivedAtMs), ({ sale, lots }) => ({
      message: `Sale ${sale.id} was extended by ${body.seconds} seconds.`,
      data: { lots: lots.map(lotExtendedResource) },
    }))
  },
  examples: {
    'An extension by ten minutes': {
      parameters: { id: 13 },
      headers: { 'Idempotency-Key': 'outage-2' },
      body: { seconds: 600, reason: 'The site could not be reached for ten minutes.' },
    },
    'No key': { parameters: { id: 13 }, body: { seconds: 600, reason: 'The site could not be reached.' } },
  },
})
