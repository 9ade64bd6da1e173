import { defaultPageSize, endedOutcomes, type ListAuctionsQuery } from '@auction/domain'
import { type AuctionStatus, auctionStatuses, maxSearchWords, wordsOf } from '@auction/domain/auction'
import { auctionCursor, readAuctionCursor } from '@auction/domain/cursors'
import { ProductId, UserId } from '@auction/domain/ids'
import { type CallSignal, keysIn, type ListKey } from '@auction/domain/store'
import { described } from '@auction/host/responses'
import * as v from 'valibot'
import { readingAs } from '../callers/caller.ts'
import { auctionIds, converted, cursor, cursorRule, GivenLimit } from '../requests/parameters.ts'
import { AuctionListItem, auctionViewResource, pageSchema } from '../responses/resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

const statusRule = `must be one of ${auctionStatuses.join(', ')}`

const searchRule = 'must be a string of 1 to 200 characters'
const wordsRule = `must have 1 to ${maxSearchWords} words of letters or digits, such as walnut desk`

const Search = v.pipe(
  v.string(searchRule),
  v.minLength(1, searchRule),
  v.maxCodePoints(200, searchRule),
  v.metadata({ maxLength: 200 }),
  v.description(
    `Only auctions with all these words among the first 32 of the title, in any order: 1 to ${maxSearchWords} whole words, not prefixes, without regard to case and accents: \`smorrebrod\` finds Smørrebrød, \`aegir\` Ægir. In languages without spaces, each character is a word. Cannot be combined with \`sort\`.`,
  ),
  converted(searchWords, wordsRule),
)

function searchWords(text: string): readonly string[] | undefined {
  const words = wordsOf(text)
  return words.length > 0 && words.length <= maxSearchWords ? words : undefined
}

const sorts = ['endTime', 'endedTime'] as const
type Sort = (typeof sorts)[number] | undefined

const orderOf = (sort: Sort) => (sort === undefined ? 'newest' : sort === 'endTime' ? 'agenda' : 'ended')

const orderNames = { newest: 'newest first', agenda: 'earliest end first', ended: 'latest end first' }

// The order by end covers only open auctions, and the other one only those that are over.
const statusesOf: Record<(typeof sorts)[number], readonly (AuctionStatus | undefined)[]> = {
  endTime: ['Active'],
  endedTime: ['Ended', 'Cancelled'],
}
const statusRules = {
  endTime: 'requires status=Active',
  endedTime: 'requires status=Ended, status=Cancelled or an outcome; for sort=endTime, status=Active',
}

const outcomeRule = `must be one of ${endedOutcomes.join(', ')}; list cancelled auctions with status=Cancelled`
const outcomeNeeds = 'requires sort=endedTime, and status=Ended or no status'

const keys = {
  ownerId: v.optional(described(UserId, 'Only auctions of this owner.')),
  productId: v.optional(described(ProductId, 'Only auctions of this product.')),
} satisfies Readonly<Record<ListKey, v.GenericSchema>>

const query = v.pipe(
  v.object({
    ids: v.optional(
      auctionIds('Only these auctions, in this order; unknown ids are ignored, and no other parameter is allowed'),
    ),
    limit: GivenLimit,
    cursor: cursor(readAuctionCursor),
    status: v.optional(
      described(
        v.picklist(auctionStatuses, statusRule),
        'Only auctions with this status. One that was bought or cancelled is listed when the store has noted it, which a crash may delay until its `startTime` or `endTime`.',
      ),
    ),
    ...keys,
    sort: v.optional(
      described(
        v.picklist(sorts, 'must be endTime or endedTime; omit it to list the newest first'),
        '`endTime` lists the earliest end first and requires `status=Active`. An extended auction is listed by its `endTime` until a few seconds after it, then by its extended end, so it may appear again on a later page. One whose end is corrected to an earlier time between two pages may be on none. `endedTime` lists the latest end first, by the time of the purchase, the cancellation or the last end, and requires `status=Ended`, `status=Cancelled` or an `outcome`. An auction appears when it has a `result`; until then, read it by `ids`.',
      ),
    ),
    outcome: v.optional(
      described(
        v.picklist(endedOutcomes, outcomeRule),
        'Only auctions that ended with this `outcome`. Requires `sort=endedTime`; `status=Ended` may be omitted.',
      ),
    ),
    q: v.optional(Search),
  }),
  v.forward(
    v.partialCheck(
      [['sort'], ['status'], ['outcome']],
      ({ sort, status, outcome }) => sort === undefined || statusesOf[sort].includes(status ?? (outcome && 'Ended')),
      ({ input }) => statusRules[input.sort ?? 'endTime'],
    ),
    ['sort'],
  ),
  v.forward(
    v.partialCheck(
      [['sort'], ['status'], ['outcome']],
      ({ sort, status = 'Ended', outcome }) => outcome === undefined || (sort === 'endedTime' && status === 'Ended'),
      outcomeNeeds,
    ),
    ['outcome'],
  ),
  v.forward(
    v.partialCheck(
      [['sort'], ['q']],
      ({ sort, q }) => sort === undefined || q === undefined,
      'cannot be combined with q, which lists the newest first; omit one of them',
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
  v.forward(
    v.check(
      ({ ids, ...others }) => ids === undefined || Object.values(others).every((value) => value === undefined),
      'must be the only parameter',
    ),
    ['ids'],
  ),
)

export const listAuctions = defineOperation({
  route: {
    name: 'listAuctions',
    method: 'GET',
    path: '/api/Auctions',
    permissions: allOf('Auctions.Read'),
    isPublic: true,
  },
  docs: {
    tag: 'Auctions',
    summary: 'List auctions',
    description:
      'Lists the newest auctions first, those with the earliest end, or those that ended last. Prices and descriptions cannot be searched, and lists have no count of all matches.',
    success: 'A page of auctions.',
  },
  schemas: { query, data: pageSchema(AuctionListItem) },
  refusals: { unsupported: 'The store of this service does not support searches (`q`).' },
  handle: async ({ input: { query }, viewer, service, signal }) => {
    const listed = await service.listAuctions({ ...listQuery(query, signal), ...readingAs(viewer) })
    const order = query.ids === undefined ? orderNames[orderOf(query.sort)] : 'in the order requested'
    return responseTo(listed, ({ items, next }) => ({
      message: `Auctions on this page: ${items.length}, ${order}.`,
      data: {
        items: items.map((view) => auctionViewResource(view, viewer)),
        nextCursor: next === undefined ? null : auctionCursor(next),
      },
    }))
  },
  examples: {
    'The auctions of an owner by earliest end': { query: { status: 'Active', sort: 'endTime', ownerId: '1' } },
    'A search in titles': { query: { q: 'desk walnut', status: 'Active' } },
    'Several auctions by their ids': { query: { ids: '99,1' } },
    'The order by end without a status': { query: { sort: 'endTime' } },
  },
})

function listQuery(asked: v.InferOutput<typeof query>, signal: CallSignal): ListAuctionsQuery {
  const { ids, limit = defaultPageSize, cursor: after } = asked
  if (ids !== undefined) return { ids, signal }
  return { limit, signal, ...inOrder(asked), after, ...keysIn(asked) }
}

/** The order, with the status that it requires. */
function inOrder({ sort, status, outcome, q: words }: v.InferOutput<typeof query>) {
  if (sort === 'endTime') return { order: 'agenda', status: 'Active' } as const
  if (sort === 'endedTime' && status === 'Cancelled') return { order: 'ended', status } as const
  if (sort === 'endedTime') return { order: 'ended', status: 'Ended', outcome } as const
  return { order: 'newest', status, words } as const
}
