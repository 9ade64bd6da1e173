import { accepted } from '@auction/domain/result'
import * as v from 'valibot'
import { correctedResource, ListedRepairResource, repairResource } from '../answers/event-resources.ts'
import { allOf } from '../callers/requirement.ts'
import { asPublic } from '../callers/viewer.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { defineOperation } from './define-operation.ts'

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
  refusals: { 'auction-not-found': 'The auction does not exist.' },
  handle: async ({ input: { parameters }, viewer, service }) => {
    const listed = await service.listRepairs(parameters.id)
    if (!listed.ok) return listed
    const maySeeEditor = viewer.permissions.has('Auctions.Manage')
    const items = listed.value.map(({ event, editor }) => ({
      ...(event.type === 'corrected' ? correctedResource(event) : repairResource(event, asPublic(viewer))),
      ...(maySeeEditor && { editor }),
    }))
    return accepted({ message: `Repairs and corrections: ${items.length}, newest first.`, data: { items } })
  },
  examples: {
    'The repairs of an auction': { parameters: { id: 1 } },
    'An auction without repairs': { parameters: { id: 3 } },
  },
})
