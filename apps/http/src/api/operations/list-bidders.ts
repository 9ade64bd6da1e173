import { listedBidderCursor, readListedBidderCursor } from '@auction/domain/cursors'
import * as v from 'valibot'
import { cursor, foreignCursor, Limit, RegisterPath } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { ListedBidderResource, listedBidderResource } from '../responses/register-resources.ts'
import { pageSchema } from '../responses/resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

const Status = v.optional(
  v.pipe(
    v.picklist(['admitted', 'pending', 'refused'], 'must be admitted, pending or refused'),
    v.description('Only bidders with this status.'),
  ),
)

export const listBidders = defineOperation({
  route: {
    name: 'listBidders',
    method: 'GET',
    path: '/api/Registers/{id}/Bidders',
    permissions: allOf('Registers.Read'),
  },
  docs: {
    tag: 'Registers',
    summary: 'List the bidders of a register',
    description: 'Lists the bidders in the order in which they were listed first, which never changes.',
    success: 'A page of bidders.',
  },
  schemas: {
    parameters: RegisterPath,
    query: v.object({
      limit: Limit,
      cursor: cursor(readListedBidderCursor),
      status: Status,
      paddle: v.optional(v.pipe(v.string(), v.description('Only the bidder who has this paddle.'))),
    }),
    data: pageSchema(ListedBidderResource),
  },
  refusals: reasonsOf('register-not-found'),
  handle: async ({ input: { parameters, query }, service }) => {
    const { id } = parameters
    const { cursor: after, ...filter } = query
    if (after !== undefined && after.registerId !== id) return foreignCursor
    const listed = await service.listBidders(id, { ...filter, after: after?.position })
    return responseTo(listed, ({ register, items, next }) => ({
      message: `Bidders on this page: ${items.length}.`,
      data: {
        items: items.map((bidder) => listedBidderResource(bidder, register)),
        nextCursor: next === undefined ? null : listedBidderCursor({ registerId: id, position: next }),
      },
    }))
  },
  examples: {
    'The first bidder, with a cursor': { parameters: { id: 9 }, query: { limit: '1' } },
    'The bidder with a paddle': { parameters: { id: 9 }, query: { paddle: '14' } },
  },
})
