import type { Auction } from '@auction/domain/auction'
import { isoOf } from '@auction/domain/moment'
import { type AmountMinor, CurrencyCode } from '@auction/domain/money'
import type { AuctionStore } from '@auction/domain/ports/auction-store'
import { type AuctionStoreSubject, auctionStoreContract } from '@auction/domain/testing/auction-store-contract'
import { sampleAuction } from '@auction/domain/testing/samples'
import * as v from 'valibot'
import { memoryStore } from '../../../src/memory/memory-store.ts'
import { type PlainAuctionSteps, plainAuctions } from './plain-auctions.ts'
import { asToday, type Planted, pause, proveStrength, to15Digits } from './strength.ts'

type Broken = Planted<AuctionStoreSubject>

/** The store in memory with some of its operations replaced. */
const wrapped = (
  bug: string,
  breaks: (right: AuctionStore) => Partial<AuctionStore>,
  ...caughtBy: readonly string[]
): Broken => ({
  bug,
  subject: () => {
    const right = memoryStore().auctions
    return { store: { ...right, ...breaks(right) } }
  },
  caughtBy,
})

/** A store with one step swapped for a wrong one. */
const swapped = (bug: string, steps: Partial<PlainAuctionSteps>, ...caughtBy: readonly string[]): Broken => ({
  bug,
  subject: () => ({ store: plainAuctions(steps) }),
  caughtBy,
})

/** A store that reads something else than what it was given. */
const changing = (bug: string, change: (auction: Auction) => Auction, ...caughtBy: readonly string[]): Broken =>
  swapped(bug, { copyOut: change }, ...caughtBy)

const rounded = (minor: AmountMinor) => Math.fround(minor) as AmountMinor // A wrong amount is what is wanted here.

const inserting: readonly Broken[] = [
  wrapped(
    'forgets what it was given',
    () => ({ insert: async () => 'inserted' }),
    'stores an auction, and finds and lists it',
    'shows what was inserted to another handle at once',
  ),
  wrapped(
    'does not list the newest yet',
    (right) => ({ list: async (query) => (await right.list({ ...query, limit: 100 })).slice(1, query.limit + 1) }),
    'stores an auction, and finds and lists it',
  ),
  wrapped(
    'answers null for what it does not have',
    // The cast: a caller in JavaScript would not notice.
    (right) => ({ find: async (id) => (await right.find(id)) ?? (null as unknown as undefined) }),
    'knows nothing of an auction that was not inserted',
  ),
  wrapped(
    'finds by the beginning of an id',
    (right) => ({
      find: async (id) => (await right.list({ limit: 100 })).find((auction) => `${auction.id}`.startsWith(`${id}`)),
    }),
    'knows nothing of an auction that was not inserted',
  ),
  swapped(
    'takes an id twice',
    { isTaken: () => false },
    'answers taken for an id that is stored, and keeps what is stored',
  ),
  wrapped(
    'answers inserted for what is taken',
    (right) => ({ insert: async (auction) => (await right.insert(auction)) && 'inserted' }),
    'answers taken for an id that is stored, and keeps what is stored',
  ),
  wrapped(
    'replaces what has the id',
    (right) => {
      const latest = new Map<number, Auction>()
      return {
        insert: (auction) => {
          latest.set(auction.id, structuredClone(auction))
          return right.insert(auction)
        },
        find: async (id) => structuredClone(latest.get(id)),
      }
    },
    'answers taken for an id that is stored, and keeps what is stored',
  ),
  swapped(
    'looks whether an id is taken, and inserts later',
    { beforeInsert: pause },
    'lets exactly one of many concurrent inserts of an id win',
  ),
  {
    bug: 'has a memory of its own in each handle',
    subject: () => ({ store: memoryStore().auctions, again: async () => memoryStore().auctions }),
    caughtBy: [
      'shows what was inserted to another handle at once',
      'lets exactly one of many concurrent inserts of an id win',
    ],
  },
]

