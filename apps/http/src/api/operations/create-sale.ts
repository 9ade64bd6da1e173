import { NewSaleFields, parseNewSale } from '@auction/domain/parsing'
import { editorOf } from '../callers/caller.ts'
import { jsonBody } from '../requests/json-body.ts'
import { SaleResource, saleResource } from '../responses/sale-resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

export const createSale = defineOperation({
  route: { name: 'createSale', method: 'POST', path: '/api/Sales', permissions: allOf('Sales.Manage') },
  docs: {
    tag: 'Sales',
    summary: 'Create a sale of lots',
    description:
      'A sale groups lots. Each lot is an auction, which starts with the sale and ends by its number: lot n at `firstEndTime` plus `intervalSeconds` for each `lotsPerInterval` lots before it. A sale never changes, but for its lots and extensions.',
    success: 'The sale was created.',
  },
  schemas: { body: jsonBody(NewSaleFields, parseNewSale), data: SaleResource },
  refusals: {},
  handle: async ({ input: { body, retry }, caller, viewer, service, arrivedAtMs }) => {
    const created = await service.createSale({ sale: body, editor: editorOf(caller) }, retry, arrivedAtMs)
    return responseTo(created, (sale) => ({
      message: `Sale ${sale.id} was created.`,
      data: saleResource(sale, viewer),
      location: `/api/Sales/${sale.id}`,
    }))
  },
  examples: {
    'A sale of lots that end a minute apart': {
      headers: { 'Idempotency-Key': 'sale-1' },
      body: {
        title: 'Estate of a clockmaker',
        currency: 'USD',
        startTime: '2030-02-01T12:00:00Z',
        firstEndTime: '2030-02-09T18:00:00Z',
        intervalSeconds: 60,
        lotDefaults: { productId: 1, ownerId: 1, startingPrice: 10, minimumBidIncrement: 5 },
      },
    },
    'An end before the start': {
      body: {
        title: 'Estate of a clockmaker',
        currency: 'USD',
        startTime: '2030-02-09T18:00:00Z',
        firstEndTime: '2030-02-01T12:00:00Z',
        intervalSeconds: 60,
      },
    },
  },
})
