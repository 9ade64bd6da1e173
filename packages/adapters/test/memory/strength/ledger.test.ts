import type { Bid } from '@auction/domain/bid'
import type { AmountMinor } from '@auction/domain/money'
import type { Ledger } from '@auction/domain/ports/ledger'
import { type LedgerSubject, ledgerContract } from '@auction/domain/testing/ledger-contract'
import { sampleBid } from '@auction/domain/testing/samples'
import { memoryStore } from '../../../src/memory/memory-store.ts'
import { hasSequence, type PlainLedgerSteps, plainLedger } from './plain-ledger.ts'
import { asToday, type Planted, pause, proveStrength, to15Digits } from './strength.ts'

type Broken = Planted<LedgerSubject>

/** The ledger in memory with some of its operations replaced. */
const wrapped = (bug: string, breaks: (right: Ledger) => Partial<Ledger>, ...caughtBy: readonly string[]): Broken => ({
  bug,
  subject: () => {
    const right = memoryStore().ledger
    return { store: { ...right, ...breaks(right) } }
  },
  caughtBy,
})

/** A ledger with steps swapped for wrong ones. */
const swapped = (bug: string, steps: Partial<PlainLedgerSteps>, ...caughtBy: readonly string[]): Broken => ({
  bug,
  subject: () => ({ store: plainLedger(steps) }),
  caughtBy,
})

const one = 'stores a bid, and answers it as the head, in a page and by its id'
const several = 'stores bids of several auctions in one append, each in its own order'
const exact = 'keeps the least and the greatest numbers exact'
const oldCurrency = 'keeps a currency that has left ISO 4217, or has another exponent there by now'
const shown = 'shows what was appended to another handle at once'

const appending: readonly Broken[] = [
  wrapped('forgets what it was given', () => ({ append: async (bids) => ({ stored: bids.length }) }), one),
  wrapped(
    'loses the last bid of an append',
    (right) => ({ append: async (bids) => ({ stored: (await right.append(bids.slice(0, -1))).stored + 1 }) }),
    one,
    several,
  ),
  wrapped(
    'throws for an empty list',
    (right) => ({
      append: async (bids) => {
        if (bids.length === 0) throw new RangeError('nothing to insert')
        return right.append(bids)
      },
    }),
    'stores nothing for an empty list',
  ),
  wrapped(
    'stores the bids of one auction only',
    (right) => ({
      append: async (bids) => {
        await right.append(bids.filter(({ auctionId }) => auctionId === bids[0]?.auctionId))
        return { stored: bids.length }
      },
    }),
    several,
  ),
  wrapped(
    'stores 100 bids at the most',
    (right) => ({ append: (bids) => right.append(bids.slice(0, 100)) }),
    'stores hundreds of bids in one append',
  ),
  swapped(
    'keeps amounts in single precision',
    { copyIn: (bid) => ({ ...bid, amountMinor: Math.fround(bid.amountMinor) as AmountMinor }) }, // Wrong on purpose.
    exact,
  ),
  swapped(
    'keeps ids to 15 digits',
    { copyIn: (bid) => ({ ...bid, bidderId: to15Digits(bid.bidderId) as Bid['bidderId'] }) }, // Wrong on purpose.
    exact,
  ),
  swapped(
    'keeps seconds only',
    { copyIn: (bid) => ({ ...bid, timestampMs: Math.floor(bid.timestampMs / 1000) * 1000 }) },
    one,
    exact,
  ),
  swapped(
    'knows one currency only',
    { copyIn: (bid) => ({ ...bid, currency: sampleBid().currency }) },
    exact,
    oldCurrency,
  ),
  swapped(
    'takes decimals from the table of today',
    { copyIn: (bid) => ({ ...bid, currency: asToday(bid.currency) }) },
    oldCurrency,
  ),
  {
    bug: 'has a memory of its own in each handle',
    subject: () => ({ store: memoryStore().ledger, again: async () => memoryStore().ledger }),
    caughtBy: [shown],
  },
  {
    bug: 'remembers heads in each handle',
    subject: () => {
      const { ledger } = memoryStore()
      return { store: ledger, again: async () => ({ ...ledger, ...rememberingHeads(ledger) }) }
    },
    caughtBy: [shown],
  },
]

