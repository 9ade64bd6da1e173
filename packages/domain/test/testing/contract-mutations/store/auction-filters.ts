import type { Auction } from '../../../../src/auction/auction.ts'
import { statusAt } from '../../../../src/auction/status.ts'
import { isoOf } from '../../../../src/moment.ts'
import type { AuctionQuery, Store } from '../../../../src/store.ts'
import { positionOf, rightSteps } from '../../../support/plain-store.ts'
import { paging, replaced, type StoreMutation, swapped } from '../planted.ts'

const names = { newest: 'listed the newest first', endTime: 'listed by their ends' }
const both = (test: string) => [`${test}, ${names.newest}`, `${test}, ${names.endTime}`]
const edges = 'filters by the status, which turns at the exact millisecond of the start and of the end'
const together = both('filters by status, owner and product, alone and together')
const full = both('fills its pages with auctions that match')
const bounded = 'looks at a bounded number of auctions for a page, and shows all that match as pages go on'

const statusBetween = (nowMs: number, startMs: number, endMs: number) =>
  nowMs < startMs ? 'Pending' : nowMs < endMs ? 'Active' : 'Ended'

/** A store that matches statuses in its own way, and owners and products as they are. */
const byStatus = (
  bug: string,
  hasStatus: (auction: Auction, status: NonNullable<AuctionQuery['status']>) => boolean,
  ...caughtBy: readonly string[]
): StoreMutation =>
  swapped(
    bug,
    {
      matches: (auction, { status, ...query }) =>
        rightSteps.matches(auction, query) && (status === undefined || hasStatus(auction, status)),
      isPassedOver: () => false,
    },
    ...caughtBy,
  )

const filtering: readonly StoreMutation[] = [
  byStatus('does not know of statuses', () => true, edges, ...together, ...full),
  byStatus(
    'starts a millisecond late',
    ({ startTime: s, endTime: e }, { is, nowMs }) => is === statusBetween(nowMs - 1, s.epochMs, e.epochMs - 1),
    edges,
  ),
  byStatus(
    'ends a millisecond late',
    ({ startTime: s, endTime: e }, { is, nowMs }) => is === statusBetween(nowMs, s.epochMs, e.epochMs + 1),
    edges,
  ),
  byStatus(
    'compares times as texts',
    ({ startTime: s, endTime: e }, { is, nowMs }) =>
      is === (isoOf(nowMs) < s.iso ? 'Pending' : isoOf(nowMs) < e.iso ? 'Active' : 'Ended'),
    edges,
  ),
  byStatus(
    'goes by its own clock',
    ({ startTime: s, endTime: e }, { is }) => is === statusBetween(Date.now(), s.epochMs, e.epochMs),
    edges,
    ...together,
  ),
  filteringBy('does not know of owners', ({ ownerId: _, ...query }) => query),
  filteringBy('does not know of products', ({ productId: _, ...query }) => query),
  filteringBy('forgets the status beside an owner', ({ status, ...query }) =>
    status && query.ownerId === undefined ? { ...query, status } : query,
  ),
  filteringBy('forgets the product beside an owner', ({ productId, ...query }) =>
    productId && query.ownerId === undefined ? { ...query, productId } : query,
  ),
  swapped(
    'takes one of the filters for enough',
    {
      matches: (auction, { status, ownerId, productId }) => {
        const hits = [
          status && statusAt(auction, status.nowMs) === status.is,
          ownerId && auction.ownerId === ownerId,
          productId && auction.productId === productId,
        ].filter((hit) => hit !== undefined)
        return hits.length === 0 || hits.includes(true)
      },
    },
    ...together,
  ),
  swapped(
    'compares owners as texts, by their beginnings',
    {
      matches: (auction, { ownerId, ...query }) =>
        rightSteps.matches(auction, query) && (ownerId === undefined || `${auction.ownerId}`.startsWith(`${ownerId}`)),
    },
    ...together,
  ),
  swapped(
    'goes on with the next millisecond where it filters',
    {
      isBehind: (auction, position) =>
        position.order === 'newest'
          ? auction.createdAtMs < position.createdAtMs
          : rightSteps.isBehind(auction, position),
    },
    'fills its pages with auctions that match, listed the newest first',
  ),
  replaced('cuts at the limit before it filters', (right) => ({ listAuctions: cuttingFirst(right) }), ...full),
  filteringBy(
    'forgets the place when it filters',
    ({ after, ...query }) => (after && !query.status ? { ...query, after } : query),
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
  async ({ limit: most, order, after, ...filter }) => {
    const { auctions, next } = await right.listAuctions({ limit: most, order, ...(after && { after }) })
    const query = { limit: most, order, ...filter }
    return { auctions: auctions.filter((auction) => rightSteps.matches(auction, query)), next }
  }

const scanning: readonly StoreMutation[] = [
  swapped('looks at all auctions', { maxScanned: Number.POSITIVE_INFINITY }, bounded),
  swapped('looks at one auction too many', { maxScanned: 1_001 }, bounded),
  swapped('spends pages on auctions that have ended', { isPassedOver: () => false }, bounded),
  paging(
    'takes a page without a match for the end',
    async (page) => (page.auctions.length > 0 ? page : { ...page, next: undefined }),
    bounded,
  ),
  paging(
    'goes on behind the last match, and not behind what it has looked at',
    async ({ auctions, next }, { order, after }, last) => ({
      auctions,
      next: next && (last ? positionOf(order, last) : after),
    }),
    bounded,
  ),
]

export const auctionFilterMutations: readonly StoreMutation[] = [...filtering, ...scanning]