const fields: readonly Broken[] = [
  changing(
    'makes an absent title one that is undefined',
    // The cast: exact optional properties forbid what this adapter does.
    (auction) => ({ ...auction, title: auction.title }) as Auction,
    'keeps an absent title or description absent',
  ),
  changing(
    'drops an empty description',
    ({ description, ...rest }) => (description ? { ...rest, description } : rest),
    'keeps an absent title or description absent',
  ),
  changing(
    'trims texts',
    (auction) => ({ ...auction, ...(auction.title === undefined ? {} : { title: auction.title.trim() }) }),
    'keeps texts as they are, to the last character',
  ),
  changing(
    'normalises texts',
    (auction) => ({ ...auction, ...(auction.title === undefined ? {} : { title: auction.title.normalize('NFC') }) }),
    'keeps texts as they are, to the last character',
  ),
  changing(
    'cuts texts at 255 units',
    (auction) => ({ ...auction, ...(auction.title === undefined ? {} : { title: auction.title.slice(0, 255) }) }),
    'keeps the longest texts',
  ),
  changing(
    'keeps amounts in single precision',
    (auction) => ({ ...auction, startingPriceMinor: rounded(auction.startingPriceMinor) }),
    'keeps the least and the greatest numbers exact',
  ),
  changing(
    'keeps ids to 15 digits',
    (auction) => ({ ...auction, productId: to15Digits(auction.productId) as Auction['productId'] }), // Wrong on purpose.
    'keeps the least and the greatest numbers exact',
  ),
  changing(
    'writes times anew from their milliseconds',
    (auction) => ({ ...auction, startTime: { ...auction.startTime, iso: isoOf(auction.startTime.epochMs) } }),
    'keeps times as they were written',
    'stores an auction, and finds and lists it',
  ),
  changing(
    'keeps seconds only',
    (auction) => ({
      ...auction,
      endTime: { ...auction.endTime, epochMs: Math.floor(auction.endTime.epochMs / 1000) * 1000 },
    }),
    'keeps times as they were written',
  ),
  changing(
    'knows one currency only',
    (auction) => ({ ...auction, currency: sampleAuction().currency }),
    'keeps the currency',
  ),
  changing(
    'takes decimals from the table of today',
    (auction) => ({ ...auction, currency: asToday(auction.currency) }),
    'keeps a currency that has left ISO 4217, or has another exponent there by now',
  ),
  changing(
    'knows the currencies of today only',
    ({ currency, ...auction }) => ({ ...auction, currency: v.parse(CurrencyCode, currency.code) }),
    'keeps a currency that has left ISO 4217, or has another exponent there by now',
  ),
]

const isolation: readonly Broken[] = [
  swapped(
    'keeps the very object that was passed in',
    { copyIn: (auction) => auction },
    'is not changed by what becomes of an auction that was passed in',
  ),
  swapped(
    'keeps the very moments that were passed in',
    { copyIn: (auction) => ({ ...auction }) },
    'is not changed by what becomes of an auction that was passed in',
  ),
  swapped(
    'answers the very object that it keeps',
    { copyOut: (auction) => auction },
    'is not changed by what becomes of its answers',
  ),
  swapped(
    'answers the very moments that it keeps',
    { copyOut: (auction) => ({ ...auction }) },
    'is not changed by what becomes of its answers',
  ),
]

const order = {
  byTime: 'lists the newest first, by number, whatever their ids and the order of their inserts',
  byId: 'lists the higher id first of those of one millisecond, by number',
}

const listing: readonly Broken[] = [
  swapped('lists the oldest first', { order: (a, b) => a.createdAtMs - b.createdAtMs || a.id - b.id }, order.byTime),
  swapped('lists as it was given', { order: () => 0 }, order.byTime),
  swapped('lists by id', { order: (a, b) => b.id - a.id }, order.byTime),
  swapped(
    'orders times as texts',
    { order: (a, b) => `${b.createdAtMs}`.localeCompare(`${a.createdAtMs}`) || b.id - a.id },
    order.byTime,
  ),
  swapped(
    'leaves those of one millisecond in any order',
    { order: (a, b) => b.createdAtMs - a.createdAtMs },
    order.byId,
  ),
  swapped(
    'lists the lower id first of one millisecond',
    { order: (a, b) => b.createdAtMs - a.createdAtMs || a.id - b.id },
    order.byId,
  ),
  swapped(
    'orders ids as texts',
    { order: (a, b) => b.createdAtMs - a.createdAtMs || `${b.id}`.localeCompare(`${a.id}`) },
    order.byId,
  ),
  swapped('does not know of the limit', { cut: (found) => found }, 'keeps to the limit'),
  swapped('lists one too many', { cut: (found, limit) => found.slice(0, limit + 1) }, 'keeps to the limit'),
  swapped('lists 20 at the most', { cut: (found, limit) => found.slice(0, Math.min(limit, 20)) }, 'keeps to the limit'),
]