function rememberingHeads(right: Ledger): Pick<Ledger, 'head'> {
  const heads = new Map<number, Bid>()
  return {
    head: async (auctionId) => {
      const head = heads.get(auctionId) ?? (await right.head(auctionId))
      if (head !== undefined) heads.set(auctionId, head)
      return head
    },
  }
}

const atHead = 'refuses a taken sequence at the head'
const behindHead = 'refuses a taken sequence behind the head'
const idHere = 'refuses a taken id in the same auction'
const idThere = 'refuses a taken id in another auction'
const again = 'refuses a bid that is stored already'
const beforeSequence = 'stores exactly what stands before a taken sequence'
const beforeId = 'stores exactly what stands before a taken id'
const sequenceTwice = 'sees that an append takes a sequence twice'
const idTwice = 'sees that an append takes an id twice'
const ends = 'stores nothing behind a conflict at the beginning, and all before one at the end'

const keys: readonly Broken[] = [
  swapped(
    'takes a sequence twice',
    { isTaken: (bid, stored) => stored.some(({ id }) => id === bid.id) },
    atHead,
    behindHead,
  ),
  swapped(
    'takes an id twice',
    { isTaken: (bid, stored) => stored.some((each) => hasSequence(each, bid)) },
    idHere,
    idThere,
  ),
  swapped(
    'takes an id once an auction',
    {
      isTaken: (bid, stored) =>
        stored.some(
          (each) => each.auctionId === bid.auctionId && (each.id === bid.id || each.sequence === bid.sequence),
        ),
    },
    idThere,
  ),
  swapped(
    'compares sequences with the last bid only',
    {
      isTaken: (bid, stored) =>
        stored.some(({ id }) => id === bid.id) || stored.slice(-1).some((each) => hasSequence(each, bid)),
    },
    behindHead,
  ),
  wrapped(
    'answers stored for a bid that it has',
    (right) => ({
      append: async (bids) => {
        const [only, ...others] = bids
        const isStored = only !== undefined && others.length === 0 && (await right.find([only.id])).length > 0
        return isStored ? { stored: 1 } : right.append(bids)
      },
    }),
    again,
    idHere,
  ),
  wrapped(
    'answers that all is stored',
    (right) => ({ append: (bids) => right.append(bids).then(() => ({ stored: bids.length })) }),
    beforeSequence,
    beforeId,
  ),
  wrapped(
    'stores what stands behind a conflict',
    (right) => ({
      append: async (bids) => {
        let prefix: number | undefined
        for (const [index, bid] of bids.entries()) {
          const { stored } = await right.append([bid])
          if (stored === 0) prefix ??= index
        }
        return { stored: prefix ?? bids.length }
      },
    }),
    beforeSequence,
    beforeId,
    ends,
  ),
  wrapped(
    'counts what it stored on both sides of a conflict',
    (right) => ({
      append: async (bids) => {
        let stored = 0
        for (const bid of bids) stored += (await right.append([bid])).stored
        return { stored }
      },
    }),
    beforeSequence,
    ends,
  ),
  wrapped(
    'stores auction by auction',
    (right) => ({
      append: (bids) => right.append(bids.toSorted((a, b) => a.auctionId - b.auctionId)),
    }),
    beforeSequence,
  ),
  wrapped(
    'stores all or nothing',
    (right) => ({
      append: async (bids) => {
        const rehearsal = plainLedger()
        for (const auctionId of new Set(bids.map((bid) => bid.auctionId))) {
          await rehearsal.append((await right.page(auctionId, { limit: 1_000 })).toReversed())
        }
        const { stored } = await rehearsal.append(bids)
        return stored === bids.length ? right.append(bids) : { stored: 0 }
      },
    }),
    beforeSequence,
    ends,
  ),
  wrapped(
    'answers the index of the conflict counted from 1',
    (right) => ({
      append: async (bids) => {
        const { stored } = await right.append(bids)
        return { stored: stored === bids.length ? stored : stored + 1 }
      },
    }),
    atHead,
    beforeSequence,
  ),
  {
    bug: 'looks at an append as a whole, and not within it',
    subject: () => {
      const right = plainLedger()
      const careless = plainLedger({ isTaken: () => false })
      return { store: { ...careless, append: (bids) => appendChecked(careless, right, bids) } }
    },
    caughtBy: [sequenceTwice, idTwice],
  },
]

