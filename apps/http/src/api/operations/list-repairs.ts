import * as v from 'valibot'
import { asPublic, readingAs } from '../callers/caller.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { correctedResource, ListedRepairResource, repairResource } from '../responses/event-resources.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

export const listRepairs = defineOperation({
  route: {
    name: 'listRepairs',
    method: 'GET',
    path: '/api/Auctions/{id}/Repairs',
    permissions: allOf('Auctions.Read', 'Bids.Read'),
    isPublic: true,
  },
  docs: {
    tag: 'Repairs',
    summary: 'List the repairs and corrections of an auction',
    description:
      'Lists the extensions, withdrawals, early ends, lower reserves and corrections of an auction, newest first: at most 91. They are the events of the auction, so they are the same for all callers, except that callers with `Auctions.Manage` also see the `editor`. `by` is `owner` or `staff`.',
    success: 'All repairs and corrections of the auction.',
  },
  schemas: { parameters: AuctionPath, data: v.object({ items: v.array(ListedRepairResource) }) },
  refusals: reasonsOf('auction-not-found'),
  handle: async ({ input: { parameters }, viewer, service }) => {
    const listed = await service.listRepairs(parameters.id, readingAs(viewer))
    const maySeeEditor = viewer.permissions.has('Auctions.Manage')
    return responseTo(listed, (repairs) => {
      const items = repairs.map(({ event, editor }) => ({
        ...(event.type === 'corrected' ? correctedResource(event) : repairResource(event, asPublic(viewer))),
        ...(maySeeEditor && { editor }),
      }))
      return { message: `Repairs and corrections: ${items.length}, newest first.`, data: { items } }
    })
  },
  examples: {
    'The repairs of an auction': { parameters: { id: 1 } },
    'An auction without repairs': { parameters: { id: 3 } },
  },
})
