import { AuctionId } from '@auction/domain/ids'
import { missingField } from '@auction/domain/parsing'
import { accepted } from '@auction/domain/result'
import { asksForEvents } from '@auction/host/streams'
import * as v from 'valibot'
import { asPublic, readingAs } from '../callers/caller.ts'
import { auctionIds, UnusedLastEventId } from '../requests/parameters.ts'
import { StateResource, stateResource } from '../responses/stream-resources.ts'
import { allOf, defineOperation } from './define-operation.ts'

export const followAuctions = defineOperation({
  route: {
    name: 'followAuctions',
    method: 'GET',
    path: '/api/Auctions/Events',
    permissions: allOf('Auctions.Read', 'Bids.Read'),
    isPublic: true,
  },
  docs: {
    tag: 'Auctions',
    summary: 'Follow several auctions',
    description: `Returns the states of these auctions, which are the same for all callers: without reserves and maximums.

With \`Accept: text/event-stream\` the response is a stream of server-sent events: the state of each auction, then the newest state whenever it changes, at
most four times a second. A client that reconnects gets the states again.`,
    success: 'The states, or the stream of states.',
  },
  schemas: {
    query: v.object({ ids: auctionIds('The auctions'), lastEventId: UnusedLastEventId }, missingField),
    data: v.object({
      items: v.array(StateResource),
      missing: v.pipe(v.array(AuctionId), v.description('The ids of auctions that do not exist.')),
    }),
    stream: `Server-sent events without \`id\`. \`data\` is JSON:

- \`missing\`: \`ids\` of auctions that do not exist; first and once, if there are any.
- \`auction\`: \`now\` and the members of \`AuctionState\`. After a \`result\`, an auction has no more events.
- \`bye\`: the server ends the stream. The client reconnects, unless \`reason\` is \`over\`: all auctions are over. Other reasons are \`age\`,
  \`token-expired\` and \`draining\`.

A comment every 15 seconds shows that the connection works.`,
  },
  refusals: {},
  handle: async ({ input, viewer, service, live, signal, request, reply }) => {
    const { ids } = input.query
    if (asksForEvents(request)) return live.followList(request, reply, ids, readingAs(viewer))
    const listed = await service.listAuctions({ ids, signal, ...readingAs(viewer) })
    if (!listed.ok) return listed
    const { items } = listed.value
    const existing = new Set(items.map(({ auction }) => auction.id))
    return accepted({
      message: `Auctions: ${items.length}, in the order requested.`,
      data: {
        items: items.map((view) => stateResource(view, asPublic(viewer))),
        missing: ids.filter((id) => !existing.has(id)),
      },
    })
  },
  examples: {
    'Two auctions, one of which does not exist': { query: { ids: '1,99' } },
  },
})
