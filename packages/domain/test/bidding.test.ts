import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { type Auction, termsOf } from '../src/auction.ts'
import { currentPriceMinor, decide, minimumNextBidMinor } from '../src/bidding.ts'
import { UserId } from '../src/ids.ts'
import { AMOUNT_LIMIT_MINOR, StoredAmountMinor } from '../src/money.ts'
import { sampleAuction, sampleBid } from '../src/testing/samples.ts'

const auction = sampleAuction({ ownerId: 1, startingPriceMinor: 100_00, minimumBidIncrementMinor: 5_00 })
const startMs = auction.startTime.epochMs
const endMs = auction.endTime.epochMs

const offer = (bidderId: number, amountMinor: number) => ({
  bidderId: v.parse(UserId, bidderId),
  amountMinor: v.parse(StoredAmountMinor, amountMinor),
})

/** The third bid, by user 2 at 150.00. */
const head = sampleBid({ sequence: 3, bidderId: 2, amountMinor: 150_00, timestampMs: startMs + 1_000 })

const outcomeOf = (...args: Parameters<typeof decide>): string => {
  const decision = decide(...args)
  return decision.outcome === 'accepted' ? 'accepted' : decision.refusal.code
}

test('the terms of an auction are what decisions need, and none of its texts but the times', () => {
  const terms = termsOf(sampleAuction({ title: 'A vase', description: 'It is old.' }))
  const { title, description, productId, createdAtMs, ...needed } = sampleAuction({ title: '', description: '' })
  expect(terms).toStrictEqual(needed)
})

describe('the price', () => {
  test.each([
    ['starts where the owner set it', auction, undefined, 100_00, 100_00],
    ['is the highest bid, and rises by the increment', auction, head, 150_00, 155_00],
    ['of nothing asks for one minor unit', sampleAuction({ startingPriceMinor: 0 }), undefined, 0, 1],
    ['of one minor unit asks for that', sampleAuction({ startingPriceMinor: 1 }), undefined, 1, 1],
  ])('%s', (_, of, last, current, next) => {
    expect(currentPriceMinor(of, last)).toBe(current)
    expect(minimumNextBidMinor(of, last)).toBe(next)
  })

  test.each([
    [1, 1e15 - 2, 1e15 - 1],
    [1, 1e15 - 1, undefined],
    [2, 1e15 - 2, undefined],
    [1e15 - 1, 1, undefined],
    [1e15 - 1, 1e15 - 1, undefined],
  ])('asks for %i above %i at the most what a bid can offer: %s', (minimumBidIncrementMinor, amountMinor, least) => {
    const dear = sampleAuction({ minimumBidIncrementMinor })
    const last = sampleBid({ amountMinor })
    expect(minimumNextBidMinor(dear, last)).toBe(least)
    const greatest = decide(dear, last, offer(3, 1e15 - 1), startMs + 1)
    expect(greatest).toMatchObject(
      least === undefined
        ? { refusal: { code: 'bid-too-low', currentPriceMinor: amountMinor, minimumNextBidMinor: undefined } }
        : { outcome: 'accepted' },
    )
  })
})

