import { readSaleCursor, saleCursor } from '@auction/domain/cursors'
import * as v from 'valibot'
import { cursor, Limit } from '../requests/parameters.ts'
import { pageSchema } from '../responses/resources.ts'
import { SaleResource, saleResource } from '../responses/sale-resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

export const listSales = defineOperation({
  route: { name: 'listSales', method: 'GET', path: '/api/Sales', permissions: allOf('Sales.Read'), isPublic: true },
  docs: {
    tag: 'Sales',
    summary: 'List the sales',
    description: 'Lists the newest sales first, without what their lots are now.',
    success: 'A page of sales.',
  },
  schemas: {
    query: v.object({ limit: Limit, cursor: cursor(readSaleCursor) }),
    data: pageSchema(SaleResource),
  },
  refusals: {},
  handle: async ({ input: { query }, viewer, service, signal }) => {
    const { limit, cursor: before } = query
    return responseTo(await service.listSales({ limit, before, signal }), ({ items, next }) => ({
      message: `Sales on this page: ${items.length}, newest first.`,
      data: {
        items: items.map((sale) => saleResource(sale, viewer)),
        nextCursor: next === undefined ? null : saleCursor(next),
      },
    }))
  },
  examples: { 'The newest sale, with a cursor': { query: { limit: '1' } } },
})
