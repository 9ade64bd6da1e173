import { defaultPageSize, maxPageSize } from '@auction/domain'
import { lotCursor, readLotCursor } from '@auction/domain/cursors'
import { validationFailed } from '@auction/domain/parsing'
import { refused, unwrap } from '@auction/domain/result'
import { asksFor, sendCsv } from '@auction/host/responses'
import * as v from 'valibot'
import { readingAs } from '../callers/caller.ts'
import { csvType } from '../requests/json-body.ts'
import { cursor, foreignCursor, GivenLimit, SalePath } from '../requests/parameters.ts'
import { lotColumns, lotsCsv } from '../responses/lots-csv.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { AuctionListItem, auctionViewResource, pageSchema } from '../responses/resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

const pagedCsv = (parameter: string) =>
  refused(validationFailed({ pointer: `/${parameter}`, message: 'must be omitted: CSV has all lots' }))

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
    description:
      'Lists the lots by their numbers, then by their letters, as lists of auctions show them. With `Accept: text/csv` the response is a file with the results of all lots, without `limit` and `cursor`.',
    success: 'A page of lots, or the CSV of all.',
  },
  schemas: {
    parameters: SalePath,
    query: v.object({ limit: GivenLimit, cursor: cursor(readLotCursor) }),
    data: pageSchema(AuctionListItem),
    csv: `One line for each lot, below a header. The columns are ${lotColumns.map((column) => `\`${column}\``).join(', ')}. A lot has an \`outcome\` and a \`price\` once it has a result. \`winnerId\` is also the buyer of a lot that was bought at once.`,
  },
  refusals: reasonsOf('sale-not-found'),
  handle: async ({ input: { parameters, query }, viewer, service, signal, request, reply }) => {
    const { id: saleId } = parameters
    const { limit = defaultPageSize, cursor: after } = query
    if (asksFor(request, csvType)) {
      const [given] = Object.keys(query)
      if (given !== undefined) return pagedCsv(given)
      const readAfter = (position?: number) =>
        service.listLots(saleId, { limit: maxPageSize, after: position, signal, ...readingAs(viewer) })
      const first = await readAfter()
      if (!first.ok) return first
      const lines = lotsCsv(first.value, async (position) => unwrap(await readAfter(position)), viewer)
      sendCsv(request, reply, `sale-${saleId}-lots.csv`, lines)
      return 'sent'
    }
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
