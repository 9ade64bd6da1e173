import type { Auction } from '../../../../src/auction/auction.ts'
import { maxOvertimeMs } from '../../../../src/auction/ends.ts'
import { mayBeInOvertime, mayHaveStatus } from '../../../../src/auction/status.ts'
import { isoOf, type Moment, momentAt } from '../../../../src/moment.ts'
import type { AuctionQuery, Store } from '../../../../src/store.ts'
import { positionOf, rightSteps } from '../../../support/plain-store.ts'
import { paging, replaced, type StoreMutation, swapped } from '../planted.ts'

const names = { newest: 'listed the newest first', endTime: 'listed by their ends' }
const both = (test: string) => [`${test}, ${names.newest}`, `${test}, ${names.endTime}`]
const edges =
  'filters by the status that an auction may have, which turns at the exact millisecond of its start and ends'
const together = both('filters by status, owner and product, alone and together')
const [togetherByNewest = ''] = together
const full = both('fills its pages with auctions that match')
const bounded = 'looks at a bounded number of auctions for a page, and shows all that match as pages go on'

type Status = NonNullable<AuctionQuery['status']>

/** The status of an auction without formats. */
const statusBetween = (nowMs: number, startMs: number, endMs: number) =>
  nowMs < startMs ? 'Pending' : nowMs < endMs ? 'Active' : 'Ended'

/** A store that matches statuses in its own way, and owners and products as they are. */
const byStatus = (
  bug: string,
  hasStatus: (auction: Auction, status: Status) => boolean,
  ...caughtBy: readonly string[]
): StoreMutation =>
  swapped(
    bug,
    {
      matches: (auction, { status, ...query }) =>
        rightSteps.matches(auction, query) &&
        // In the order of ends, a status begins behind now.
        (query.order === 'endTime' && status !== undefined
          ? rightSteps.matches(auction, { ...query, status })
          : status === undefined || hasStatus(auction, status)),
    },
    ...caughtBy,
  )

/** A store that takes auctions for others, whose status it then tells as it should. */
const asOf = (
  bug: string,
  seen: (auction: Auction, status: Status) => Auction,
  ...caughtBy: readonly string[]
): StoreMutation =>
  byStatus(bug, (auction, status) => mayHaveStatus(seen(auction, status), status.is, status.nowMs), edges, ...caughtBy)

const later = (moment: Moment, ms: number): Moment => momentAt(moment.epochMs + ms)
const withLatestEnd = (auction: Auction, change: (latest: Moment) => Moment): Auction => {
  const { softClose, ...rest } = auction
  return softClose === undefined
    ? auction
    : { ...rest, softClose: { ...softClose, latestEndTime: change(softClose.latestEndTime) } }
}

const filtering: readonly StoreMutation[] = [
  byStatus('does not know of statuses', () => true, edges, togetherByNewest, ...full.slice(0, 1)),
  asOf('starts a millisecond late', (auction) => ({ ...auction, startTime: later(auction.startTime, 1) })),
  asOf('ends a millisecond late', (auction) => ({ ...auction, endTime: later(auction.endTime, 1) })),
  asOf('ends a soft close a millisecond late', (auction) => withLatestEnd(auction, (latest) => later(latest, 1))),
  asOf('ends a soft close a millisecond early', (auction) => withLatestEnd(auction, (latest) => later(latest, -1))),
  asOf(
    'takes a latest end for the end',
    (auction) => ({ ...auction, endTime: auction.softClose?.latestEndTime ?? auction.endTime }),
    togetherByNewest,
  ),
  asOf('does not know that an end may move', ({ softClose: _, ...auction }) => auction, togetherByNewest, bounded),
  asOf(
    'does not know that what can be bought may end early',
    ({ buyNowPriceMinor: _, ...auction }) => auction,
    togetherByNewest,
    bounded,
  ),
  asOf(
    'takes a reserve for what may end an auction early',
    ({ reservePriceMinor, ...auction }) =>
      reservePriceMinor === undefined ? auction : { ...auction, buyNowPriceMinor: reservePriceMinor },
    togetherByNewest,
  ),
  byStatus(
    'lists what can be bought as ended before it has begun',
    (auction, { is, nowMs }) =>
      mayHaveStatus(auction, is, nowMs) || (is === 'Ended' && auction.buyNowPriceMinor !== undefined),
    edges,
    togetherByNewest,
  ),
  byStatus(
    'lists nothing as cancelled',
    (auction, { is, nowMs }) => is !== 'Cancelled' && mayHaveStatus(auction, is, nowMs),
    edges,
    togetherByNewest,
  ),
  byStatus(
    'lists as cancelled what has not ended',
    (auction, { is, nowMs }) => mayHaveStatus(auction, is === 'Cancelled' ? 'Active' : is, nowMs),
    edges,
    togetherByNewest,
  ),
  byStatus(
    'compares times as texts',
    ({ startTime: s, endTime: e }, { is, nowMs }) =>
      is === 'Cancelled' || is === (isoOf(nowMs) < s.iso ? 'Pending' : isoOf(nowMs) < e.iso ? 'Active' : 'Ended'),
    edges,
  ),
  byStatus(
    'goes by its own clock',
    ({ startTime: s, endTime: e }, { is }) => is === statusBetween(Date.now(), s.epochMs, e.epochMs),
    edges,
    togetherByNewest,
  ),
  replaced(
    'goes by its own clock in the order of ends',
    (right) => ({
      listAuctions: ({ status, ...query }) => {
        const asked = status && query.order === 'endTime' ? { ...status, nowMs: Date.now() } : status
        return right.listAuctions({ ...query, ...(asked && { status: asked }) })
      },
    }),
    edges,
    ...together.slice(1),
  ),
  swapped(
    'lists what is in overtime with what is active, by their ends',
    {
      isPassedOver: (auction, query) =>
        rightSteps.isPassedOver(auction, query) &&
        (query.status === undefined || !mayBeInOvertime(auction, query.status.nowMs)),
    },
    edges,
    ...together.slice(1),
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
          status && mayHaveStatus(auction, status.is, status.nowMs),
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
  swapped(
    'spends pages on auctions that have ended',
    {
      isPassedOver: (auction, query) => query.status === undefined && rightSteps.isPassedOver(auction, query),
      matches: (auction, query) => rightSteps.matches(auction, query) && !rightSteps.isPassedOver(auction, query),
    },
    bounded,
  ),
  swapped(
    'spends pages on auctions that have no soft close, where those in overtime are asked for',
    {
      isPassedOver: (auction, { inOvertimeAtMs, ...query }) =>
        inOvertimeAtMs === undefined
          ? rightSteps.isPassedOver(auction, query)
          : auction.endTime.epochMs > inOvertimeAtMs || auction.endTime.epochMs <= inOvertimeAtMs - maxOvertimeMs,
    },
    bounded,
  ),
  swapped(
    'spends pages on auctions that can’t be in overtime any more',
    {
      isPassedOver: (auction, { inOvertimeAtMs, ...query }) =>
        inOvertimeAtMs === undefined
          ? rightSteps.isPassedOver(auction, query)
          : auction.softClose === undefined || auction.endTime.epochMs > inOvertimeAtMs,
    },
    bounded,
  ),
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