describe('an offer', () => {
  test.each([
    ['the first at exactly the starting price', undefined, offer(2, 100_00), startMs, 'accepted'],
    ['the first below the starting price', undefined, offer(2, 99_99), startMs, 'bid-too-low'],
    ['far above the price', undefined, offer(2, 1e15 - 1), startMs, 'accepted'],
    ['at exactly the increment above the head', head, offer(3, 155_00), startMs + 2_000, 'accepted'],
    ['a minor unit below the increment', head, offer(3, 154_99), startMs + 2_000, 'bid-too-low'],
    ['equal to the head, which was first', head, offer(3, 150_00), startMs + 2_000, 'bid-too-low'],
    ['of the leader, who raises its own bid', head, offer(2, 155_00), startMs + 2_000, 'accepted'],
    ['of the owner', head, offer(1, 200_00), startMs + 2_000, 'owner-cannot-bid'],
    ['a millisecond before the start', undefined, offer(2, 100_00), startMs - 1, 'auction-not-started'],
    ['at the start', undefined, offer(2, 100_00), startMs, 'accepted'],
    ['a millisecond before the end', head, offer(3, 155_00), endMs - 1, 'accepted'],
    ['at the end', head, offer(3, 155_00), endMs, 'auction-ended'],
    ['long after the end', head, offer(3, 155_00), endMs + 1e9, 'auction-ended'],
    ['by a clock behind the head', head, offer(3, 155_00), startMs + 1, 'accepted'],
    ['by a clock before the start, behind the head', head, offer(3, 155_00), startMs - 1e9, 'accepted'],
  ])('%s', (_, last, offered, nowMs, outcome) => {
    expect(outcomeOf(auction, last, offered, nowMs)).toBe(outcome)
  })

  test.each([
    ['before the start: the owner, too low', undefined, offer(1, 1), startMs - 1, 'auction-not-started'],
    ['after the end: the owner, too low', head, offer(1, 1), endMs, 'auction-ended'],
    ['in time: the owner, too low', head, offer(1, 1), startMs + 2_000, 'owner-cannot-bid'],
    ['in time: somebody else, too low', head, offer(2, 1), startMs + 2_000, 'bid-too-low'],
  ])('is refused for one reason, in the order of the rules: %s', (_, last, offered, nowMs, code) => {
    expect(outcomeOf(auction, last, offered, nowMs)).toBe(code)
  })

  test('that is accepted takes the next sequence, and a time that does not go back', () => {
    const first = decide(auction, undefined, offer(2, 100_00), startMs + 5)
    expect(first).toMatchObject({ outcome: 'accepted', sequence: 1, timestampMs: startMs + 5 })
    const later = decide(auction, head, offer(3, 155_00), startMs + 2_000)
    expect(later).toMatchObject({ outcome: 'accepted', sequence: 4, timestampMs: startMs + 2_000 })
    const behind = decide(auction, head, offer(3, 155_00), startMs)
    expect(behind).toMatchObject({ outcome: 'accepted', sequence: 4, timestampMs: head.timestampMs })
  })

  test('that is refused learns what it needs to do better', () => {
    const refusalOf = (...args: Parameters<typeof decide>) => {
      const decision = decide(...args)
      return decision.outcome === 'refused' ? decision.refusal : undefined
    }
    expect(refusalOf(auction, head, offer(3, 1), startMs + 2_000)).toEqual({
      code: 'bid-too-low',
      currentPriceMinor: 150_00,
      minimumNextBidMinor: 155_00,
      currency: { code: 'USD', exponent: 2 },
    })
    expect(refusalOf(auction, undefined, offer(3, 1), 0)).toEqual({
      code: 'auction-not-started',
      startTime: auction.startTime,
    })
    expect(refusalOf(auction, head, offer(3, 1), endMs)).toEqual({ code: 'auction-ended', endTime: auction.endTime })
    expect(refusalOf(auction, head, offer(1, 1), startMs)).toEqual({ code: 'owner-cannot-bid' })
  })
})

