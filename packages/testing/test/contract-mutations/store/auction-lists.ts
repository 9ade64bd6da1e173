import type { AuctionPosition } from '@auction/domain/store'
import { type Placed, type PlainStoreSteps, rightSteps } from '../../../../domain/test/support/plain-store.ts'
import { paging, replaced, type StoreMutation, swapped } from '../planted.ts'
import { to15Digits } from '../prove-contract.ts'

const newest = 'lists the newest first, by number, regardless of ids and the order of inserts'
const earliest = 'lists the earliest on the agenda first, by number, regardless of ids and the order of inserts'
const newestIds = 'skips and repeats no auction of one millisecond, listed the newest first'
const soonestIds = 'skips and repeats no auction of one millisecond, listed by the agenda'
const latest = 'lists the latest end first, by number, of auctions that have ended, which never return'
const endedIds = 'skips and repeats no auction of one millisecond, listed the latest end first'
const limit = 'fills its pages with auctions that match, listed the newest first'
const itemPlaces = 'returns each auction with its place in the order of the list'

type Compare = (a: Placed, b: Placed) => number

/** Lists the auctions of one order in another order. */
const inWrongOrder = (
  bug: string,
  wrong: AuctionPosition['order'],
  compare: Compare,
  ...caughtBy: readonly string[]
): StoreMutation =>
  swapped(bug, { inOrder: (order) => (order === wrong ? compare : rightSteps.inOrder(order)) }, ...caughtBy)

const idOf = ({ auction }: Placed): number => auction.id

const ordering: readonly StoreMutation[] = [
  inWrongOrder(
    'lists the oldest first',
    'newest',
    (a, b) => a.timeMs - b.timeMs || idOf(a) - idOf(b),
    newest,
    newestIds,
  ),
  inWrongOrder('lists auctions as they were given', 'newest', () => 0, newest),
  inWrongOrder('lists auctions by id', 'newest', (a, b) => idOf(b) - idOf(a), newest),
  inWrongOrder(
    'orders times of creation as texts',
    'newest',
    (a, b) => `${b.timeMs}`.localeCompare(`${a.timeMs}`) || idOf(b) - idOf(a),
    newest,
  ),
  inWrongOrder(
    'orders times of creation without their sign',
    'newest',
    (a, b) => Math.abs(b.timeMs) - Math.abs(a.timeMs) || idOf(b) - idOf(a),
    newest,
  ),
  inWrongOrder('leaves those of one millisecond in any order', 'newest', (a, b) => b.timeMs - a.timeMs, newestIds),
  inWrongOrder(
    'lists lower ids of one millisecond first',
    'newest',
    (a, b) => b.timeMs - a.timeMs || idOf(a) - idOf(b),
    newestIds,
  ),
  inWrongOrder(
    'orders ids of one millisecond as texts',
    'newest',
    (a, b) => b.timeMs - a.timeMs || `${idOf(b)}`.localeCompare(`${idOf(a)}`),
    newestIds,
  ),
  inWrongOrder(
    'lists the latest on the agenda first',
    'agenda',
    (a, b) => b.timeMs - a.timeMs || idOf(b) - idOf(a),
    earliest,
    soonestIds,
  ),
  inWrongOrder(
    'always lists by creation',
    'agenda',
    (a, b) => b.auction.createdAtMs - a.auction.createdAtMs || idOf(a) - idOf(b),
    earliest,
  ),
  inWrongOrder(
    'orders the agenda by ends as texts',
    'agenda',
    (a, b) => (a.auction.endTime.iso < b.auction.endTime.iso ? -1 : 1),
    earliest,
    soonestIds,
  ),
  inWrongOrder(
    'lists auctions of one millisecond on the agenda in any order',
    'agenda',
    (a, b) => a.timeMs - b.timeMs,
    soonestIds,
  ),
  inWrongOrder(
    'lists higher ids of one millisecond on the agenda first',
    'agenda',
    (a, b) => a.timeMs - b.timeMs || idOf(b) - idOf(a),
    soonestIds,
  ),
  inWrongOrder(
    'lists the earliest end first',
    'ended',
    (a, b) => a.timeMs - b.timeMs || idOf(a) - idOf(b),
    latest,
    endedIds,
  ),
  inWrongOrder(
    'lists ended auctions by creation',
    'ended',
    (a, b) => b.auction.createdAtMs - a.auction.createdAtMs,
    latest,
  ),
  inWrongOrder(
    'lists auctions that ended in one millisecond in any order',
    'ended',
    (a, b) => b.timeMs - a.timeMs,
    endedIds,
  ),
  swapped(
    'lists open auctions among those that have ended',
    { isPassedOver: (placed, query) => query.order === 'agenda' && rightSteps.isPassedOver(placed, query) },
    latest,
  ),
  swapped(
    'lets ended auctions return',
    {
      nextAgenda: (agenda, { auctionId: _, ...next }) =>
        'dueMs' in next ? next : rightSteps.nextAgenda(agenda, { auctionId: _, ...next }),
    },
    latest,
    'removes an ended auction from the agenda permanently',
  ),
  swapped('does not know of the limit', { cut: (found) => found }, limit),
  swapped('lists one auction too many', { cut: (found, most) => found.slice(0, most + 1) }, limit),
  swapped(
    'lists at most 20 auctions',
    { cut: (found, most) => found.slice(0, Math.min(most, 20)) },
    'filters by place, owner and product, alone and together, listed the newest first',
  ),
  paging('never returns a next page', async (page) => ({ ...page, next: undefined }), limit),
  paging(
    'returns a next page for every full page',
    async (page, _query, last) => ({ ...page, next: page.next ?? last }),
    'lists the auctions due by a time, including that millisecond, and none after it',
  ),
  paging(
    'always continues in the order of creation',
    async ({ items, next }) => ({ items, next: next && { ...next, order: 'newest' } }),
    'fills its pages with auctions that match, listed by the agenda',
  ),
  replacingPlaces('names the order newest in all places', (place) => ({ ...place, order: 'newest' })),
  replacingPlaces('keeps the seconds of places only', (place) => ({
    ...place,
    timeMs: Math.floor(place.timeMs / 1000) * 1000,
  })),
  replacingPlaces('keeps no place before 1970', (place) => ({ ...place, timeMs: Math.max(0, place.timeMs) })),
  replacingPlaces('keeps the ids of the places that it lists to 15 digits', (place) => ({
    ...place,
    id: to15Digits(place.id) as typeof place.id, // Wrong on purpose.
  })),
  paging(
    'returns the place of the last auction for each',
    async ({ items, next }, _query, last) => ({
      items: items.map(({ auction, position }) => ({ auction, position: last ?? position })),
      next,
    }),
    itemPlaces,
  ),
  paging(
    'returns the end of an auction as its place among the newest',
    async ({ items, next }) => ({
      items: items.map(({ auction, position }) => ({
        auction,
        position: { ...position, timeMs: auction.endTime.epochMs },
      })),
      next,
    }),
    itemPlaces,
  ),
]

