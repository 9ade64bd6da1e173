import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import {
  sampleAuction,
  sampleCancellation,
  sampleCorrection,
  sampleNewAuction,
  sampleNewBid,
  sampleStartTime,
} from '@auction/testing/samples'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import type { AuctionEntry } from '../../src/auction/entry.ts'
import type { Corrected, Withdrawn } from '../../src/auction/events.ts'
import type { BidPlaced } from '../../src/auction/formats/english/events.ts'
import type { Leader } from '../../src/auction/formats/english/state.ts'
import type { LowerReserveCommand } from '../../src/auction/offers.ts'
import { createAuctionService } from '../../src/service.ts'
import type { Entry, EntryQuery } from '../../src/store/store.ts'
import { verifyAuction } from '../../src/use-cases/verify-auction.ts'
import type { LedgerDifference } from '../../src/use-cases/verify-ledger.ts'
import { toCurrency } from '../../src/values/currency.ts'
import { type AuctionId, toAuctionId, toUserId } from '../../src/values/ids.ts'
import { toAmountMinor } from '../../src/values/money.ts'
import { unwrap } from '../../src/values/result.ts'
import { anyTerms } from '../auction/any-history.ts'
import { bid, correct, endMs, lower, type Step, termsWith, withdraw } from '../auction/play.ts'
import { anyRepairedSteps, ledgerOf, storeHolding } from '../support/ledgers.ts'

test('the rules give any history again', async () => {
  await fc.assert(
    fc.asyncProperty(anyTerms, anyRepairedSteps, async (terms, steps) => {
      const ledger = ledgerOf(terms, ...steps)
      const verified = await verifyAuction(await storeHolding(terms, ledger), terms.id)
      expect(verified).toEqual({ ok: true, value: { entries: ledger.length, difference: undefined } })
    }),
    { numRuns: isLong ? 300 : 60 },
  )
})

test('the rules give again what a service has recorded for repeated requests', async () => {
  const store = createMemoryStore()
  const clock = createManualClock(sampleStartTime)
  const { createAuction, correctAuction, placeBid, cancelAuction } = createAuctionService({ store, clock })
  const { id: auctionId } = unwrap(await createAuction(sampleNewAuction()))
  const correction = sampleCorrection({
    title: null,
    metadata: { lot: '7' },
    reservePrice: 150.5,
    incrementPercent: 2.5,
  })
  unwrap(await correctAuction({ auctionId, correction, editor: 'anna' }))
  unwrap(await placeBid(sampleNewBid({ auctionId, amount: 100, maximumAmount: 120.05 })))
  unwrap(await placeBid(sampleNewBid({ auctionId, bidderId: 3, amount: 110 })))
  unwrap(await placeBid(sampleNewBid({ auctionId, amount: 100, maximumAmount: 160 })))
  const cancellation = sampleCancellation('A fake.')
  for (const key of ['first', 'second'])
    unwrap(await cancelAuction({ auctionId, cancellation, mayForce: true }, { caller: 'staff', key }))
  expect(await verifyAuction(store, auctionId)).toEqual({ ok: true, value: { entries: 6, difference: undefined } })
})

test('the rules of this version verify what earlier versions let owners do, who are not named', async () => {
  const reserved = termsWith({ reservePriceMinor: 900 })
  const lowerBefore = (reserve: number): LowerReserveCommand => {
    const { reason: _, by: __, ...command } = lower(reserve)
    return command
  }
  const steps = [500, 400, 300].map((reserve, index): Step => [lowerBefore(reserve), endMs + index])
  const ledger = ledgerOf(reserved, bid(2, 100, 333), ...steps)
  expect(ledger.at(-1)?.state).toMatchObject({ leader: { amountMinor: 300 } })
  expect(JSON.stringify(ledger)).not.toMatch(/"(by|reason)"/)
  const verified = await verifyAuction(await storeHolding(reserved, ledger), reserved.id)
  expect(verified).toEqual({ ok: true, value: { entries: 4, difference: undefined } })
})

test('a second lower reserve of an owner is refused again, if this version or a later one has recorded it', async () => {
  const reserved = termsWith({ reservePriceMinor: 900 })
  const ledger = ledgerOf(reserved, lower(500, 'owner'), lower(400))
  const named = ledger.map((entry) => ({ ...entry, event: { ...entry.event, by: 'owner' } as Entry['event'] }))
  const { difference } = unwrap(await verifyAuction(await storeHolding(reserved, named), reserved.id))
  expect(difference).toMatchObject({ sequence: 2, recomputed: { refusal: { code: 'reserve-lowered-before' } } })
})

const terms = termsWith()
const [corrected, first, second, third] = ledgerOf(terms, correct(), bid(2, 100, 150), bid(3, 120), bid(4, 200)) as [
  AuctionEntry<Corrected>,
  AuctionEntry<BidPlaced>,
  AuctionEntry<BidPlaced>,
  AuctionEntry<BidPlaced>,
]

type Damage = readonly [what: string, ledger: readonly Entry[], difference: LedgerDifference]

