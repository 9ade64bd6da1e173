import type { AuctionSample } from '@auction/testing/samples'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../../../tools/vitest/size.ts'
import type { Command } from '../../../../src/auction/commands.ts'
import { decide } from '../../../../src/auction/decide.ts'
import type { AuctionEvent } from '../../../../src/auction/events.ts'
import type { AutomaticBid } from '../../../../src/auction/formats/english/events.ts'
import { incrementAt, minimumNextBidMinor } from '../../../../src/auction/formats/english/prices.ts'
import type { EnglishState } from '../../../../src/auction/formats/english/state.ts'
import type { EnglishTerms } from '../../../../src/auction/formats/english/terms.ts'
import { evolve, initialState, termsIn } from '../../../../src/auction/state.ts'
import { continued, type WithoutBidder, withoutBidder } from '../../../../src/auction/without-bidder.ts'
import type { Entry } from '../../../../src/store/store.ts'
import { type EntryId, toEntryId, toUserId, type UserId } from '../../../../src/values/ids.ts'
import type { AmountMinor } from '../../../../src/values/money.ts'
import { bid, endMs, extend, lower, startMs, termsWith, withdraw } from '../../play.ts'

type Step =
  /** A bid relative to the minimum next bid, and its maximum relative to the bid. */
  | { readonly bidderId: number; readonly above: number; readonly maximumAbove: number | undefined }
  | { readonly withdrawn: number }
  | { readonly reserve: number }
  | { readonly isExtended: true }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      bidderId: fc.integer({ min: 2, max: 6 }),
      above: fc.oneof(fc.constant(0), fc.integer({ min: -30, max: 60 })),
      maximumAbove: fc.option(fc.integer({ min: 0, max: 150 }), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ withdrawn: fc.integer({ min: 2, max: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ reserve: fc.integer({ min: 0, max: 700 }) }) },
  { weight: 1, arbitrary: fc.constant({ isExtended: true } as const) },
)

const anyTerms = fc
  .record({
    reservePriceMinor: fc.option(fc.integer({ min: 100, max: 700 }), { nil: undefined }),
    buyNowPriceMinor: fc.option(fc.integer({ min: 700, max: 900 }), { nil: undefined }),
    increments: fc.constantFrom<AuctionSample>(
      {},
      {
        incrementSteps: [
          { fromPriceMinor: 150, incrementMinor: 10 },
          { fromPriceMinor: 260, incrementMinor: 40 },
        ],
      },
      { incrementBasisPoints: 1725 },
      { maximumBidIncrementMinor: 40 },
    ),
  })
  .map(({ reservePriceMinor, buyNowPriceMinor, increments }) =>
    termsWith({
      ...increments,
      ...(reservePriceMinor !== undefined && { reservePriceMinor }),
      ...(buyNowPriceMinor !== undefined && { buyNowPriceMinor }),
    }),
  )

const commandOf = (terms: EnglishTerms, state: EnglishState, step: Step, ledger: readonly Entry[]): Command => {
  if ('withdrawn' in step)
    return { ...withdraw(step.withdrawn), without: standingWithout(terms, ledger, toUserId(step.withdrawn)) }
  if ('reserve' in step) return lower(step.reserve)
  if ('isExtended' in step) return extend(endMs + 1_000 * ledger.length)
  const amount = Math.max(1, (minimumNextBidMinor(termsIn(terms, state), state) ?? 0) + step.above)
  return bid(step.bidderId, amount, step.maximumAbove === undefined ? undefined : amount + step.maximumAbove)
}

/** The entries of the steps that are accepted. Like in a lane, an automatic bid takes an id as well. */
function ledgerOf(terms: EnglishTerms, steps: readonly Step[]): readonly Entry[] {
  const ledger: Entry[] = []
  let nextId = 1
  for (const step of steps) {
    const state = ledger.at(-1)?.state ?? initialState
    // The cast: the auction is English.
    const decision = decide(terms, state, commandOf(terms, state as EnglishState, step, ledger), startMs)
    if (!decision.ok) continue
    ledger.push(entryAfter(terms, ledger, toEntryId(nextId), decision.value))
    nextId += 'automatic' in decision.value ? 2 : 1
  }
  return ledger
}

