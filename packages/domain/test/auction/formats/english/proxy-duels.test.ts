import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../../../tools/vitest/size.ts'
import type { Terms } from '../../../../src/auction/auction.ts'
import { isReserveMet } from '../../../../src/auction/formats/english/prices.ts'
import { AMOUNT_LIMIT_MINOR } from '../../../../src/values/money.ts'
import { bid, type Played, play, termsWith } from '../../play.ts'
import {
  call,
  emptyHall,
  type Hall,
  incrementFrom,
  leastBid,
  type Rows,
  type Rules,
  rungsBelow,
} from './auction-hall.ts'

const limit = AMOUNT_LIMIT_MINOR

/** A bid relative to the minimum next bid: some are too low, some tie, and some are far above. */
type Wish = {
  readonly bidderId: number
  readonly aboveLeast: number
  /** Relative to the amount; undefined if the bidder names no maximum. */
  readonly maximumAbove: number | undefined
}

type Duel = { readonly rules: Rules & { readonly rows?: Rows }; readonly wishes: readonly Wish[] }

type Turn = { readonly played: Played; readonly hall: Hall; readonly outcome: string; readonly amount: number }

const termsOf = ({ startingPrice, increment, steps, reserve, rows, onlyRungs }: Duel['rules']): Terms =>
  termsWith({
    ownerId: 1_000_000,
    startingPriceMinor: startingPrice,
    minimumBidIncrementMinor: increment,
    ...(steps.length > 0 && {
      incrementSteps: steps.map((step) => ({ fromPriceMinor: step.from, incrementMinor: step.increment })),
    }),
    ...(rows && { bidSteps: rows.map(([fromPriceMinor, ...amountsMinor]) => ({ fromPriceMinor, amountsMinor })) }),
    ...(onlyRungs === true && { onlySteps: true }),
    ...(reserve !== undefined && { reservePriceMinor: reserve }),
  })

/** Plays the same bids by the rules and in the hall. The hall’s minimum next bid determines the amounts. */
function duel({ rules, wishes }: Duel): readonly Turn[] {
  let hall = emptyHall
  const bids = wishes.map(({ bidderId, aboveLeast, maximumAbove }) => {
    const amount = Math.min(limit - 1, Math.max(1, leastBid(rules, hall) + aboveLeast))
    const maximum = maximumAbove === undefined ? undefined : Math.min(limit - 1, amount + maximumAbove)
    const called = call(rules, hall, bidderId, amount, maximum)
    hall = called.hall
    return { ...called, amount, command: bid(bidderId, amount, maximum) }
  })
  const played = play(termsOf(rules), ...bids.map(({ command }) => command))
  return bids.map(({ hall, outcome, amount }, index) => ({
    played: played[index] as Played, // One per command.
    hall,
    outcome,
    amount,
  }))
}

const outcomeOf = (played: Played): string => {
  if (played.ok) return played.event.type === 'bid-placed' ? 'bid' : 'raised-maximum'
  return played.refusal.code === 'bid-too-low' ? 'too-low' : played.refusal.code
}

const ceilingOf = (hall: Hall, bidderId: number | undefined): number =>
  hall.hands.find(({ bidder }) => bidder === bidderId)?.ceiling ?? 0

function expectTheSame(duelled: Duel) {
  const terms = termsOf(duelled.rules)
  for (const { played, hall, outcome } of duel(duelled)) {
    const { leader } = played.state
    expect({
      outcome: outcomeOf(played),
      leader: leader?.bidderId,
      price: leader?.amountMinor ?? 0,
      upTo: leader === null ? 0 : (leader.maximumMinor ?? leader.amountMinor),
      isReserveMet: isReserveMet(terms, played.state),
    }).toStrictEqual({
      outcome,
      leader: hall.leader,
      price: hall.price,
      upTo: ceilingOf(hall, hall.leader),
      isReserveMet: hall.leader !== undefined && hall.price >= (duelled.rules.reserve ?? 0),
    })
  }
}

/** The auctioneer counts one by one: at most a few hundred steps. */
const anyWish = (bidders: number): fc.Arbitrary<Wish> =>
  fc.record({
    bidderId: fc.integer({ min: 2, max: bidders + 1 }),
    aboveLeast: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: fc.integer({ min: -30, max: 0 }) },
      { weight: 3, arbitrary: fc.nat(40) },
    ),
    maximumAbove: fc.oneof(
      { weight: 2, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.nat(60) },
      { weight: 2, arbitrary: fc.nat(600) },
    ),
  })

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

const anyRules: fc.Arbitrary<Rules> = fc
  .record({
    // Near both limits of amounts.
    startingPrice: fc.oneof(
      fc.constant(0),
      fc.nat(300),
      fc.nat(1_500).map((below) => limit - 1 - below),
    ),
    increment: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 50 })),
    rises: fc.array(fc.record({ after: fc.integer({ min: 1, max: 100 }), by: fc.nat(20) }), { maxLength: 4 }),
    reserveAbove: fc.option(fc.nat(700)),
  })
  .map(({ startingPrice, increment, rises, reserveAbove }) => ({
    startingPrice,
    increment,
    steps: rises.map((_, index) => ({
      from: Math.min(limit - 1, startingPrice + sum(rises.slice(0, index + 1).map(({ after }) => after))),
      increment: increment + sum(rises.slice(0, index + 1).map(({ by }) => by)),
    })),
    limit,
    ...(reserveAbove !== null && { reserve: Math.min(limit - 1, startingPrice + reserveAbove) }),
  }))

