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
import type { LowerReserveCommand } from '../../src/auction/commands.ts'
import type { Entry } from '../../src/auction/entry.ts'
import type { BidPlaced, Corrected, Withdrawn } from '../../src/auction/events.ts'
import type { Leader } from '../../src/auction/state.ts'
import { createAuctionService } from '../../src/service.ts'
import type { EntryQuery } from '../../src/store/store.ts'
import { type LedgerDifference, verifyAuction } from '../../src/use-cases/verify-auction.ts'
import { toCurrency } from '../../src/values/currency.ts'
import { type AuctionId, toAuctionId, toUserId } from '../../src/values/ids.ts'
import { toAmountMinor } from '../../src/values/money.ts'
import { unwrap } from '../../src/values/result.ts'
import { anyTerms } from '../auction/any-history.ts'
import { bid, correct, endMs, lower, owner, type Step, termsWith, withdraw } from '../auction/play.ts'
import { anyRepairedSteps, ledgerOf, storeHolding } from '../support/ledgers.ts'

test('the rules give any history again', async () => {
  await fc.assert(
    fc.asyncProperty(anyTerms, anyRepairedSteps, async (terms, steps) => {
      const ledger = ledgerOf(terms, ...steps)
      const verified = await verifyAuction(await storeHolding(terms, ledger), terms.id)
      expect(verified).toEqual({ ok: true, value: { entries: ledger.length, difference: undefined } })
    }),
    { numRuns: 300 },
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
    const { reason: _, ...command } = lower(reserve)
    return { ...command, recordedBy: 'unknown' }
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
  const ledger = ledgerOf(reserved, lower(500, owner), lower(400))
  const named = ledger.map((entry) => ({ ...entry, event: { ...entry.event, by: 'owner' } as Entry['event'] }))
  const { difference } = unwrap(await verifyAuction(await storeHolding(reserved, named), reserved.id))
  expect(difference).toMatchObject({ sequence: 2, recomputed: { refusal: { code: 'reserve-lowered-before' } } })
})

const terms = termsWith()
const [corrected, first, second, third] = ledgerOf(terms, correct(), bid(2, 100, 150), bid(3, 120), bid(4, 200)) as [
  Entry<Corrected>,
  Entry<BidPlaced>,
  Entry<BidPlaced>,
  Entry<BidPlaced>,
]

type Damage = readonly [what: string, ledger: readonly Entry[], difference: LedgerDifference]

test.each<Damage>([
  [
    'another automatic bid',
    [corrected, first, withEvent(second, { automatic: { bidderId: toUserId(2), amountMinor: toAmountMinor(126) } })],
    {
      sequence: 3,
      recorded: { event: { automatic: { amountMinor: 126 } } },
      recomputed: { event: { automatic: { amountMinor: 125 } } },
    },
  ],
  [
    'a bid that the rules refuse',
    [corrected, first, withEvent(second, { amountMinor: toAmountMinor(104) }), third],
    {
      sequence: 3,
      recorded: { event: withEvent(second, { amountMinor: toAmountMinor(104) }).event },
      recomputed: { refusal: expect.objectContaining({ code: 'bid-too-low' }) },
    },
  ],
  [
    'a state without a member',
    [corrected, { ...first, state: { ...first.state, leader: null } }],
    { sequence: 2, recorded: { state: { leader: null } }, recomputed: { state: { leader: first.state.leader } } },
  ],
  [
    'a member that this version does not give',
    [corrected, { ...first, state: { ...first.state, extendedEndMs: 5 } }],
    { sequence: 2, recorded: { state: { extendedEndMs: 5 } }, recomputed: { state: {} } },
  ],
  [
    'a time before that of the previous entry',
    [corrected, { ...first, atMs: corrected.atMs - 1, state: { ...first.state, atMs: corrected.atMs - 1 } }],
    {
      sequence: 2,
      recorded: { atMs: corrected.atMs - 1, state: { atMs: corrected.atMs - 1 } },
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

function withEvent(entry: Entry<BidPlaced>, members: Partial<BidPlaced>): Entry<BidPlaced> {
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
  const [entry] = ledger.filter(({ event }) => event.type === 'withdrawn') as [Entry<Withdrawn>]
  const leader = { ...entry.state.leader, amountMinor: toAmountMinor(126) } as Leader
  const changed = { ...entry, event: { ...entry.event, leader }, state: { ...entry.state, leader } }
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
