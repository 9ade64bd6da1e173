import { accepted } from '@auction/domain/result'
import { described, integerFrom } from '@auction/host/responses'
import { asksForEvents } from '@auction/host/streams'
import * as v from 'valibot'
import { asPublic, readingAs } from '../callers/caller.ts'
import { AuctionPath, LastEventId, Limit, lastEventIdHeader, Position } from '../requests/parameters.ts'
import { EventResource, eventResource } from '../responses/event-resources.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { allOf, defineOperation } from './define-operation.ts'

export const listEvents = defineOperation({
  route: {
    name: 'listEvents',
    method: 'GET',
    path: '/api/Auctions/{id}/Events',
    permissions: allOf('Auctions.Read', 'Bids.Read'),
    isPublic: true,
  },
  docs: {
    tag: 'Auctions',
    summary: 'Follow an auction',
    description: `Lists bids, corrections, repairs and the result, oldest first. After a repair, the price may be lower and the end earlier: order events by \`sequence\`. Events are the same for all callers: without reserves and maximums.

With \`Accept: text/event-stream\` the response is a stream of server-sent events, which begins after \`Last-Event-ID\`, else after \`lastEventId\`, else
after \`after\`, else with a \`snapshot\` of the auction. A client that reconnects with the last \`id\` misses nothing and gets nothing twice, however long ago
that was. A 204 means that the auction is over and no event follows.`,
    success: 'A page of events, or the stream of events.',
  },
  schemas: {
    parameters: AuctionPath,
    query: v.object({ after: Position, lastEventId: LastEventId, limit: Limit }),
    header: lastEventIdHeader,
    data: v.object({
      items: v.array(EventResource),
      position: integerFrom(0, 'The `after` of the next page, which may be empty.'),
      isAtHead: described(v.boolean(), 'Whether the page contains the newest event.'),
    }),
    stream: `Server-sent events. \`id\` is the sequence, \`data\` JSON:

- \`snapshot\`: \`now\`, \`sequence\` and \`auction\`, an \`AuctionView\`; the first event of a stream without a position.
- ${EventResource.options.map(({ entries }) => `\`${entries.type.literal}\``).join(', ')}: the \`Event\` without its \`type\`. The stream ends after \`ended\`.
- \`reset\`, without \`id\`: the auction has no event at the position of the client, so a \`snapshot\` follows; \`reason\`, \`from\`, \`to\`.
- \`bye\`, without \`id\`: the server ends the stream, and the client reconnects; \`reason\` is \`age\`, \`token-expired\` or \`draining\`.

A comment every 15 seconds shows that the connection works.`,
  },
  refusals: reasonsOf('auction-not-found'),
  handle: async ({ input, viewer, service, live, signal, request, reply }) => {
    const { id } = input.parameters
    const { after, lastEventId = after, limit } = input.query
    if (asksForEvents(request)) return live.follow(request, reply, id, input.header ?? lastEventId, readingAs(viewer))
    const listed = await service.listEvents(id, { after: lastEventId ?? 0, limit, signal, ...readingAs(viewer) })
    if (!listed.ok) return listed
    const { items, position, isAtHead } = listed.value
    return accepted({
      message: `Events on this page: ${items.length}, oldest first.`,
      data: { items: items.map((event) => eventResource(event, asPublic(viewer))), position, isAtHead },
    })
  },
  examples: {
    'The first event': { parameters: { id: 1 }, query: { limit: '1' } },
    'The events after a position': { parameters: { id: 1 }, query: { after: '1' } },
  },
})