/** Looks up all keys first, and stores then: `shadow` is right, and tells what was stored before this append. */
async function appendChecked(careless: Ledger, shadow: Ledger, bids: readonly Bid[]) {
  const isFree = await Promise.all(
    bids.map(async (bid) => {
      const page = await shadow.page(bid.auctionId, { limit: 1_000 })
      return (await shadow.find([bid.id])).length === 0 && !page.some((each) => hasSequence(each, bid))
    }),
  )
  const stored = isFree.includes(false) ? isFree.indexOf(false) : bids.length
  for (const bid of bids.slice(0, stored)) await shadow.append([bid])
  return careless.append(bids.slice(0, stored))
}

const sequenceRace = 'lets exactly one of many concurrent appends of a sequence win'
const idRace = 'lets exactly one of many concurrent appends of an id win'
const overlap = 'stores of concurrent appends that overlap the prefixes that it answers, and no more'

const races: readonly Broken[] = [
  swapped('looks whether keys are taken, and inserts later', { beforeInsert: pause }, sequenceRace, idRace, overlap),
  wrapped(
    'takes the bid of another append for its own',
    (right) => ({
      append: async (bids) => {
        const { stored } = await right.append(bids)
        await pause()
        for (const [index, bid] of bids.entries()) {
          const [there] = await right.page(bid.auctionId, { limit: 1, before: bid.sequence + 1 })
          if (index >= stored && there?.sequence !== bid.sequence) return { stored: index }
        }
        return { stored: bids.length }
      },
    }),
    sequenceRace,
    overlap,
    atHead,
  ),
]

const passedIn = 'is not changed by what becomes of bids that were passed in'
const answered = 'is not changed by what becomes of its answers'

const isolation: readonly Broken[] = [
  swapped('keeps the very objects that were passed in', { copyIn: (bid) => bid }, passedIn),
  swapped('answers the very objects that it keeps', { copyOut: (bid) => bid }, answered),
  wrapped(
    'answers the very list that it keeps',
    (right) => {
      const pages = new Map<string, readonly Bid[]>()
      return {
        page: async (auctionId, query) => {
          const asked = JSON.stringify([auctionId, query, await right.head(auctionId)])
          const page = pages.get(asked) ?? [...(await right.page(auctionId, query))]
          pages.set(asked, page)
          return page
        },
        append: right.append,
      }
    },
    answered,
  ),
]

const unknown = 'knows nothing of unknown auctions and bids'
const many = 'finds those of many ids that are stored'
const highest = 'answers the highest sequence as the head, by number, whatever the ids, amounts and times'
const apart = 'keeps auctions apart'

/** A ledger whose head is another bid than the last. */
const wrongHead = (bug: string, better: (a: Bid, b: Bid) => boolean): Broken =>
  wrapped(
    bug,
    (right) => ({
      head: async (auctionId) => {
        const bids = await right.page(auctionId, { limit: 1_000 })
        return bids.reduce<Bid | undefined>(
          (best, bid) => (best === undefined || better(bid, best) ? bid : best),
          undefined,
        )
      },
    }),
    highest,
  )

