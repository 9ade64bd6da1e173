import type { AuctionPosition } from '@auction/domain/store'
import { type StoreMutation, wrongCall, wrongCalls, wrongPage, wrongStep } from '../planted.ts'
import { type CaughtBy, to15Digits } from '../prove-contract.ts'
import { type Placed, rightSteps, type StoreSteps } from '../store-of-steps.ts'

const newest = 'lists the newest first, by number, regardless of ids and the order of inserts'
const earliest = 'lists the earliest on the agenda first, by number, regardless of ids and the order of inserts'
const newestIds = 'skips and repeats no auction of one millisecond, listed the newest first'
const soonestIds = 'skips and repeats no auction of one millisecond, listed by the agenda'
const latest = 'lists the latest end first, by number, of auctions that have ended, which never return'
const endedIds = 'skips and repeats no auction of one millisecond, listed the latest end first'
const limit = 'fills its pages with auctions that match, listed the newest first'
const itemPlaces = 'returns each auction with its place in the order of the list'

const largest = ['the newest first', 'by the agenda', 'the latest end first'].map(
  (order) => `has a next page if more auctions follow, for the largest pages, listed ${order}`,
)

type Compare = (a: Placed, b: Placed) => number

/** Lists the auctions of one order in another order. */
const inWrongOrder = (
  bug: string,
  caughtBy: CaughtBy,
  wrong: AuctionPosition['order'],
  compare: Compare,
): StoreMutation =>
  wrongStep(bug, caughtBy, 'inOrder', (order) => (order === wrong ? compare : rightSteps.inOrder(order)))

const idOf = ({ auction }: Placed): number => auction.id