const place = 'lists what comes after a place, whether or not an auction stands there'
const pages = 'skips and repeats nothing from page to page'
const sameMs = 'skips and repeats nothing among auctions of one millisecond'
const meanwhile = 'skips and repeats nothing while others insert'

const paging: readonly Broken[] = [
  swapped(
    'lists the place itself again',
    { isAfter: (position, after) => position.createdAtMs <= after.createdAtMs && position.id <= after.id },
    place,
    pages,
  ),
  swapped(
    'goes on with the next millisecond',
    { isAfter: (position, after) => position.createdAtMs < after.createdAtMs },
    place,
    sameMs,
  ),
  swapped('goes on with the next id', { isAfter: (position, after) => position.id < after.id }, place),
  wrapped(
    'starts again when nothing stands at the place',
    (right) => ({
      list: async ({ after, ...query }) =>
        right.list(after && (await right.find(after.id)) !== undefined ? { ...query, after } : query),
    }),
    place,
  ),
  wrapped(
    'pages by offset',
    (right) => {
      const offsets = new Map<number, number>()
      return {
        list: async ({ limit, after, status }) => {
          const offset = after === undefined ? 0 : (offsets.get(after.id) ?? 0)
          const found = (await right.list({ limit: 1_000, ...(status && { status }) })).slice(offset, offset + limit)
          for (const [index, { id }] of found.entries()) offsets.set(id, offset + index + 1)
          return found
        },
      }
    },
    meanwhile,
  ),
  wrapped(
    'lists what was there when somebody listed first',
    (right) => {
      const answers = new Map<string, Promise<readonly Auction[]>>()
      return {
        list: (query) => {
          const asked = JSON.stringify(query)
          const answer = answers.get(asked) ?? right.list(query)
          if (!answers.has(asked)) answers.set(asked, answer)
          return answer
        },
      }
    },
    'shows what was inserted to another handle at once',
  ),
]

const edges = 'filters by the status, which turns at the exact millisecond of the start and of the end'
const counted = 'counts only auctions of the status towards the limit, from page to page'

const status: readonly Broken[] = [
  swapped('does not know of statuses', { hasStatus: () => true }, edges, counted),
  swapped(
    'starts a millisecond late',
    {
      hasStatus: ({ startTime: s, endTime: e }, { is, nowMs }) =>
        is === statusBetween(nowMs - 1, s.epochMs, e.epochMs + 1),
    },
    edges,
  ),
  swapped(
    'ends a millisecond late',
    {
      hasStatus: ({ startTime: s, endTime: e }, { is, nowMs }) => is === statusBetween(nowMs, s.epochMs, e.epochMs + 1),
    },
    edges,
  ),
  swapped(
    'compares times as texts',
    {
      hasStatus: ({ startTime: s, endTime: e }, { is, nowMs }) =>
        is === (isoOf(nowMs) < s.iso ? 'Pending' : isoOf(nowMs) < e.iso ? 'Active' : 'Ended'),
    },
    edges,
  ),
  swapped(
    'goes by its own clock',
    {
      hasStatus: ({ startTime: s, endTime: e }, { is }) => is === statusBetween(Date.now(), s.epochMs, e.epochMs),
    },
    edges,
    counted,
  ),
  wrapped(
    'cuts at the limit before it filters',
    (right) => ({
      list: async ({ status: asked, ...query }) => {
        if (asked === undefined) return right.list(query)
        const matching = new Set((await right.list({ limit: 1_000, status: asked })).map(({ id }) => id))
        return (await right.list(query)).filter(({ id }) => matching.has(id))
      },
    }),
    counted,
  ),
  wrapped(
    'forgets the place when it filters',
    (right) => ({
      list: ({ after, ...query }) => right.list(query.status ? query : { ...query, ...(after && { after }) }),
    }),
    counted,
  ),
]

const statusBetween = (nowMs: number, startMs: number, endMs: number) =>
  nowMs < startMs ? 'Pending' : nowMs < endMs ? 'Active' : 'Ended'

proveStrength(auctionStoreContract, () => ({ store: plainAuctions() }), [
  ...inserting,
  ...fields,
  ...isolation,
  ...listing,
  ...paging,
  ...status,
])