const reading: readonly Broken[] = [
  wrapped(
    'answers null for no head',
    // The cast: a caller in JavaScript would not notice.
    (right) => ({ head: async (id) => (await right.head(id)) ?? (null as unknown as undefined) }),
    unknown,
  ),
  wrapped(
    'leaves holes where a bid is not found',
    (right) => ({
      find: async (ids) => {
        const found = await Promise.all(ids.map((id) => right.find([id])))
        return found.map(([bid]) => bid) as readonly Bid[] // The holes are what is wrong here.
      },
    }),
    unknown,
    many,
  ),
  wrapped(
    'takes an empty list for no condition',
    (right) => ({
      find: async (ids) =>
        right.find(ids.length > 0 ? ids : Array.from({ length: 20 }, (_, index) => (index + 1) as Bid['id'])), // Ids count from 1.
    }),
    unknown,
  ),
  wrapped('finds the first only', (right) => ({ find: async (ids) => (await right.find(ids)).slice(0, 1) }), many),
  wrongHead('answers the first bid as the head', (bid, best) => bid.sequence < best.sequence),
  wrongHead('answers the highest id as the head', (bid, best) => bid.id > best.id),
  wrongHead('answers the highest amount as the head', (bid, best) => bid.amountMinor > best.amountMinor),
  wrongHead('orders heads as texts', (bid, best) => `${bid.sequence}` > `${best.sequence}`),
  wrongHead('answers the latest time as the head', (bid, best) => bid.timestampMs >= best.timestampMs),
  swapped(
    'knows auctions by the beginning of their ids',
    { isOfAuction: (bid, auctionId) => `${bid.auctionId}`.startsWith(`${auctionId}`) },
    apart,
    unknown,
  ),
  swapped(
    'knows auctions by their bucket',
    { isOfAuction: (bid, auctionId) => bid.auctionId % 10 === auctionId % 10 },
    apart,
  ),
  swapped(
    'knows auctions to 15 digits',
    { isOfAuction: (bid, auctionId) => to15Digits(bid.auctionId) === to15Digits(auctionId) },
    apart,
  ),
]

const newest = 'pages newest first, by number, and keeps to the limit'
const before = 'pages what comes before a sequence'
const beforeFirst = 'pages nothing before the first sequence, and before what is none'
const walking = 'skips and repeats nothing from page to page while others append'

const paging: readonly Broken[] = [
  swapped('pages oldest first', { newestFirst: (a, b) => a.sequence - b.sequence }, newest, before, walking),
  swapped(
    'orders pages as texts',
    { newestFirst: (a, b) => `${b.sequence}`.localeCompare(`${a.sequence}`) },
    newest,
    before,
  ),
  swapped('does not know of the limit', { cut: (found) => found }, newest, before),
  swapped('pages one too many', { cut: (found, limit) => found.slice(0, limit + 1) }, newest, before),
  swapped('pages 10 at the most', { cut: (found, limit) => found.slice(0, Math.min(10, limit)) }, newest, before),
  swapped('pages the place itself again', { isBefore: (bid, sequence) => bid.sequence <= sequence }, before, walking),
  swapped('skips one between pages', { isBefore: (bid, sequence) => bid.sequence < sequence - 1 }, before, walking),
  swapped('does not know of places', { isBefore: () => true }, before, beforeFirst, walking),
  swapped(
    'takes 0 for no place',
    { isBefore: (bid, sequence) => sequence === 0 || bid.sequence < sequence },
    beforeFirst,
  ),
  wrapped(
    'counts a place from the end',
    (right) => ({
      page: async (auctionId, { limit, before: place }) => {
        const oldestFirst = (await right.page(auctionId, { limit: 1_000 })).toReversed()
        return oldestFirst
          .slice(0, place && place - 1)
          .slice(-limit)
          .toReversed()
      },
    }),
    beforeFirst,
  ),
  wrapped(
    'pages by how many have been seen',
    (right) => {
      const seen = new Map<number, number>()
      return {
        page: async (auctionId, { limit, before: place }) => {
          const offset = place === undefined ? 0 : (seen.get(place) ?? 0)
          const page = (await right.page(auctionId, { limit: 1_000 })).slice(offset, offset + limit)
          for (const [index, { sequence }] of page.entries()) seen.set(sequence, offset + index + 1)
          return page
        },
      }
    },
    walking,
  ),
]

proveStrength(ledgerContract, () => ({ store: plainLedger() }), [
  ...appending,
  ...keys,
  ...races,
  ...isolation,
  ...reading,
  ...paging,
])
