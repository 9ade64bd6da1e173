import { defaultPageSize } from '@auction/domain'
import { type AuctionStatus, auctionStatuses } from '@auction/domain/auction'
import { ProductId, UserId } from '@auction/domain/ids'
import * as v from 'valibot'
import { AuctionListItem, auctionListItem, pageSchema } from '../answers/resources.ts'
import { auctionCursor, readAuctionCursor } from '../requests/cursors.ts'
import { AuctionIds, cursor, cursorRule, GivenLimit } from '../requests/parameters.ts'
import { defineOperation } from './define-operation.ts'
import { failure, read } from './example.ts'
import { runningAuction } from './example-data.ts'

const statusRule = `must be one of ${auctionStatuses.join(', ')}`

const query = v.pipe(
  v.object({
    ids: AuctionIds,
    limit: GivenLimit,
    cursor: cursor(readAuctionCursor),
    status: v.optional(
      v.pipe(v.picklist(auctionStatuses, statusRule), v.description('Only auctions with this status.')),
    ),
    ownerId: v.optional(v.pipe(UserId, v.description('Only auctions of this owner.'))),
    productId: v.optional(v.pipe(ProductId, v.description('Only auctions of this product.'))),
    sort: v.optional(
      v.pipe(
        v.picklist(['endTime'], 'must be endTime; omit it to list the newest first'),
        v.description(
          'Lists the auctions with the earliest end first. Requires `status=Active`. Pages follow `endTime` until a few seconds after it, and then the extended end. An auction that a soft close extends may therefore appear again on a later page.',
        ),
      ),
    ),
  }),
  v.forward(
    v.partialCheck(
      [['sort'], ['status']],
      // The order by end covers only open auctions.
      ({ sort, status }) => sort === undefined || status === 'Active',
      'requires status=Active',
    ),
    ['sort'],
  ),
  v.forward(
    v.partialCheck(
      [['sort'], ['cursor']],
      ({ sort, cursor }) => cursor === undefined || cursor.order === inOrder(sort).order,
      cursorRule,
    ),
    ['cursor'],
  ),
  v.forward(
    v.check(
      ({ ids, ...others }) => ids === undefined || Object.values(others).every((value) => value === undefined),
      'must be the only parameter',
    ),
    ['ids'],
  ),
)

const { description: _, ...listedAuction } = runningAuction

export const listAuctions = defineOperation({
  name: 'listAuctions',
  method: 'GET',
  path: '/api/Auctions',
  tag: 'Auctions',
  permission: 'Auctions.Read',
  isPublic: true,
  summary: 'List auctions',
  description:
    'Lists the newest auctions first, or those with the earliest end. New auctions do not make a page skip or repeat an auction. The service reads a limited number of auctions per page, so a short page may have a `nextCursor`. Lists never have a count of all matches. With `ids`, lists those auctions on one page.',
  query,
  success: {
    status: 200,
    description: 'A page of auctions.',
    data: pageSchema(AuctionListItem),
  },
  refusals: {},
  call: (listAuctions, { query, signal }) => {
    const { ids, limit = defaultPageSize, cursor: after, sort, status, ownerId, productId } = query
    if (ids !== undefined) return listAuctions({ ids, signal })
    return listAuctions({
      limit,
      signal,
      ...inOrder(sort, status),
      ...(after && { after }),
      ...(ownerId && { ownerId }),
      ...(productId && { productId }),
    })
  },
  answer: ({ items, next }, { query, viewer }) => {
    const newest = query.ids === undefined ? 'newest first' : 'in the order of the ids'
    const order = query.sort === undefined ? newest : 'earliest end first'
    return {
      message: `Auctions on this page: ${items.length}, ${order}.`,
      data: {
        items: items.map((view) => auctionListItem(view, viewer)),
        nextCursor: next === undefined ? null : auctionCursor(next),
      },
    }
  },
  examples: [
    {
      summary: 'The auctions of an owner by earliest end',
      request: { query: { status: 'Active', sort: 'endTime', ownerId: '1' } },
      answer: read('Auctions on this page: 1, earliest end first.', {
        items: [listedAuction],
        nextCursor: null,
      }),
    },
    {
      summary: 'Several auctions by their ids',
      request: { query: { ids: '99,1' } },
      answer: read('Auctions on this page: 1, in the order of the ids.', {
        items: [listedAuction],
        nextCursor: null,
      }),
    },
    {
      summary: 'The order by end without a status',
      request: { query: { sort: 'endTime' } },
      answer: failure('validation-failed', 'One field is missing or invalid.', {
        errors: [{ pointer: '/sort', message: 'requires status=Active' }],
      }),
    },
  ],
})

/** The order by end covers only open auctions. */
const inOrder = (sort: 'endTime' | undefined, status?: AuctionStatus | undefined) =>
  sort === undefined
    ? ({ order: 'newest', ...(status && { status }) } as const)
    : ({ order: 'agenda', status: 'Active' } as const)