function replacingPlaces(bug: string, change: (position: AuctionPosition) => AuctionPosition): StoreMutation {
  return paging(
    bug,
    async ({ items, next }) => ({
      items: items.map(({ auction, position }) => ({ auction, position: change(position) })),
      next,
    }),
    itemPlaces,
  )
}

const names = ['the newest first', 'by the agenda', 'the latest end first']
const placesOf = (name: string) => `lists ${name} the auctions after a place, with or without an auction at that place`
const places = names.map(placesOf)
const sameMs = [newestIds, soonestIds, endedIds]
const meanwhile = names.map((name) => `skips and repeats no auction during inserts, listed ${name}`)

type ComesAfter = PlainStoreSteps['comesAfter']

const timeIsLater: ComesAfter = ({ timeMs }, position) =>
  position.order === 'agenda' ? timeMs > position.timeMs : timeMs < position.timeMs
const isAt: ComesAfter = ({ timeMs, auction }, position) => position.id === auction.id && position.timeMs === timeMs

const walking: readonly StoreMutation[] = [
  swapped(
    'lists the auction at the place again',
    { comesAfter: (placed, position) => rightSteps.comesAfter(placed, position) || isAt(placed, position) },
    ...places,
  ),
  swapped('continues at the next millisecond', { comesAfter: timeIsLater }, ...places, ...sameMs),
  swapped(
    'keeps the ids of places to 15 digits',
    {
      comesAfter: (placed, position) =>
        rightSteps.comesAfter(placed, { ...position, id: to15Digits(position.id) as typeof position.id }), // Wrong on purpose.
    },
    ...sameMs,
  ),
  swapped(
    'continues at the next id',
    {
      comesAfter: ({ auction }, position) =>
        position.order === 'agenda' ? auction.id > position.id : auction.id < position.id,
    },
    ...places,
  ),
  replaced(
    'continues a list only by id',
    (right) => {
      const said = new Set<number>()
      return {
        listAuctions: async (query) => {
          const { after, limit: most } = query
          const { after: _, ...all } = { ...query, limit: 1_000 }
          const page = await right.listAuctions(after !== undefined && said.has(after.id) ? all : query)
          const comesAfter = ({ id }: { readonly id: number }) =>
            after === undefined || !said.has(after.id) || (query.order === 'newest' ? id < after.id : id > after.id)
          const behind = page.items.filter(({ auction }) => comesAfter(auction))
          const items = behind.slice(0, most)
          const goesOn = behind.length > most || page.next !== undefined
          const last = goesOn ? items.at(-1)?.position : undefined
          if (last !== undefined) said.add(last.id)
          return { items, next: last }
        },
      }
    },
    newest,
    earliest,
  ),
  replaced(
    'starts again without an auction at the place',
    (right) => ({
      listAuctions: async ({ after, ...query }) =>
        right.listAuctions(after && (await right.findAuction(after.id)) !== undefined ? { ...query, after } : query),
    }),
    ...places,
  ),
  replaced(
    'pages by offset',
    (right) => {
      const offsets = new Map<number, number>()
      return {
        listAuctions: async ({ limit: most, after, ...query }) => {
          const offset = after === undefined ? 0 : (offsets.get(after.id) ?? 0)
          const { items } = await right.listAuctions({ ...query, limit: 1_000 })
          const found = items.slice(offset, offset + most)
          for (const [index, { auction }] of found.entries()) offsets.set(auction.id, offset + index + 1)
          const isEnd = offset + most >= items.length
          return { items: found, next: isEnd ? undefined : found.at(-1)?.position }
        },
      }
    },
    ...meanwhile,
    'skips and repeats no auction on the agenda while places move and auctions end',
    'lists the newest open auctions, page by page, while others end',
  ),
]

export const auctionListMutations: readonly StoreMutation[] = [...ordering, ...walking]
