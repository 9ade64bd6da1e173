import type { AuctionQuery, Store } from '@auction/domain/store'
import { rightSteps } from '../../../../domain/test/support/plain-store.ts'
import { paging, replaced, type StoreMutation, swapped } from '../planted.ts'

const each = (test: string) =>
  ['the newest first', 'by the agenda', 'the latest end first'].map((name) => `${test}, listed ${name}`)
const together = each('filters by place, owner and product, alone and together')
const full = each('fills its pages with auctions that match')
const bounded = 'examines a bounded number of auctions for a page, and lists all matches page by page'

const filtering: readonly StoreMutation[] = [
  filteringBy('does not know of owners', ({ ownerId: _, ...query }) => query),
  filteringBy('does not know of products', ({ productId: _, ...query }) => query),
  filteringBy(
    'ignores the open filter with an owner',
    ({ onlyOpen, ...query }) => (onlyOpen && query.ownerId === undefined ? { ...query, onlyOpen } : query),
    ...together.slice(0, 1),
  ),
  filteringBy(
    'ignores the open filter with a product',
    ({ onlyOpen, ...query }) => (onlyOpen && query.productId === undefined ? { ...query, onlyOpen } : query),
    ...together.slice(0, 1),
  ),
  filteringBy(
    'ignores the due filter with an owner',
    ({ dueByMs, ...query }) => (dueByMs && query.ownerId === undefined ? { ...query, dueByMs } : query),
    ...together.slice(1, 2),
  ),
  filteringBy(
    'ignores the due filter with a product',
    ({ dueByMs, ...query }) => (dueByMs && query.productId === undefined ? { ...query, dueByMs } : query),
    ...together.slice(1, 2),
  ),
  filteringBy('ignores the product with an owner', ({ productId, ...query }) =>
    productId && query.ownerId === undefined ? { ...query, productId } : query,
  ),
  swapped(
    'requires only one of the filters',
    {
      matches: ({ auction, agenda }, { onlyOpen, ownerId, productId }) => {
        const hits = [
          onlyOpen && 'dueMs' in agenda,
          ownerId && auction.ownerId === ownerId,
          productId && auction.productId === productId,
        ].filter((hit) => hit !== undefined)
        return hits.length === 0 || hits.includes(true)
      },
    },
    ...together,
  ),
  swapped(
    'lists only ended auctions without the open filter',
    {
      matches: ({ agenda, ...placed }, query) =>
        rightSteps.matches({ agenda, ...placed }, query) && query.order === 'newest'
          ? (query.onlyOpen === true) === 'dueMs' in agenda
          : rightSteps.matches({ agenda, ...placed }, query),
    },
    ...together.slice(0, 1),
  ),
  swapped(
    'compares owners as texts by prefix',
    {
      matches: (placed, { ownerId, ...query }) =>
        rightSteps.matches(placed, query) &&
        (ownerId === undefined || `${placed.auction.ownerId}`.startsWith(`${ownerId}`)),
    },
    ...together,
  ),
  swapped(
    'ignores owner and product of ended auctions',
    {
      matches: (placed, { ownerId, productId, ...query }) =>
        query.order === 'ended' ||
        rightSteps.matches(placed, { ...query, ...(ownerId && { ownerId }), ...(productId && { productId }) }),
    },
    ...together.slice(2),
    bounded,
  ),
  swapped(
    'continues at the next millisecond with a filter',
    {
      comesAfter: (placed, position) =>
        position.order === 'agenda' ? rightSteps.comesAfter(placed, position) : placed.timeMs < position.timeMs,
    },
    full[0] ?? '',
    full[2] ?? '',
  ),
  replaced('cuts at the limit before it filters', (right) => ({ listAuctions: cuttingFirst(right) }), ...full),
  filteringBy(
    'ignores the place with a filter',
    ({ after, ...query }) => (after && !query.ownerId && !query.productId ? { ...query, after } : query),
    ...full,
  ),
]

/** A store that loses a part of some queries. */
function filteringBy(
  bug: string,
  change: (query: AuctionQuery) => AuctionQuery,
  ...caughtBy: readonly string[]
): StoreMutation {
  return replaced(
    bug,
    (right) => ({ listAuctions: (query) => right.listAuctions(change(query)) }),
    ...(caughtBy.length > 0 ? caughtBy : together),
  )
}

const cuttingFirst =
  (right: Store): Store['listAuctions'] =>
  async ({ ownerId, productId, ...query }) => {
    const { items, next } = await right.listAuctions(query)
    const isMatch = (auction: { readonly ownerId: unknown; readonly productId: unknown }) =>
      (ownerId === undefined || auction.ownerId === ownerId) &&
      (productId === undefined || auction.productId === productId)
    return { items: items.filter(({ auction }) => isMatch(auction)), next }
  }

const scanning: readonly StoreMutation[] = [
  swapped('looks at all auctions', { maxScanned: Number.POSITIVE_INFINITY }, bounded),
  swapped('looks at one auction too many', { maxScanned: 1_001 }, bounded),
  swapped(
    'examines ended auctions for pages of the agenda',
    {
      isPassedOver: ({ agenda, ...placed }, query) =>
        'dueMs' in agenda && rightSteps.isPassedOver({ agenda, ...placed }, query),
      matches: (placed, query) => rightSteps.matches(placed, query) && !rightSteps.isPassedOver(placed, query),
    },
    bounded,
  ),
  swapped(
    'examines ended auctions without counting them',
    {
      isPassedOver: (placed, query) =>
        rightSteps.isPassedOver(placed, query) || !rightSteps.matches(placed, { ...query, order: 'newest' }),
    },
    bounded,
  ),
  paging(
    'treats a page without a match as the end',
    async (page) => (page.items.length > 0 ? page : { ...page, next: undefined }),
    bounded,
  ),
  paging(
    'continues after the last match instead of the last examined auction',
    async ({ items, next }, { after }, last) => ({ items, next: next && (last ?? after) }),
    bounded,
  ),
]

export const auctionFilterMutations: readonly StoreMutation[] = [...filtering, ...scanning]
