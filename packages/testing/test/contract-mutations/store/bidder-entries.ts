import type { Entry } from '@auction/domain/store'
import { lackingOperation, type Plant, type StoreMutation, wrongCall, wrongCalls, wrongStep } from '../planted.ts'
import { rightSteps } from '../store-of-steps.ts'

const newest = 'lists the bids of a bidder newest first, by number, in all auctions, up to the limit'
const largest = 'lists the largest pages of the bids of a bidder, and distinguishes bidders by every digit'
const placed = 'lists only the bids that the bidder placed, and their purchases'
const after = 'lists the bids of a bidder after a position, with or without a bid at it'
const walking = 'skips and repeats no bid of a bidder from page to page while others append'
const atOnce = 'lists a bid of a bidder at once, after lists of the previous ones'
const runs = 'runs with lists of the bids of a bidder'

const cutTo: Plant<(limit: number) => number> = (bug, caughtBy, lengthOf) =>
  wrongCall(bug, caughtBy, 'listBidderEntries', async (right, bidderId, { limit, ...query }) =>
    right.listBidderEntries(bidderId, { ...query, limit: lengthOf(limit) }),
  )

const ofLargest: readonly StoreMutation[] = [
  cutTo('lists at most 499 bids of a bidder', largest, (limit) => Math.min(limit, 499)),
  wrongStep(
    'keeps 32 bits of bidders',
    largest,
    'isOfBidder',
    ({ event }, bidderId) => event.type === 'bid-placed' && event.bidderId % 2 ** 32 === bidderId % 2 ** 32,
  ),
]

const order: readonly StoreMutation[] = [
  wrongStep(
    'lists the bids of a bidder oldest first',
    [newest, placed, after, walking, atOnce],
    'newestBidFirst',
    (a, b) => a.atMs - b.atMs || a.id - b.id,
  ),
  wrongStep('orders the bids of a bidder by their ids', [newest, after], 'newestBidFirst', (a, b) => b.id - a.id),
  wrongStep(
    'orders the bids of a bidder by their auctions',
    [newest, after],
    'newestBidFirst',
    (a, b) => b.auctionId - a.auctionId || b.sequence - a.sequence,
  ),
  wrongStep(
    'orders the times of bids as texts',
    newest,
    'newestBidFirst',
    (a, b) => `${b.atMs}`.localeCompare(`${a.atMs}`) || b.id - a.id,
  ),
  wrongStep(
    'orders the bids of one time by their inserts',
    [newest, after, walking],
    'newestBidFirst',
    (a, b) => b.atMs - a.atMs,
  ),
  wrongStep(
    'orders the bids of one time by ids as texts',
    [newest, after],
    'newestBidFirst',
    (a, b) => b.atMs - a.atMs || `${b.id}`.localeCompare(`${a.id}`),
  ),
  cutTo('does not know of the limit of bids of a bidder', [newest, after, atOnce], () => 1_000),
  cutTo('lists one bid of a bidder too many', [newest, after, atOnce], (limit) => limit + 1),
  cutTo('lists at most 5 bids of a bidder', newest, (limit) => Math.min(5, limit)),
]

/** A store with a different rule for which entries are a bidder's. */
const ofBidder = (bug: string, isOfBidder: (entry: Entry, bidderId: number) => boolean, ...more: readonly string[]) =>
  wrongStep(bug, [placed, ...more], 'isOfBidder', isOfBidder)

const which: readonly StoreMutation[] = [
  ofBidder('lists the bids of all bidders', ({ event }) => event.type === 'bid-placed', after),
  ofBidder(
    'finds bidders by a prefix of their ids',
    ({ event }, bidderId) => event.type === 'bid-placed' && `${event.bidderId}`.startsWith(`${bidderId}`),
    after,
  ),
  ofBidder(
    'lists raised maximums as bids',
    ({ event }, bidderId) =>
      (event.type === 'bid-placed' || event.type === 'maximum-raised') && event.bidderId === bidderId,
  ),
  ofBidder(
    'lists the entries with an automatic bid of the bidder',
    (entry, bidderId) =>
      rightSteps.isOfBidder(entry, bidderId as never) || // The cast: it is one.
      ('automatic' in entry.event && entry.event.automatic?.bidderId === bidderId),
  ),
  ofBidder(
    'lists the entries after which the bidder leads',
    ({ state }, bidderId) => state.leader?.bidderId === bidderId,
  ),
  ofBidder(
    'does not list purchases',
    ({ event }, bidderId) => event.type === 'bid-placed' && event.bidderId === bidderId,
  ),
]

const positions: readonly StoreMutation[] = [
  wrongStep('does not know of positions among bids of a bidder', [after, walking], 'isAfterBid', () => true),
  wrongStep(
    'lists the bid at the position again',
    [after, walking],
    'isAfterBid',
    ({ atMs, id }, { timeMs, id: last }) => atMs < timeMs || (atMs === timeMs && id <= last),
  ),
  wrongStep(
    'skips the bids of the time of the position',
    [after, walking],
    'isAfterBid',
    ({ atMs }, { timeMs }) => atMs < timeMs,
  ),
  wrongStep(
    'repeats the bids of the time of the position',
    [after, walking],
    'isAfterBid',
    ({ atMs }, { timeMs }) => atMs <= timeMs,
  ),
  wrongStep(
    'looks only at the id of a position among bids',
    after,
    'isAfterBid',
    ({ id }, position) => id < position.id,
  ),
  wrongStep(
    'looks for lower ids at earlier times, too',
    after,
    'isAfterBid',
    ({ atMs, id }, { timeMs, id: last }) => atMs <= timeMs && id < last,
  ),
  wrongCall(
    'requires a bid at the position',
    after,
    'listBidderEntries',
    async (right, bidderId, { limit, after: place }) => {
      const all = await right.listBidderEntries(bidderId, { limit: 1_000 })
      const from = place === undefined ? 0 : all.findIndex(({ id }) => id === place.id) + 1
      return from === 0 && place !== undefined ? [] : all.slice(from, from + limit)
    },
  ),
  wrongCalls('pages the bids of a bidder by offset', [after, walking], (right) => {
    const seen = new Map<number, number>()
    return {
      listBidderEntries: async (bidderId, { limit, after: place }) => {
        const offset = place === undefined ? 0 : (seen.get(place.id) ?? 0)
        const page = (await right.listBidderEntries(bidderId, { limit: 1_000 })).slice(offset, offset + limit)
        for (const [index, { id }] of page.entries()) seen.set(id, offset + index + 1)
        return page
      },
    }
  }),
]

const missing = lackingOperation(
  'cannot list the bids of a bidder, and does not report that',
  runs,
  'listBidderEntries',
)

export const bidderEntryMutations: readonly StoreMutation[] = [missing, ...ofLargest, ...order, ...which, ...positions]
