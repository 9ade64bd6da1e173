import { maxOvertimeMs } from '../../../../src/auction/ends.ts'
import { mayBeInOvertime } from '../../../../src/auction/status.ts'
import type { AuctionQuery } from '../../../../src/store.ts'
import { type PlainStoreSteps, positionOf, rightSteps } from '../../../support/plain-store.ts'
import { paging, replaced, type StoreMutation, swapped } from '../planted.ts'

const which = 'lists auctions in overtime as they are, from their end until a millisecond before their latest end'
const inOrder =
  'lists the soonest end first of those in overtime, whatever their latest ends, and the lower id of one millisecond'
const limits = 'keeps lists of those in overtime to their limit, and says whether they go on'
const places = 'lists those in overtime that come after a place, whether or not an auction stands there'
const meanwhile = 'skips and repeats nothing in overtime while others insert'

/** A store that looks for those in overtime at another time than the one named. */
const askedAt = (bug: string, atMs: (nowMs: number) => number): StoreMutation =>
  replaced(
    bug,
    (right) => ({
      listAuctions: ({ inOvertimeAtMs, ...query }) =>
        right.listAuctions(inOvertimeAtMs === undefined ? query : { ...query, inOvertimeAtMs: atMs(inOvertimeAtMs) }),
    }),
    which,
  )

/** A store that goes on from another place, where those in overtime are listed. */
const goingOn = (
  bug: string,
  change: (query: AuctionQuery) => AuctionQuery,
  ...caughtBy: readonly string[]
): StoreMutation =>
  replaced(
    bug,
    (right) => ({
      listAuctions: (query) => right.listAuctions(query.inOvertimeAtMs === undefined ? query : change(query)),
    }),
    ...caughtBy,
  )

type Matches = PlainStoreSteps['matches']

/** A store that takes others for those in overtime. */
const taking = (bug: string, isInOvertime: (...args: Parameters<Matches>) => boolean): StoreMutation =>
  swapped(
    bug,
    {
      isPassedOver: (auction, query) => query.inOvertimeAtMs === undefined && rightSteps.isPassedOver(auction, query),
      matches: (auction, query) =>
        query.inOvertimeAtMs === undefined ? rightSteps.matches(auction, query) : isInOvertime(auction, query),
    },
    which,
  )

export const overtimeMutations: readonly StoreMutation[] = [
  taking('knows nothing of overtime', () => true),
  taking('lists all with a soft close', ({ softClose }) => softClose !== undefined),
  taking('lists all that have ended', ({ endTime }, { inOvertimeAtMs = 0 }) => endTime.epochMs <= inOvertimeAtMs),
  taking(
    'lists those that may be open still, and those that have not ended',
    ({ softClose }, { inOvertimeAtMs = 0 }) => (softClose?.latestEndTime.epochMs ?? 0) > inOvertimeAtMs,
  ),
  taking(
    'lists a day of those that are past their end',
    (auction, { inOvertimeAtMs = 0 }) =>
      mayBeInOvertime(auction, inOvertimeAtMs) && auction.endTime.epochMs > inOvertimeAtMs - maxOvertimeMs / 7,
  ),
  taking(
    'leaves those out that can be bought',
    (auction, { inOvertimeAtMs = 0 }) =>
      mayBeInOvertime(auction, inOvertimeAtMs) && auction.buyNowPriceMinor === undefined,
  ),
  taking(
    'takes what can be bought for what may go on',
    (auction, { inOvertimeAtMs = 0 }) =>
      mayBeInOvertime(auction, inOvertimeAtMs) ||
      (auction.buyNowPriceMinor !== undefined && auction.endTime.epochMs <= inOvertimeAtMs),
  ),
  askedAt('begins overtime a millisecond late', (nowMs) => nowMs - 1),
  askedAt('begins overtime a millisecond early', (nowMs) => nowMs + 1),
  askedAt('goes by its own clock for overtime', () => Date.now()),
  paging(
    'lists those in overtime without their soft close',
    async ({ auctions, next }, { inOvertimeAtMs }) => ({
      auctions: inOvertimeAtMs === undefined ? auctions : auctions.map(({ softClose: _, ...auction }) => auction),
      next,
    }),
    which,
  ),
  swapped(
    'lists those in overtime by their latest ends',
    {
      inOrder: (order) => (a, b) =>
        order === 'endTime' && a.softClose && b.softClose
          ? a.softClose.latestEndTime.epochMs - b.softClose.latestEndTime.epochMs || a.id - b.id
          : rightSteps.inOrder(order)(a, b),
    },
    inOrder,
  ),
  swapped(
    'lists the higher id first of those in overtime',
    {
      inOrder: (order) => (a, b) =>
        order === 'endTime' && a.softClose && b.softClose
          ? a.endTime.epochMs - b.endTime.epochMs || b.id - a.id
          : rightSteps.inOrder(order)(a, b),
    },
    inOrder,
  ),
  goingOn('does not know of the limit of those in overtime', (query) => ({ ...query, limit: 1_000 }), limits),
  goingOn(
    'lists 5 auctions in overtime at the most',
    (query) => ({ ...query, limit: Math.min(query.limit, 5) }),
    limits,
  ),
  paging(
    'says that those in overtime are all there are',
    async (page, { inOvertimeAtMs }) => (inOvertimeAtMs === undefined ? page : { ...page, next: undefined }),
    inOrder,
    limits,
    meanwhile,
  ),
  paging(
    'says of every list of those in overtime that it goes on',
    async (page, { inOvertimeAtMs, order }, last) =>
      inOvertimeAtMs === undefined || last === undefined ? page : { ...page, next: positionOf(order, last) },
    limits,
  ),
  goingOn('begins again where those in overtime go on', ({ after: _, ...query }) => query, inOrder, places, meanwhile),
  replaced(
    'begins again where no auction in overtime stands',
    (right) => ({
      listAuctions: async ({ after, ...query }) => {
        const isThere = after !== undefined && (await right.findAuction(after.id)) !== undefined
        return right.listAuctions(
          isThere || query.inOvertimeAtMs === undefined ? { ...query, ...(after && { after }) } : query,
        )
      },
    }),
    places,
  ),
  goingOn(
    'goes on with the next millisecond of overtime',
    ({ after, ...query }) =>
      after === undefined ? query : { ...query, after: { ...after, id: Number.MAX_SAFE_INTEGER as typeof after.id } }, // Wrong on purpose.
    inOrder,
    places,
  ),
  replaced(
    'pages those in overtime by offset',
    (right) => {
      const offsets = new Map<number, number>()
      return {
        listAuctions: async (query) => {
          const { after, limit, ...rest } = query
          if (query.inOvertimeAtMs === undefined) return right.listAuctions(query)
          const offset = after === undefined ? 0 : (offsets.get(after.id) ?? 0)
          const { auctions } = await right.listAuctions({ ...rest, limit: 1_000 })
          const page = auctions.slice(offset, offset + limit)
          for (const [index, { id }] of page.entries()) offsets.set(id, offset + index + 1)
          const last = page.at(-1)
          const goesOn = offset + limit < auctions.length && last !== undefined
          return { auctions: page, next: goesOn ? positionOf(query.order, last) : undefined }
        },
      }
    },
    places,
  ),
]
