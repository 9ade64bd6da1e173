// Auctions of two seconds with any formats, and any commands around them, in the order of their clocks.

import type { AuctionSample } from '@auction/testing/samples'
import fc from 'fast-check'
import type { Command } from '../../src/auction/commands.ts'
import type { EnglishTerms } from '../../src/auction/formats/english/terms.ts'
import type { Role } from '../../src/auction/life-events.ts'
import { isoOf } from '../../src/values/moment.ts'
import {
  bid,
  buy,
  cancel,
  close,
  correct,
  endAuction,
  extend,
  force,
  lower,
  owner,
  type Step,
  startMs,
  termsWith,
} from './play.ts'

export const anyTerms: fc.Arbitrary<EnglishTerms> = fc
  .record({
    reservePriceMinor: fc.option(fc.integer({ min: 100, max: 300 }), { nil: undefined }),
    isOffered: fc.boolean(),
    cancellableUntilEnd: fc.boolean(),
    increments: fc.constantFrom<AuctionSample>(
      {},
      { incrementSteps: [{ fromPriceMinor: 150, incrementMinor: 10 }] },
      { incrementBasisPoints: 725 },
      { maximumBidIncrementMinor: 100 },
      { bidSteps: [{ fromPriceMinor: 150, amountsMinor: [20, 50, 80, 100] }] },
      { bidSteps: [{ fromPriceMinor: 50, amountsMinor: [10, 25] }], onlySteps: true },
    ),
    softClose: fc.option(
      fc.record({
        windowSeconds: fc.constantFrom(1, 2),
        extensionSeconds: fc.constantFrom(1, 2),
        overtimeMs: fc.integer({ min: 1, max: 4_000 }),
      }),
      { nil: undefined },
    ),
  })
  .map(({ reservePriceMinor, isOffered, cancellableUntilEnd, increments, softClose }) =>
    termsWith({
      ...increments,
      endTime: isoOf(startMs + 2_000),
      ...(reservePriceMinor !== undefined && { reservePriceMinor }),
      ...(isOffered && { buyNowPriceMinor: 500 }),
      ...(cancellableUntilEnd && { cancellableUntilEnd }),
      ...(softClose && {
        softClose: {
          windowSeconds: softClose.windowSeconds,
          extensionSeconds: softClose.extensionSeconds,
          latestEndTime: isoOf(startMs + 2_000 + softClose.overtimeMs),
        },
      }),
    }),
  )

const anyBid = fc
  .record({
    bidderId: fc.integer({ min: owner, max: 4 }),
    amount: fc.integer({ min: 90, max: 520 }),
    maximumAbove: fc.option(fc.integer({ min: -2, max: 100 })),
  })
  .map(({ bidderId, amount, maximumAbove }) =>
    bid(bidderId, amount, maximumAbove === null ? undefined : amount + maximumAbove),
  )

export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 24, arbitrary: anyBid },
  { weight: 2, arbitrary: fc.integer({ min: owner, max: 3 }).map(buy) },
  { weight: 2, arbitrary: fc.constantFrom(cancel(), force) },
  { weight: 4, arbitrary: fc.constantFrom(correct(), correct({ title: null }), correct({ description: 'Worn.' })) },
  { weight: 2, arbitrary: fc.integer({ min: startMs, max: startMs + 9_000 }).map(extend) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 0, max: 300 }), fc.constantFrom<Role>('staff', 'owner'))
      .map(([reserve, by]) => lower(reserve, by)),
  },
  { weight: 1, arbitrary: fc.constant(endAuction) },
  { weight: 4, arbitrary: fc.constant(close) },
)

export const anyClockMs: fc.Arbitrary<number> = fc.integer({ min: startMs - 500, max: startMs + 9_000 })

/** Mostly between start and end. */
export const anySteps: fc.Arbitrary<readonly Step[]> = fc
  .array(
    fc.tuple(
      anyCommand,
      fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: startMs, max: startMs + 2_500 }) },
        { weight: 1, arbitrary: anyClockMs },
      ),
    ),
    { maxLength: 40 },
  )
  .map((steps) => steps.toSorted(([, a], [, b]) => a - b))
