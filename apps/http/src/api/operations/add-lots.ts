import { maxLotsOfCall, NewLotsFields, parseNewLots } from '@auction/domain/parsing'
import { refused } from '@auction/domain/result'
import * as v from 'valibot'
import { editorOf } from '../callers/caller.ts'
import { csvBody, withLines } from '../requests/csv-body.ts'
import { jsonBody } from '../requests/json-body.ts'
import { Check, SalePath } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { LotAddedResource, lotAddedResource } from '../responses/sale-resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

const maxBytes = 1024 * 1024

/** Lists of steps have no column: a sale has them in its defaults. */
const table = {
  listName: 'lots',
  columns: {
    lot: 'text',
    title: 'text',
    description: 'text',
    productId: 'integer',
    ownerId: 'integer',
    format: 'text',
    startingPrice: 'number',
    minimumBidIncrement: 'number',
    reservePrice: 'number',
    buyNowPrice: 'number',
    currency: 'text',
    endTime: 'time',
    'softClose.windowSeconds': 'integer',
    'softClose.extensionSeconds': 'integer',
    'softClose.latestEndTime': 'time',
    'falling.decrement': 'number',
    'falling.intervalSeconds': 'integer',
    'falling.floorPrice': 'number',
    pricing: 'text',
    reveal: 'text',
    cancellableUntilEnd: 'boolean',
    incrementPercent: 'number',
    maximumBidIncrement: 'number',
    onlySteps: 'boolean',
    registerId: 'integer',
    showPaddles: 'boolean',
  },
  textObjects: ['metadata'],
  required: ['lot'],
  maxRows: maxLotsOfCall,
} as const

export const addLots = defineOperation({
  route: {
    name: 'addLots',
    method: 'POST',
    path: '/api/Sales/{id}/Lots',
    permissions: allOf('Sales.Manage'),
    isRepair: true,
  },
  docs: {
    tag: 'Sales',
    summary: 'Add up to 100 lots to a sale',
    description:
      'Adds 1 to 100 different lots, all or none: if one is wrong, nothing is added. A lot has the fields of an auction but its start; what it lacks, it has from the `lotDefaults` of the sale. Its end follows from its number, unless it has an `endTime`. The same lot with the same content stays, so a file can be sent again; after a 503, sending it again creates what is missing. The body is JSON, or CSV with a header; errors of CSV name the line and the column.',
    success: 'The sale has these lots; with `check`, it would.',
  },
  schemas: {
    parameters: SalePath,
    query: v.object({ check: Check }),
    body: csvBody(jsonBody(NewLotsFields, parseNewLots, { maxBytes }), table),
    data: v.object({ lots: v.array(LotAddedResource) }),
  },
  refusals: reasonsOf('sale-not-found', 'lot-taken', 'too-many-lots'),
  handle: async ({ input: { parameters, query, body, retry }, caller, viewer, service, arrivedAtMs }) => {
    const isTrial = query.check === 'true'
    const mayReadReserve = viewer.permissions.has('Auctions.Reserve.Read')
    const request = { saleId: parameters.id, lots: body, editor: editorOf(caller), isTrial, mayReadReserve }
    const added = await service.addLots(request, isTrial ? undefined : retry, arrivedAtMs)
    const result =
      !added.ok && added.refusal.code === 'validation-failed' ? refused(withLines(body, added.refusal)) : added
    return responseTo(result, ({ sale, lots }) => ({
      message: `Lots that sale ${sale.id} ${isTrial ? 'would have' : 'has'}: ${lots.length}.`,
      data: { lots: lots.map(lotAddedResource) },
    }))
  },
  examples: {
    'Two lots': {
      parameters: { id: 13 },
      headers: { 'Idempotency-Key': 'lots-1' },
      body: {
        lots: [
          { lot: '1', title: 'Mantel clock' },
          { lot: '2', title: 'Tool chest', startingPrice: 50 },
        ],
      },
    },
    'The lines of a spreadsheet': {
      parameters: { id: 13 },
      body: 'lot;title;startingPrice;metadata.pictureUrl\n2A;Set of files;20;https://pictures.example/2a.jpg\n3;Lathe;;\n',
    },
    'A lot with other content': { parameters: { id: 13 }, body: { lots: [{ lot: '1', title: 'Wall clock' }] } },
    'A price with a thousands separator': { parameters: { id: 13 }, body: 'lot,title,startingPrice\n4,Safe,"1,200"\n' },
  },
})