function entryAfter(terms: EnglishTerms, ledger: readonly Entry[], id: EntryId, event: AuctionEvent): Entry {
  const recorded = { id, sequence: ledger.length + 1, atMs: startMs, event }
  const state = evolve(ledger.at(-1)?.state ?? initialState, recorded)
  return { ...recorded, auctionId: terms.id, currency: terms.currency, state }
}

const without = (terms: EnglishTerms, ledger: readonly Entry[], bidderId: UserId): WithoutBidder =>
  continued(withoutBidder(terms, bidderId, ledger.at(-1)?.state ?? initialState), ledger)

function standingWithout(terms: EnglishTerms, ledger: readonly Entry[], bidderId: UserId) {
  const { hasBids, standing } = without(terms, ledger, bidderId)
  return hasBids ? standing : undefined
}

type Hand = { readonly bidderId: UserId; readonly price: number; readonly ceiling: number }
type Hall = { readonly leader: Hand | undefined; readonly bidCount: number; readonly refused: readonly number[] }

/** The same, told plainly: each request of the others, one after another, in a hall that the bidder never entered. */
function hallWithout(terms: EnglishTerms, ledger: readonly Entry[], bidderId: UserId): Hall {
  let { reservePriceMinor: reserve = 0 as AmountMinor } = terms
  let leader: Hand | undefined
  let bidCount = 0
  const refused: number[] = []
  const stepAt = (price: number) => incrementAt(terms, price as AmountMinor)
  const lift = (hand: Hand) => (hand.price < reserve && reserve <= hand.ceiling ? { ...hand, price: reserve } : hand)
  for (const { event, sequence } of ledger) {
    if (event.type === 'reserve-lowered') {
      reserve = event.reservePriceMinor
      const lifted: Hand | undefined = leader && lift(leader)
      if (lifted !== undefined && lifted !== leader) bidCount += 1
      leader = lifted
    }
    if (event.type !== 'bid-placed' && event.type !== 'maximum-raised') continue
    if (event.bidderId === bidderId || isWithdrawnLater(ledger, event.bidderId, sequence)) continue
    const { amountMinor: amount, maximumMinor } = event
    if (event.type === 'maximum-raised') {
      if (leader?.bidderId !== event.bidderId || event.maximumMinor <= leader.ceiling) refused.push(sequence)
      const lifted: Hand = lift({ bidderId: event.bidderId, price: leader?.price ?? 0, ceiling: event.maximumMinor })
      if (lifted.price !== leader?.price) bidCount += 1
      leader = lifted
      continue
    }
    if (amount < (leader === undefined ? terms.startingPriceMinor : leader.price + stepAt(leader.price)))
      refused.push(sequence)
    bidCount += 1
    const before: number = leader?.bidderId === event.bidderId ? leader.ceiling : 0
    const ceiling = maximumMinor ?? Math.max(amount, before)
    if (maximumMinor !== undefined && maximumMinor < before) refused.push(sequence)
    if (leader !== undefined && leader.bidderId !== event.bidderId && ceiling <= leader.ceiling) {
      leader = { ...leader, price: Math.min(ceiling + stepAt(ceiling), leader.ceiling) }
      bidCount += 1
      continue
    }
    const beaten: number =
      leader === undefined || leader.bidderId === event.bidderId
        ? amount
        : Math.min(leader.ceiling + stepAt(leader.ceiling), ceiling)
    leader = lift({ bidderId: event.bidderId, price: Math.max(amount, beaten), ceiling })
    if (leader.price > amount) bidCount += 1
  }
  return { leader, bidCount, refused }
}

const isWithdrawnLater = (ledger: readonly Entry[], bidderId: UserId, sequence: number): boolean =>
  ledger.some(({ event, sequence: at }) => event.type === 'withdrawn' && event.bidderId === bidderId && at > sequence)

