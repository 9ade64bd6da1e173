import { SalePath } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { SaleViewResource, saleViewResource } from '../responses/sale-resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

export const readSale = defineOperation({
  route: {
    name: 'readSale',
    method: 'GET',
    path: '/api/Sales/{id}',
    permissions: allOf('Sales.Read'),
    isPublic: true,
  },
  docs: {
    tag: 'Sales',
    summary: 'Read a sale',
    description: 'Returns the sale with the numbers of its lots by their results, and the total of the prices.',
    success: 'The sale.',
  },
  schemas: { parameters: SalePath, data: SaleViewResource, isTagged: true },
  refusals: reasonsOf('sale-not-found'),
  handle: async ({ input: { parameters }, viewer, service }) =>
    responseTo(await service.readSale(parameters.id), (view) => ({
      message: `Sale ${view.sale.id} is ${view.status}.`,
      data: saleViewResource(view, viewer),
    })),
  examples: { 'A sale': { parameters: { id: 13 } }, 'A sale that does not exist': { parameters: { id: 99 } } },
})
