import { lotCursor, readLotCursor } from '@auction/domain/cursors'
import * as v from 'valibot'
import { readingAs } from '../callers/caller.ts'
import { cursor, foreignCursor, Limit, SalePath } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { AuctionListItem, auctionViewResource, pageSchema } from '../responses/resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

export const listLots = defineOperation({
  route: {
    name: 'listLots',
    method: 'GET',
    path: '/api/Sales/{id}/Lots',
    permissions: allOf('Sales.Read'),
    isPublic: true,
  },
  docs: {
    tag: 'Sales',
    summary: 'List the lots of a sale',
    description: 'Lists the lots by their numbers, then by their letters, as lists of auctions show them.',
    success: 'A page of lots.',
  },
  schemas: {
    parameters: SalePath,
    query: v.object({ limit: Limit, cursor: cursor(readLotCursor) }),
    data: pageSchema(AuctionListItem),
  },
  refusals: reasonsOf('sale-not-found'),
  handle: async ({ input: { parameters, query }, viewer, service, signal }) => {
    const { id: saleId } = parameters
    const { limit, cursor: after } = query
    if (after !== undefined && after.saleId !== saleId) return foreignCursor
    const listed = await service.listLots(saleId, { limit, after: after?.position, signal, ...readingAs(viewer) })
    return responseTo(listed, ({ items, next }) => ({
      message: `Lots on this page: ${items.length}, by number.`,
      data: {
        items: items.map((view) => auctionViewResource(view, viewer)),
        nextCursor: next === undefined ? null : lotCursor({ saleId, position: next }),
      },
    }))
  },
  examples: { 'The first lot, with a cursor': { parameters: { id: 13 }, query: { limit: '1' } } },
})