const anyDuel: fc.Arbitrary<Duel> = fc.record({
  rules: anyRules,
  wishes: fc.oneof(
    fc.array(anyWish(2), { maxLength: 12 }),
    fc.array(anyWish(5), { maxLength: 40 }),
    fc.array(anyWish(100_000), { maxLength: 40 }),
  ),
})

/** Ladders whose rows are cut by the next one, below and above the starting price. */
const anyLadder: fc.Arbitrary<Duel['rules']> = fc
  .record({
    rows: fc.array(
      fc.tuple(fc.nat(300), fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 })),
      { minLength: 1, maxLength: 4 },
    ),
    start: fc.nat(400),
    increment: fc.integer({ min: 1, max: 50 }),
    reserveAbove: fc.option(fc.nat(700)),
    onlyRungs: fc.boolean(),
  })
  .map(({ rows, start, increment, reserveAbove, onlyRungs }) => {
    const ascending = [...new Map(rows).entries()].toSorted(([a], [b]) => a - b)
    const ladder = ascending.map(([from, amounts]) => [from, ...amounts.toSorted((a, b) => a - b)] as const)
    const rungs = rungsBelow(9_000, ladder)
    const startingPrice = onlyRungs ? (rungs.findLast((rung) => rung <= start) ?? start) : start
    const reserve = reserveAbove === null ? {} : { reserve: startingPrice + reserveAbove }
    return { rows: ladder, rungs, onlyRungs, startingPrice, increment, steps: [], limit, ...reserve }
  })

describe('proxy bids have the same result as bidders who call prices one by one', () => {
  test('with the ladder of a house', () => {
    const duels = fc.record({ rules: anyLadder, wishes: fc.array(anyWish(4), { maxLength: 12 }) })
    fc.assert(fc.property(duels, expectTheSame), { numRuns: isLong ? 100_000 : 500 })
  })

  test('with a few bidders', () => {
    fc.assert(fc.property(anyDuel, expectTheSame), { numRuns: isLong ? 2_000 : 400 })
  })

  test('with thousands of bidders in one auction', () => {
    const crowd = fc.record({
      rules: anyRules,
      wishes: fc.array(anyWish(100_000), { minLength: 2_000, maxLength: 3_000, size: 'max' }),
    })
    fc.assert(fc.property(crowd, expectTheSame), { numRuns: isLong ? 5 : 1 })
  })
})

test('no bidder pays more than necessary: the other maximums plus the increment, the reserve, or its own bid', () => {
  fc.assert(
    fc.property(anyDuel, (duelled) => {
      const bidBy = new Map<number, number>()
      const { reserve = 0 } = duelled.rules
      for (const { played, hall, outcome, amount } of duel(duelled)) {
        const { command, state } = played
        if (outcome === 'bid' && command.type === 'place-bid') bidBy.set(command.bidderId, amount)
        if (state.leader === null) continue
        const { bidderId, amountMinor } = state.leader
        const others = hall.hands.filter(({ bidder }) => bidder !== bidderId).map(({ ceiling }) => ceiling)
        const most = Math.max(0, ...others)
        const takes = others.length === 0 ? 0 : most + incrementFrom(duelled.rules, most)
        expect(amountMinor).toBeLessThanOrEqual(Math.max(takes, reserve, bidBy.get(bidderId) ?? 0))
      }
    }),
    { numRuns: isLong ? 1_000 : 200 },
  )
})

test('every kind of result occurs: bids, raised maximums, refusals, leaders who stay or are outbid, ties, and reserves met', () => {
  const seen = new Set<string>()
  for (const duelled of fc.sample(anyDuel, { numRuns: 500, seed: 12 })) {
    for (const { played, outcome } of duel(duelled)) {
      seen.add(outcome)
      if (!played.ok || !('automatic' in played.event) || played.event.automatic === undefined) continue
      const { automatic } = played.event
      const { event } = played
      if (event.type !== 'bid-placed') seen.add('reserve met by a raise')
      else if (automatic.bidderId !== event.bidderId) {
        seen.add(automatic.amountMinor === event.amountMinor ? 'tie' : 'leader stays')
      } else seen.add(automatic.amountMinor === duelled.rules.reserve ? 'reserve met immediately' : 'leader outbid')
    }
  }
  expect([...seen].toSorted()).toEqual([
    'bid',
    'leader outbid',
    'leader stays',
    'maximum-not-raised',
    'raised-maximum',
    'reserve met by a raise',
    'reserve met immediately',
    'tie',
    'too-low',
  ])
})