/** The bids that a ledger records, by their ids. */
const bidsOf = (ledger: readonly Entry[]): ReadonlyMap<number, AutomaticBid> =>
  new Map(
    ledger.flatMap(({ id, event }) => {
      const automatic = 'automatic' in event ? event.automatic : undefined
      const own = event.type === 'bid-placed' ? [[id, event] as const] : []
      return automatic === undefined ? own : [...own, [id + 1, automatic] as const]
    }),
  )

const anyLedger = fc
  .record({ terms: anyTerms, steps: fc.array(anyStep, { minLength: 1, maxLength: 40 }) })
  .map(({ terms, steps }) => ({ terms, ledger: ledgerOf(terms, steps) }))

const bidders = [2, 3, 4, 5, 6].map((id) => toUserId(id))
const numRuns = isLong ? 3_000 : 300

describe('an auction without a bidder', () => {
  test('is what the requests of the others make it, none of which is refused', () => {
    let compared = 0
    fc.assert(
      fc.property(anyLedger, ({ terms, ledger }) => {
        for (const bidderId of bidders) {
          const { standing, hasBids, isOutdated } = without(terms, ledger, bidderId)
          const { leader, bidCount } = standing
          const hall = hallWithout(terms, ledger, bidderId)
          expect(hall.refused).toStrictEqual([])
          expect([
            leader?.bidderId,
            leader?.amountMinor,
            leader?.maximumMinor ?? leader?.amountMinor,
            bidCount,
          ]).toEqual([hall.leader?.bidderId, hall.leader?.price, hall.leader?.ceiling, hall.bidCount])
          expect(isOutdated).toBe(false)
          const { state } = ledger.at(-1) ?? { state: initialState }
          // The price never rises, and the leader changes only if the bidder led.
          expect(leader?.amountMinor ?? 0).toBeLessThanOrEqual(state.leader?.amountMinor ?? 0)
          if (state.leader?.bidderId !== bidderId) expect(leader?.bidderId).toBe(state.leader?.bidderId)
          const leading = leader == null ? undefined : bidsOf(ledger).get(leader.bidId)
          expect(leading?.bidderId).toBe(leader?.bidderId)
          // Only a bid at a lowered reserve may not be recorded: then the leading bid is below the price.
          const isLowered = ledger.some(({ event }) => event.type === 'reserve-lowered')
          if (!isLowered) expect(leading?.amountMinor ?? 0).toBeGreaterThanOrEqual(leader?.amountMinor ?? 0)
          const counts = ({ event, sequence }: Entry) =>
            (event.type === 'bid-placed' || event.type === 'maximum-raised') &&
            event.bidderId === bidderId &&
            !isWithdrawnLater(ledger, bidderId, sequence)
          expect(hasBids).toBe(ledger.some(counts))
          if (hasBids) compared += 1
          // Without bids to withdraw, it is the auction as it is recorded.
          else expect({ leader, bidCount }).toStrictEqual({ leader: state.leader, bidCount: state.bidCount })
        }
      }),
      { numRuns },
    )
    expect(compared).toBeGreaterThan(numRuns)
  })

  test('is the same in parts, and outdated by another withdrawal between them', () => {
    fc.assert(
      fc.property(anyLedger, fc.nat(), fc.constantFrom(...bidders), ({ terms, ledger }, at, bidderId) => {
        const first = ledger.slice(0, at % (ledger.length + 1))
        const rest = ledger.slice(first.length)
        const inParts = continued(without(terms, first, bidderId), rest)
        // A user who was blocked before the first bid has no bids to leave out.
        const isOutdated = rest.some(
          ({ event, state: { repairs } }) =>
            event.type === 'withdrawn' &&
            event.bidderId !== bidderId &&
            repairs?.withdrawn?.at(-1)?.throughSequence !== 0,
        )
        expect(inParts.isOutdated).toBe(isOutdated)
        if (isOutdated) return
        const { standing, hasBids, sequence } = without(terms, ledger, bidderId)
        expect(inParts).toMatchObject({ standing, hasBids, sequence })
      }),
      { numRuns },
    )
  })
})
