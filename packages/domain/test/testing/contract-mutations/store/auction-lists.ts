import type { Auction } from '../../../../src/auction/auction.ts'
import type { AuctionPosition } from '../../../../src/store.ts'
import { type PlainStoreSteps, positionOf, rightSteps } from '../../../support/plain-store.ts'
import { paging, replaced, type StoreMutation, swapped } from '../planted.ts'
import { to15Digits } from '../prove-contract.ts'

const newest = 'lists the newest first, by number, whatever their ids and the order of their inserts'
const soonest = 'lists the soonest end first, by number, whatever their ids and the order of their inserts'
const newestIds = 'lists the higher id first of those of one millisecond, by number'
const soonestIds = 'lists the lower id first of those that end in one millisecond, by number'
const limit = 'keeps lists of auctions to their limit'
const ending = 'says that a list goes on where it does, and that it has ended where it has'

type Compare = (a: Auction, b: Auction) => number

/** The auctions of one order in another one. */
const inWrongOrder = (
  bug: string,
  wrong: AuctionPosition['order'],
  compare: Compare,
  ...caughtBy: readonly string[]
): StoreMutation =>
  swapped(bug, { inOrder: (order) => (order === wrong ? compare : rightSteps.inOrder(order)) }, ...caughtBy)

const ordering: readonly StoreMutation[] = [
  inWrongOrder(
    'lists the oldest first',
    'newest',
    (a, b) => a.createdAtMs - b.createdAtMs || a.id - b.id,
    newest,
    newestIds,
  ),
  inWrongOrder('lists auctions as they were given', 'newest', () => 0, newest),
  inWrongOrder('lists auctions by id', 'newest', (a, b) => b.id - a.id, newest),
  inWrongOrder(
    'orders times of creation as texts',
    'newest',
    (a, b) => `${b.createdAtMs}`.localeCompare(`${a.createdAtMs}`) || b.id - a.id,
    newest,
  ),
  inWrongOrder(
    'leaves those of one millisecond in any order',
    'newest',
    (a, b) => b.createdAtMs - a.createdAtMs,
    newestIds,
  ),
  inWrongOrder(
    'lists the lower id first of one millisecond',
    'newest',
    (a, b) => b.createdAtMs - a.createdAtMs || a.id - b.id,
    newestIds,
  ),
  inWrongOrder(
    'orders ids of one millisecond as texts',
    'newest',
    (a, b) => b.createdAtMs - a.createdAtMs || `${b.id}`.localeCompare(`${a.id}`),
    newestIds,
  ),
  inWrongOrder(
    'lists the latest end first',
    'endTime',
    (a, b) => b.endTime.epochMs - a.endTime.epochMs || b.id - a.id,
    soonest,
    soonestIds,
  ),
  inWrongOrder(
    'lists by creation whatever is asked for',
    'endTime',
    (a, b) => b.createdAtMs - a.createdAtMs || a.id - b.id,
    soonest,
    soonestIds,
  ),
  inWrongOrder(
    'orders ends as texts',
    'endTime',
    (a, b) => (a.endTime.iso < b.endTime.iso ? -1 : 1),
    soonest,
    soonestIds,
  ),
  inWrongOrder(
    'leaves those that end in one millisecond in any order',
    'endTime',
    (a, b) => a.endTime.epochMs - b.endTime.epochMs,
    soonestIds,
  ),
  inWrongOrder(
    'lists the higher id first of those that end in one millisecond',
    'endTime',
    (a, b) => a.endTime.epochMs - b.endTime.epochMs || b.id - a.id,
    soonestIds,
  ),
  swapped('does not know of the limit', { cut: (found) => found }, limit),
  swapped('lists one auction too many', { cut: (found, most) => found.slice(0, most + 1) }, limit),
  swapped('lists 20 auctions at the most', { cut: (found, most) => found.slice(0, Math.min(most, 20)) }, limit),
  paging('never says that a list goes on', async (page) => ({ ...page, next: undefined }), ending),
  paging(
    'says of every full page that the list goes on',
    async (page, { order }, last) => ({ ...page, next: page.next ?? (last && positionOf(order, last)) }),
    ending,
  ),
  paging(
    'goes on in the order of creation, whatever the order of the list',
    async ({ auctions, next }, _query, last) => ({ auctions, next: next && last && positionOf('newest', last) }),
    ending,
  ),
]

const names = { newest: 'listed the newest first', endTime: 'listed by their ends' }
const both = (test: string) => [`${test}, ${names.newest}`, `${test}, ${names.endTime}`]
const placesOf = (name: string) => `lists ${name} what comes after a place, whether or not an auction stands there`
const places = [placesOf('the newest first'), placesOf('by their ends')]
const pages = both('skips and repeats nothing from page to page')
const sameMs = both('skips and repeats nothing among auctions of one millisecond')
const meanwhile = both('skips and repeats nothing while others insert')

type IsBehind = PlainStoreSteps['isBehind']

const timeBehind: IsBehind = (auction, position) =>
  position.order === 'newest' ? auction.createdAtMs < position.createdAtMs : auction.endTime.epochMs > position.endMs
const isAt: IsBehind = (auction, position) =>
  position.id === auction.id && !rightSteps.isBehind(auction, position) && !timeBehind(auction, position)

const walking: readonly StoreMutation[] = [
  swapped(
    'lists the place itself again',
    { isBehind: (auction, position) => rightSteps.isBehind(auction, position) || isAt(auction, position) },
    ...places,
    ...pages,
  ),
  swapped('goes on with the next millisecond', { isBehind: timeBehind }, ...places, ...sameMs),
  swapped(
    'keeps the ids of places to 15 digits',
    {
      isBehind: (auction, position) =>
        rightSteps.isBehind(auction, { ...position, id: to15Digits(position.id) as typeof position.id }), // Wrong on purpose.
    },
    ...sameMs,
  ),
  swapped(
    'goes on with the next id',
    {
      isBehind: (auction, position) =>
        position.order === 'newest' ? auction.id < position.id : auction.id > position.id,
    },
    ...places,
  ),
  replaced(
    'goes on by id alone from where it said that a list goes on',
    (right) => {
      const said = new Set<number>()
      return {
        listAuctions: async (query) => {
          const { after, limit: most } = query
          const { after: _, ...all } = { ...query, limit: 1_000 }
          const page = await right.listAuctions(after !== undefined && said.has(after.id) ? all : query)
          const isBehind = ({ id }: Auction) =>
            after === undefined || !said.has(after.id) || (query.order === 'newest' ? id < after.id : id > after.id)
          const behind = page.auctions.filter(isBehind)
          const auctions = behind.slice(0, most)
          const last = auctions.at(-1)
          const goesOn = behind.length > most || page.next !== undefined
          if (last !== undefined && goesOn) said.add(last.id)
          return { auctions, next: last !== undefined && goesOn ? positionOf(query.order, last) : undefined }
        },
      }
    },
    newest,
    soonest,
  ),
  replaced(
    'starts again when nothing stands at the place',
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
          const { auctions } = await right.listAuctions({ ...query, limit: 1_000 })
          const found = auctions.slice(offset, offset + most)
          for (const [index, { id }] of found.entries()) offsets.set(id, offset + index + 1)
          const last = found.at(-1)
          const isEnd = offset + most >= auctions.length
          return { auctions: found, next: isEnd || last === undefined ? undefined : positionOf(query.order, last) }
        },
      }
    },
    ...meanwhile,
  ),
]

export const auctionListMutations: readonly StoreMutation[] = [...ordering, ...walking]
