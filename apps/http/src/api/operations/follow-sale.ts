import { lotCursor, readLotCursor } from '@auction/domain/cursors'
import { asksForEvents } from '@auction/host/streams'
import * as v from 'valibot'
import { asPublic, readingAs } from '../callers/caller.ts'
import { cursor, foreignCursor, Limit, SalePath, UnusedLastEventId } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { pageSchema } from '../responses/resources.ts'
import { LotLineResource, lotLine } from '../responses/stream-resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

export const followSale = defineOperation({
  route: {
    name: 'followSale',
    method: 'GET',
    path: '/api/Sales/{id}/Events',
    permissions: allOf('Sales.Read', 'Bids.Read'),
    isPublic: true,
  },
  docs: {
    tag: 'Sales',
    summary: 'Follow a sale',
    description: `Returns a line for each lot of the sale, in the order of \`listLots\`: what a page of many lots shows, the same for all callers.

With \`Accept: text/event-stream\` the response is a stream of server-sent events: the lines of all lots, then the newest line of a lot whenever it changes, at
most four times a second. One stream is enough for a sale of 3,000 lots. A client that reconnects gets the lines again.`,
    success: 'A page of lines, or the stream of lines.',
  },
  schemas: {
    parameters: SalePath,
    query: v.object({ limit: Limit, cursor: cursor(readLotCursor), lastEventId: UnusedLastEventId }),
    data: pageSchema(LotLineResource),
    stream: `Server-sent events without \`id\`. \`data\` is JSON, whose \`now\` is a time of the server:

- \`sale\`: the sum of the extensions of the sale, and the number of its lots; first, and whenever one of them changes.
- \`lots\`: up to 100 \`lots\`, each a \`LotLine\`: first those of all lots, by their numbers, and then those that change, in any order.
- \`ready\`: all lots have a line.
- \`bye\`: the server ends the stream. The client reconnects, unless \`reason\` is \`over\`: each lot has its result. Other reasons are \`age\`,
  \`token-expired\` and \`draining\`.

A comment every 15 seconds shows that the connection works.`,
  },
  refusals: reasonsOf('sale-not-found'),
  handle: async ({ input: { parameters, query }, viewer, service, live, signal, request, reply }) => {
    const { id: saleId } = parameters
    if (asksForEvents(request)) return live.followSale(request, reply, saleId)
    const { limit, cursor: after } = query
    if (after !== undefined && after.saleId !== saleId) return foreignCursor
    const listed = await service.listLots(saleId, { limit, after: after?.position, signal, ...readingAs(viewer) })
    return responseTo(listed, ({ items, next }) => ({
      message: `Lots on this page: ${items.length}, by number.`,
      data: {
        items: items.map((view) => lotLine(view, asPublic(viewer))),
        nextCursor: next === undefined ? null : lotCursor({ saleId, position: next }),
      },
    }))
  },
  examples: { 'The lines of two lots': { parameters: { id: 13 }, query: { limit: '2' } } },
})