const ordering: readonly StoreMutation[] = [
  inWrongOrder(
    'lists the oldest first',
    [newest, newestIds],
    'newest',
    (a, b) => a.timeMs - b.timeMs || idOf(a) - idOf(b),
  ),
  inWrongOrder('lists auctions as they were given', newest, 'newest', () => 0),
  inWrongOrder('lists auctions by id', newest, 'newest', (a, b) => idOf(b) - idOf(a)),
  inWrongOrder(
    'orders times of creation as texts',
    newest,
    'newest',
    (a, b) => `${b.timeMs}`.localeCompare(`${a.timeMs}`) || idOf(b) - idOf(a),
  ),
  inWrongOrder(
    'orders times of creation without their sign',
    newest,
    'newest',
    (a, b) => Math.abs(b.timeMs) - Math.abs(a.timeMs) || idOf(b) - idOf(a),
  ),
  inWrongOrder('leaves those of one millisecond in any order', newestIds, 'newest', (a, b) => b.timeMs - a.timeMs),
  inWrongOrder(
    'lists lower ids of one millisecond first',
    newestIds,
    'newest',
    (a, b) => b.timeMs - a.timeMs || idOf(a) - idOf(b),
  ),
  inWrongOrder(
    'orders ids of one millisecond as texts',
    newestIds,
    'newest',
    (a, b) => b.timeMs - a.timeMs || `${idOf(b)}`.localeCompare(`${idOf(a)}`),
  ),
  inWrongOrder(
    'lists the latest on the agenda first',
    [earliest, soonestIds],
    'agenda',
    (a, b) => b.timeMs - a.timeMs || idOf(b) - idOf(a),
  ),
  inWrongOrder(
    'always lists by creation',
    earliest,
    'agenda',
    (a, b) => b.auction.createdAtMs - a.auction.createdAtMs || idOf(a) - idOf(b),
  ),
  inWrongOrder('orders the agenda by ends as texts', [earliest, soonestIds], 'agenda', (a, b) =>
    a.auction.endTime.iso < b.auction.endTime.iso ? -1 : 1,
  ),
  inWrongOrder(
    'lists auctions of one millisecond on the agenda in any order',
    soonestIds,
    'agenda',
    (a, b) => a.timeMs - b.timeMs,
  ),
  inWrongOrder(
    'lists higher ids of one millisecond on the agenda first',
    soonestIds,
    'agenda',
    (a, b) => a.timeMs - b.timeMs || idOf(b) - idOf(a),
  ),
  inWrongOrder(
    'lists the earliest end first',
    [latest, endedIds],
    'ended',
    (a, b) => a.timeMs - b.timeMs || idOf(a) - idOf(b),
  ),
  inWrongOrder(
    'lists ended auctions by creation',
    latest,
    'ended',
    (a, b) => b.auction.createdAtMs - a.auction.createdAtMs,
  ),
  inWrongOrder(
    'lists auctions that ended in one millisecond in any order',
    endedIds,
    'ended',
    (a, b) => b.timeMs - a.timeMs,
  ),
  wrongStep(
    'lists open auctions among those that have ended',
    latest,
    'isPassedOver',
    (placed, query) => query.order === 'agenda' && rightSteps.isPassedOver(placed, query),
  ),
  wrongStep(
    'lets ended auctions return',
    [latest, 'removes an ended auction from the agenda permanently'],
    'nextAgenda',
    (agenda, { auctionId: _, ...next }) =>
      'dueMs' in next ? next : rightSteps.nextAgenda(agenda, { auctionId: _, ...next }),
  ),
  wrongStep('does not know of the limit', limit, 'cut', (found) => found),
  wrongStep('lists one auction too many', limit, 'cut', (found, most) => found.slice(0, most + 1)),
  wrongStep(
    'lists at most 20 auctions',
    'filters by stage, owner and product, alone and together, listed the newest first',
    'cut',
    (found, most) => found.slice(0, Math.min(most, 20)),
  ),
  wrongPage('never returns a next page', limit, (page) => ({ ...page, next: undefined })),
  wrongPage(
    'returns a next page for every full page',
    'lists the auctions due by a time, including that millisecond, and none after it',
    (page, _query, last) => ({ ...page, next: page.next ?? last }),
  ),
  wrongStep(
    'always continues in the order of creation',
    'fills its pages with auctions that match, listed by the agenda',
    'comesAfter',
    (placed, position) => rightSteps.comesAfter(placed, { ...position, order: 'newest' }),
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
  wrongPage('returns the place of the last auction for each', itemPlaces, ({ items, next }, _query, last) => ({
    items: items.map(({ auction, position }) => ({ auction, position: last ?? position })),
    next,
  })),
  wrongPage('returns the end of an auction as its place among the newest', itemPlaces, ({ items, next }) => ({
    items: items.map(({ auction, position }) => ({
      auction,
      position: { ...position, timeMs: auction.endTime.epochMs },
    })),
    next,
  })),
]

function replacingPlaces(bug: string, change: (position: AuctionPosition) => AuctionPosition): StoreMutation {
  return wrongPage(bug, itemPlaces, ({ items, next }) => ({
    items: items.map(({ auction, position }) => ({ auction, position: change(position) })),
    next,
  }))
}

const names = ['the newest first', 'by the agenda', 'the latest end first']
const placesOf = (name: string) => `lists ${name} the auctions after a place, with or without an auction at that place`
const places = names.map(placesOf)
const sameMs = [newestIds, soonestIds, endedIds]
const meanwhile = names.map((name) => `skips and repeats no auction during inserts, listed ${name}`)

type ComesAfter = StoreSteps['comesAfter']

const timeIsLater: ComesAfter = ({ timeMs }, position) =>
  position.order === 'agenda' ? timeMs > position.timeMs : timeMs < position.timeMs
const isAt: ComesAfter = ({ timeMs, auction }, position) => position.id === auction.id && position.timeMs === timeMs

const walking: readonly StoreMutation[] = [
  wrongStep(
    'lists the auction at the place again',
    places,
    'comesAfter',
    (placed, position) => rightSteps.comesAfter(placed, position) || isAt(placed, position),
  ),
  wrongStep('continues at the next millisecond', [...places, ...sameMs], 'comesAfter', timeIsLater),
  wrongStep('keeps the ids of places to 15 digits', sameMs, 'comesAfter', (placed, position) =>
    rightSteps.comesAfter(placed, { ...position, id: to15Digits(position.id) as typeof position.id }),
  ),
  wrongStep('continues at the next id', places, 'comesAfter', ({ auction }, position) =>
    position.order === 'agenda' ? auction.id > position.id : auction.id < position.id,
  ),
  wrongCalls('continues a list only by id', [newest, earliest], (right) => {
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
  }),
  wrongCall(
    'starts again without an auction at the place',
    places,
    'listAuctions',
    async (right, { after, ...query }) =>
      right.listAuctions(after && (await right.findAuction(after.id)) !== undefined ? { ...query, after } : query),
  ),
  wrongCalls(
    'pages by offset',
    [
      ...meanwhile,
      'skips and repeats no auction on the agenda while places move and auctions end',
      'lists the newest open auctions, page by page, while others end',
    ],
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
  ),
]

const ofLargest: readonly StoreMutation[] = [
  wrongPage('has no next page after a page of a hundred', largest, (page, { limit }) =>
    limit === 100 ? { ...page, next: undefined } : page,
  ),
  wrongPage(
    'has no next page after a page of a thousand',
    'fills each page of a query that has a short list, so that clients need few requests',
    (page, { limit }) => (limit === 1_000 ? { ...page, next: undefined } : page),
  ),
]

export const auctionListMutations: readonly StoreMutation[] = [...ordering, ...walking, ...ofLargest]
