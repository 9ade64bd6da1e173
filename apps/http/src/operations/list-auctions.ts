import { type AuctionStatus, auctionStatuses } from '@auction/domain/auction/status'
import { ProductId, UserId } from '@auction/domain/ids'
import { accepted } from '@auction/domain/result'
import * as v from 'valibot'
import { AuctionListItem, auctionListItem, pageSchema } from '../answers/resources.ts'
import { auctionCursor, readAuctionCursor } from '../requests/cursors.ts'
import { cursor, cursorRule, Limit } from '../requests/query.ts'
import { defineOperation } from './define-operation.ts'
import { failure, success } from './example.ts'
import { runningAuction } from './example-data.ts'

const statusRule = `must be one of ${auctionStatuses.join(', ')}`

const orderOf = (sort: 'endTime' | undefined) => (sort === undefined ? 'newest' : 'agenda')

const query = v.pipe(
  v.object({
    limit: Limit,
    cursor: cursor(readAuctionCursor),
    status: v.optional(v.pipe(v.picklist(auctionStatuses, statusRule), v.description('Only auctions of this status.'))),
    ownerId: v.optional(v.pipe(UserId, v.description('Only auctions of this owner.'))),
    productId: v.optional(v.pipe(ProductId, v.description('Only auctions of this product.'))),
    sort: v.optional(
      v.pipe(
        v.picklist(['endTime'], 'must be endTime; without it, the newest come first'),
        v.description(
          'Those that end soonest first. It goes together with `status=Active` only. Pages go by `endTime` as it was sent and, some seconds after that, by the end that a soft close has moved it to, so an auction may come again on a later page; within a page they are in the order in which they end.',
        ),
      ),
    ),
  }),
  v.forward(
    v.partialCheck(
      [['sort'], ['status']],
      // By their end, only those are listed that are still open.
      ({ sort, status }) => sort === undefined || status === 'Active',
      'goes together with status=Active only',
    ),
    ['sort'],
  ),
  v.forward(
    v.partialCheck(
      [['sort'], ['cursor']],
      ({ sort, cursor }) => cursor === undefined || cursor.order === orderOf(sort),
      cursorRule,
    ),
    ['cursor'],
  ),
)

const { description: _, ...listedAuction } = runningAuction

export const listAuctions = defineOperation({
  name: 'listAuctions',
  method: 'GET',
  path: '/api/Auctions',
  tag: 'Auctions',
  permission: 'Auctions.Read',
  summary: 'List auctions',
  description:
    'Newest first, or those that end soonest by their `endTime`. A page never skips or repeats an auction because others arrived meanwhile. For one page a bounded number of auctions is looked at, so a page may be short and still have a `nextCursor`.',
  query,
  success: {
    status: 200,
    description: 'A page of auctions, each as the single read has it, but without its `description`.',
    data: pageSchema(AuctionListItem),
  },
  refusals: {},
  run: async (listAuctions, { query, signal, viewer }) => {
    const { limit, cursor: after, sort, status, ownerId, productId } = query
    const listed = await listAuctions({
      limit,
      signal,
      ...inOrder(sort, status),
      ...(after && { after }),
      ...(ownerId && { ownerId }),
      ...(productId && { productId }),
    })
    if (!listed.ok) return listed
    const { value: page } = listed
    const items = page.items.map((view) => auctionListItem(view, viewer))
    const nextCursor = page.next === undefined ? null : auctionCursor(page.next)
    const inWords = sort === undefined ? 'newest first' : 'soonest end first'
    return accepted({ message: `Auctions, ${inWords}: ${items.length}.`, data: { items, nextCursor } })
  },
  examples: [
    {
      summary: 'Those of one owner that end soonest',
      request: { query: { status: 'Active', sort: 'endTime', ownerId: '1' } },
      answer: success(200, 'Auctions, soonest end first: 1.', {
        items: [listedAuction],
        nextCursor: null,
      }),
    },
    {
      summary: 'By their end without a status',
      request: { query: { sort: 'endTime' } },
      answer: failure('validation-failed', 'One field is missing or invalid.', {
        errors: [{ pointer: '/sort', message: 'goes together with status=Active only' }],
      }),
    },
  ],
})

/** By their end, only those are listed that are still open, as the query has it. */
const inOrder = (sort: 'endTime' | undefined, status: AuctionStatus | undefined) =>
  sort === undefined
    ? ({ order: 'newest', ...(status && { status }) } as const)
    : ({ order: 'agenda', status: 'Active' } as const)
