import { createMemorySealer } from '@auction/adapters/memory'
import { resultOf } from '../../../src/auction/formats/sealed/result.ts'
import { type CountedBid, createTally } from '../../../src/auction/formats/sealed/tally.ts'
import type { SealedTerms } from '../../../src/auction/formats/sealed/terms.ts'
import { openedEntry } from '../../../src/auction/sealed-entry.ts'
import { termsIn } from '../../../src/auction/state.ts'
import type { AuctionEntry, Entry, Store } from '../../../src/store/store.ts'
import type { AmountMinor } from '../../../src/values/money.ts'
import { accepted } from '../../../src/values/result.ts'
import { type Planted, withService, withStoreOfProcess } from '../planted-bugs/planted.ts'

type TalliedEntry = Parameters<ReturnType<typeof createTally>['add']>[0]

/** What is wrong in a result: the terms, the entries, or the bids that they make. */
type Wrong = {
  readonly terms?: (right: SealedTerms) => SealedTerms
  readonly entry?: (right: TalliedEntry) => TalliedEntry
  readonly bids?: (right: readonly CountedBid[], entries: readonly TalliedEntry[]) => readonly CountedBid[]
}

/** Plants another result in the entry that closes an auction. */
function withResult({ terms: termsOf = same, entry: entryOf = same, bids: bidsOf = same }: Wrong): () => Planted {
  return withStoreOfProcess((right) => ({
    async append(entries, options) {
      const closing = entries.findIndex(({ event }) => event.type === 'closed')
      const closed = entries[closing]
      if (closed?.event.type !== 'closed' || closed.state.phase !== 'closed') return right.append(entries, options)
      const [auction, before] = await Promise.all([
        right.findAuction(closed.auctionId),
        ledgerBefore(right, closed, entries.slice(0, closing)),
      ])
      if (auction?.format !== 'sealed') return right.append(entries, options)
      const opened = before.map((entry) => entryOf(openedEntry(entry, createMemorySealer()) as TalliedEntry))
      const tally = createTally()
      for (const entry of opened) tally.add(entry)
      const terms = termsOf(termsIn(auction, closed.state) as SealedTerms)
      const { isEndedEarly } = closed.event.result
      const result = {
        ...resultOf(terms, bidsOf([...tally.bids.values()], opened)),
        ...(isEndedEarly && { isEndedEarly }),
      }
      const wrong = { ...closed, event: { ...closed.event, result }, state: { ...closed.state, result } } as Entry
      return right.append(entries.with(closing, wrong), options)
    },
  }))
}

const same = <Value>(right: Value): Value => right

async function ledgerBefore(store: Store, { auctionId, sequence }: Entry, appended: readonly Entry[]) {
  const before = sequence - appended.length
  const stored = before === 1 ? [] : await store.listEntries(auctionId, { before, limit: 1_000 })
  return [...stored.toReversed(), ...appended] as readonly AuctionEntry[]
}

const wrongResult = /has the result/

/** Plausible bugs in sealed bids, and the problem by which the simulation must detect each one. */
export const bugsInSealed: Readonly<Record<string, readonly [plant: () => Planted, problem: RegExp]>> = {
  'a tie goes to the later bid': [
    withResult({ bids: (right) => right.map((bid) => ({ ...bid, sinceSequence: -bid.sinceSequence })) }),
    wrongResult,
  ],

  'the same amount again loses its place': [
    withResult({ bids: (right) => right.map((bid) => ({ ...bid, sinceSequence: bid.bidId })) }),
    wrongResult,
  ],

  'the second price ignores the reserve': [
    withResult({
      terms: ({ reservePriceMinor: _, ...right }) => right,
    }),
    wrongResult,
  ],

  'a replaced bid still counts': [
    withResult({
      bids: (right, entries) =>
        right.map((bid) => {
          const own = entries.flatMap(({ event }) =>
            event.type === 'sealed-bid' && 'amountMinor' in event && event.bidderId === bid.bidderId ? [event] : [],
          )
          const amountMinor = Math.max(...own.map((event) => event.amountMinor)) as AmountMinor // One of them.
          return { ...bid, amountMinor }
        }),
    }),
    wrongResult,
  ],

  'a withdrawal by its bidder is ignored': [
    withResult({
      entry: (right) => (right.event.type === 'sealed-withdrawal' ? { ...right, event: { type: 'cancelled' } } : right),
    }),
    wrongResult,
  ],

  'the sequence of a read counts bids': [
    withService((right, { store }) => ({
      async readAuction(id, viewerId) {
        const [read, [head]] = await Promise.all([right.readAuction(id, viewerId), store.findHeads([id])])
        return read.ok ? accepted({ ...read.value, sequence: head?.sequence ?? 0 }) : read
      },
    })),
    /had sequence \d+ then/,
  ],

  'a bid is shown by its id': [
    withService((right, { store }) => ({
      async readBid(id, viewerId) {
        const [entry] = await store.findEntries([id as never]) // A bid of the format has the id of its entry.
        const bidderId = entry && 'bidderId' in entry.event ? entry.event.bidderId : undefined
        return right.readBid(id, bidderId ?? viewerId)
      },
    })),
    /sees the sealed bid/,
  ],
}