const [raised, low] = [
  withEvent(second, { automatic: { bidderId: toUserId(2), amountMinor: toAmountMinor(126) } }),
  withEvent(second, { amountMinor: toAmountMinor(104) }),
]
const earlyMs = corrected.atMs - 1
const automaticOf = (amountMinor: number) => ({ event: { automatic: { amountMinor } } })

test.each<Damage>([
  [
    'another automatic bid',
    [corrected, first, raised],
    { sequence: 3, recorded: automaticOf(126), recomputed: automaticOf(125) },
  ],
  [
    'a bid that the rules refuse',
    [corrected, first, low, third],
    {
      sequence: 3,
      recorded: { event: low.event },
      recomputed: { refusal: expect.objectContaining({ code: 'bid-too-low' }) },
    },
  ],
  [
    'a state without a member',
    [corrected, { ...first, state: { ...first.state, leader: null } } as Entry],
    { sequence: 2, recorded: { state: { leader: null } }, recomputed: { state: { leader: first.state.leader } } },
  ],
  [
    'a member that this version does not give',
    [corrected, { ...first, state: { ...first.state, extendedEndMs: 5 } }],
    { sequence: 2, recorded: { state: { extendedEndMs: 5 } }, recomputed: { state: {} } },
  ],
  [
    'a time before that of the previous entry',
    [corrected, { ...first, atMs: earlyMs, state: { ...first.state, atMs: earlyMs } }],
    {
      sequence: 2,
      recorded: { atMs: earlyMs, state: { atMs: earlyMs } },
      recomputed: { atMs: corrected.atMs, state: { atMs: corrected.atMs } },
    },
  ],
  [
    'another currency',
    [corrected, { ...first, currency: toCurrency('KRW') }],
    { sequence: 2, recorded: { currency: { code: 'KRW' } }, recomputed: { currency: { code: 'JPY' } } },
  ],
  [
    'a missing entry',
    [corrected, second],
    {
      sequence: 3,
      recorded: expect.objectContaining({ sequence: 3 }),
      recomputed: expect.objectContaining({ sequence: 2 }),
    },
  ],
])('reports %s, with both sides', async (_, ledger, difference) => {
  const verified = unwrap(await verifyAuction(holding(ledger), terms.id))
  expect(verified.difference).toStrictEqual(difference)
})

function withEvent(entry: AuctionEntry<BidPlaced>, members: Partial<BidPlaced>): AuctionEntry<BidPlaced> {
  return { ...entry, event: { ...entry.event, ...members } }
}

/** A store with any ledger, of one auction. Stores in use refuse some of these. */
const holding = (ledger: readonly Entry[], onRead: (entries: number) => void = () => undefined) => ({
  findAuctions: async () => [{ auction: { ...sampleAuction(), ...terms } }],
  findHeads: async () => ledger.slice(-1),
  listEntries: async (_: AuctionId, { before = Number.POSITIVE_INFINITY, limit }: EntryQuery) => {
    const listed = ledger.filter(({ sequence }) => sequence < before).slice(-limit)
    onRead(listed.length)
    return listed.toReversed()
  },
})

test('reports a withdrawal that leaves another price, which it decides again from the whole ledger', async () => {
  const ledger = ledgerOf(terms, bid(2, 100, 150), bid(3, 120), bid(4, 200), withdraw(4), bid(3, 130))
  const [entry] = ledger.filter(({ event }) => event.type === 'withdrawn') as [AuctionEntry<Withdrawn>]
  const leader = { ...entry.state.leader, amountMinor: toAmountMinor(126) } as Leader
  const changed = { ...entry, event: { ...entry.event, leader }, state: { ...entry.state, leader } } as Entry
  const verified = unwrap(await verifyAuction(holding(ledger.with(3, changed)), terms.id))
  const sides = (amountMinor: number) => ({ event: { leader: { amountMinor } }, state: { leader: { amountMinor } } })
  expect(verified.difference).toEqual({ sequence: 4, recorded: sides(126), recomputed: sides(125) })
})

test('reports entries that the store does not list', async () => {
  const store = { ...holding([corrected, first]), listEntries: async () => [corrected] }
  expect(unwrap(await verifyAuction(store, terms.id))).toEqual({
    entries: 1,
    difference: { sequence: 2, recorded: undefined, recomputed: { sequence: 2 } },
  })
})

test('reads a long ledger a few entries at a time', async () => {
  const bids = Array.from({ length: 450 }, (_, index) => bid((index % 2) + 2, 100 + index * 5))
  const ledger = ledgerOf(terms, ...bids)
  const reads: number[] = []
  const store = holding(ledger, (entries) => reads.push(entries))
  expect(unwrap(await verifyAuction(store, terms.id)).entries).toBe(450)
  expect(reads).toEqual([200, 200, 50])
})

test('refuses an unknown auction, and throws for an invalid id', async () => {
  const store = createMemoryStore()
  const unknown = { ok: false, refusal: { code: 'auction-not-found', auctionId: 9 } }
  expect(await verifyAuction(store, toAuctionId(9))).toEqual(unknown)
  await expect(verifyAuction(store, 0 as AuctionId)).rejects.toThrow('the id of a verified auction must be an integer')
})