describe('any history of offers', () => {
  const mostMinor = AMOUNT_LIMIT_MINOR - 1
  const inBounds = (amountMinor: number) => Math.min(mostMinor, Math.max(1, amountMinor))
  const anyAuction = fc
    .record({
      // At both ends of what there is.
      startingPriceMinor: fc.oneof(
        fc.constant(0),
        fc.nat(1_000),
        fc.nat(1_000).map((below) => mostMinor - below),
      ),
      minimumBidIncrementMinor: fc.integer({ min: 1, max: 100 }),
      lengthMs: fc.integer({ min: 1, max: 1_000 }),
    })
    .map(({ lengthMs, ...prices }) => sampleAuction({ ...prices, endTime: new Date(startMs + lengthMs).toISOString() }))
  const anyOffers = fc.array(
    fc.record({
      bidderId: fc.integer({ min: 1, max: 4 }),
      // Around the price, so that some are accepted and some are not.
      aboveNext: fc.integer({ min: -60, max: 60 }),
      // Clocks jump back and forth, and past both ends of the auction.
      clockMs: fc.integer({ min: -100, max: 1_100 }),
    }),
    { maxLength: 60 },
  )

  type Step = { readonly bidderId: number; readonly aboveNext: number; readonly clockMs: number }

  /** The bids that were accepted one after another, and the offers that were too low beside the head they met. */
  function play(of: Auction, steps: readonly Step[]) {
    const ledger: ReturnType<typeof sampleBid>[] = []
    const tooLow: { readonly amountMinor: number; readonly headAmountMinor: number | undefined }[] = []
    for (const { bidderId, aboveNext, clockMs } of steps) {
      const last = ledger.at(-1)
      const offered = offer(bidderId, inBounds((minimumNextBidMinor(of, last) ?? mostMinor) + aboveNext))
      const decision = decide(of, last, offered, of.startTime.epochMs + clockMs)
      if (decision.outcome === 'accepted') {
        const { sequence, timestampMs } = decision
        ledger.push(sampleBid({ id: sequence, sequence, timestampMs, ...offered }))
      } else if (decision.refusal.code === 'bid-too-low') {
        tooLow.push({ amountMinor: offered.amountMinor, headAmountMinor: last?.amountMinor })
      }
    }
    return { ledger, tooLow }
  }

  test('makes a ledger without gaps, whose amounts rise by the increment at least', () => {
    fc.assert(
      fc.property(anyAuction, anyOffers, (of, steps) => {
        const { ledger } = play(of, steps)
        for (const [index, bid] of ledger.entries()) {
          const least =
            index === 0
              ? Math.max(1, of.startingPriceMinor)
              : (ledger[index - 1]?.amountMinor ?? Number.NaN) + of.minimumBidIncrementMinor
          expect(bid.sequence).toBe(index + 1)
          expect(bid.amountMinor).toBeGreaterThanOrEqual(least)
          expect(bid.bidderId).not.toBe(of.ownerId)
        }
      }),
    )
  })

  test('makes a ledger whose times never go back and lie within the auction', () => {
    fc.assert(
      fc.property(anyAuction, anyOffers, (of, steps) => {
        let latestMs = of.startTime.epochMs
        for (const { timestampMs } of play(of, steps).ledger) {
          expect(timestampMs).toBeGreaterThanOrEqual(latestMs)
          expect(timestampMs).toBeLessThan(of.endTime.epochMs)
          latestMs = timestampMs
        }
      }),
    )
  })

  test('calls an offer too low only when it was', () => {
    fc.assert(
      fc.property(anyAuction, anyOffers, (of, steps) => {
        for (const { amountMinor, headAmountMinor } of play(of, steps).tooLow) {
          const least =
            headAmountMinor === undefined
              ? Math.max(1, of.startingPriceMinor)
              : headAmountMinor + of.minimumBidIncrementMinor
          expect(amountMinor).toBeLessThan(least)
        }
      }),
    )
  })

  test('ends at the greatest amount there is: the least next bid can be offered, or there is none', () => {
    fc.assert(
      fc.property(anyAuction, anyOffers, (of, steps) => {
        const last = play(of, steps).ledger.at(-1)
        const next = minimumNextBidMinor(of, last)
        const timeMs = of.startTime.epochMs
        if (next !== undefined) expect(outcomeOf(of, last, offer(9, next), timeMs)).toBe('accepted')
        else expect(outcomeOf(of, last, offer(9, mostMinor), timeMs)).toBe('bid-too-low')
      }),
    )
  })

  test('has histories in which bids are accepted, and some in which they are too low', () => {
    const steps = [60, -1, 0, 5].map((aboveNext, index) => ({ bidderId: 2, aboveNext, clockMs: index }))
    const { ledger, tooLow } = play(auction, steps)
    expect([ledger.length, tooLow.length]).toEqual([3, 1])
  })
})
