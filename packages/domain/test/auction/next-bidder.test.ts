import type { AuctionSample } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { createStakes } from '../../src/auction/formats/english/stakes.ts'
import type { Stakes } from '../../src/auction/formats/format.ts'
import { createStakes as createSealedStakes } from '../../src/auction/formats/sealed/stakes.ts'
import { nextBidder } from '../../src/auction/next-bidder.ts'
import { toEntryId, toUserId } from '../../src/values/ids.ts'
import { eventOf, type Request, type SealedSample, sealedTerms } from './formats/sealed/play.ts'
import { bid, lower, play, type Step, termsWith, withdraw } from './play.ts'

type Row = {
  readonly title: string
  readonly excluded: readonly number[]
  /** The bidder and the price in yen; undefined if none is left, and a price of null if the reserve is too high. */
  readonly next: readonly [bidderId: number, price: number | null] | undefined
}

type EnglishRow = Row & { readonly terms?: AuctionSample; readonly steps: readonly Step[] }

// Bidder 9 wins. By default, the auction is from 100 yen in increments of 5.
const shilled = [bid(4, 100, 150), bid(2, 105, 300), bid(3, 160, 290), bid(9, 300, 400)]
const ladder: AuctionSample = {
  bidSteps: [{ fromPriceMinor: 100, amountsMinor: [20, 50, 100] }],
  onlySteps: true,
}
const plain = [bid(4, 120), bid(2, 150), bid(9, 400)]

describe('the next bidder of an auction, and the price', () => {
  test.each<EnglishRow>([
    { title: 'a shill who drove the price up and is excluded', steps: shilled, excluded: [9, 3], next: [2, 155] },
    { title: 'the same shill, who is not excluded', steps: shilled, excluded: [9], next: [2, 295] },
    { title: 'several excluded bidders', steps: shilled, excluded: [9, 3, 2], next: [4, 100] },
    { title: 'no bidder left', steps: shilled, excluded: [9, 3, 2, 4], next: undefined },
    { title: 'no bids', steps: [], excluded: [], next: undefined },
    { title: 'no excluded bidder', steps: shilled, excluded: [], next: [9, 305] },
    { title: 'one remaining bidder', steps: [bid(2, 120), bid(9, 200)], excluded: [9], next: [2, 100] },
    {
      title: 'a starting price of 0',
      terms: { startingPriceMinor: 0 },
      steps: [bid(2, 9)],
      excluded: [],
      next: [2, 1],
    },
    { title: 'plain bids', steps: plain, excluded: [9], next: [2, 125] },
    {
      title: 'plain bids and maximums mixed',
      steps: [bid(2, 100, 180), bid(4, 110), bid(4, 150), bid(9, 200)],
      excluded: [9],
      next: [2, 155],
    },
    {
      title: 'a price that is capped at the own highest bid',
      steps: [bid(4, 100, 102), bid(2, 105), bid(9, 200)],
      excluded: [9],
      next: [2, 105],
    },
    {
      title: 'equal maximums, of which the earlier one leads',
      steps: [bid(4, 100, 200), bid(2, 105, 200), bid(9, 205)],
      excluded: [9],
      next: [4, 200],
    },
    {
      title: 'a raised maximum, which is later than an equal one',
      steps: [bid(4, 100, 150), bid(2, 105, 200), bid(4, 160, 210), bid(4, 160, 220), bid(2, 215, 220), bid(9, 225)],
      excluded: [9],
      next: [4, 220],
    },
    {
      title: 'a raised maximum',
      steps: [bid(2, 100, 150), bid(2, 100, 250), bid(4, 105, 200), bid(9, 260)],
      excluded: [9],
      next: [2, 205],
    },
    {
      title: 'a withdrawn bidder',
      steps: [bid(4, 100, 150), bid(2, 105, 300), bid(3, 160, 290), withdraw(2), bid(9, 400)],
      excluded: [9],
      next: [3, 155],
    },
    {
      title: 'a withdrawn bidder who has bid again',
      steps: [bid(4, 100, 150), bid(2, 105, 300), withdraw(2), bid(2, 120), bid(9, 400)],
      excluded: [9],
      next: [4, 125],
    },
    { title: 'a reserve', terms: { reservePriceMinor: 140 }, steps: plain, excluded: [9], next: [2, 140] },
    {
      title: 'a reserve above the bids',
      terms: { reservePriceMinor: 151 },
      steps: plain,
      excluded: [9],
      next: [2, null],
    },
    {
      title: 'a reserve that was lowered',
      terms: { reservePriceMinor: 390 },
      steps: [...plain, lower(130)],
      excluded: [9],
      next: [2, 130],
    },
    {
      title: 'increments that grow with the price',
      terms: { incrementSteps: [{ fromPriceMinor: 110, incrementMinor: 20 }] },
      steps: plain,
      excluded: [9],
      next: [2, 140],
    },
    {
      title: 'an increment in percent',
      terms: { incrementBasisPoints: 1_050 },
      steps: plain,
      excluded: [9],
      next: [2, 133],
    },
    {
      title: 'a ladder',
      terms: ladder,
      steps: [bid(4, 100), bid(2, 150, 260), bid(9, 400)],
      excluded: [9],
      next: [2, 120],
    },
    {
      title: 'a maximum that counts as the step below',
      terms: ladder,
      steps: [bid(4, 100, 210), bid(2, 150, 218), bid(9, 400)],
      excluded: [9],
      next: [4, 200],
    },
    {
      title: 'a reserve between two steps',
      terms: { ...ladder, reservePriceMinor: 130 },
      steps: [bid(2, 150, 260), bid(9, 400)],
      excluded: [9],
      next: [2, 150],
    },
  ])('$title', ({ terms: sample, steps, excluded, next }) => {
    const terms = termsWith(sample)
    const stakes = createStakes(terms)
    const played = play(terms, ...steps)
    const last = played.at(-1)?.state
    for (const [index, { event }] of played.map((one) => one as Extract<typeof one, { ok: true }>).entries())
      stakes.add({ sequence: index + 1, event: event as Parameters<typeof stakes.add>[0]['event'] })
    expect(played.every(({ ok }) => ok)).toBe(true)
    const reserved = last?.repairs?.reservePriceMinor
    expectNext(reserved === undefined ? terms : { ...terms, reservePriceMinor: reserved }, stakes, { excluded, next })
  })

  test.each<Row & { readonly terms?: SealedSample; readonly requests: readonly Request[] }>([
    {
      title: 'the other bid',
      requests: [
        [2, 300],
        [3, 200],
        [9, 400],
      ],
      excluded: [9],
      next: [2, 200],
    },
    {
      title: 'the other bid, without an increment',
      terms: { minimumBidIncrementMinor: 7 },
      requests: [
        [2, 300],
        [3, 200],
        [9, 400],
      ],
      excluded: [9],
      next: [2, 200],
    },
    {
      title: 'the last bid of each bidder, which is lower than an earlier one',
      requests: [
        [2, 300],
        [3, 200],
        [2, 150],
      ],
      excluded: [],
      next: [3, 150],
    },
    {
      title: 'withdrawn bids',
      requests: [
        [2, 300],
        [2, 'own'],
        [3, 200],
        [4, 150],
        [4, 'staff'],
        [5, 120],
      ],
      excluded: [],
      next: [3, 120],
    },
    {
      title: 'equal bids',
      requests: [
        [3, 200],
        [2, 200],
      ],
      excluded: [],
      next: [3, 200],
    },
    { title: 'one bid', requests: [[2, 300]], excluded: [], next: [2, 100] },
    { title: 'no starting price', terms: { startingPriceMinor: 0 }, requests: [[2, 300]], excluded: [], next: [2, 1] },
    { title: 'a reserve', terms: { reservePriceMinor: 250 }, requests: [[2, 300]], excluded: [], next: [2, 250] },
    {
      title: 'a reserve above',
      terms: { reservePriceMinor: 301 },
      requests: [[2, 300]],
      excluded: [],
      next: [2, null],
    },
  ])('sealed bids: $title', ({ terms: sample, requests, excluded, next }) => {
    const stakes = createSealedStakes()
    for (const [index, request] of requests.entries())
      stakes.add({ id: toEntryId(index + 1), sequence: index + 1, event: eventOf(request) })
    expectNext(sealedTerms(sample), stakes, { excluded, next })
  })
})

function expectNext(
  terms: Parameters<typeof nextBidder>[0],
  stakes: Pick<Stakes, 'all'>,
  { excluded, next }: Pick<Row, 'excluded' | 'next'>,
): void {
  const found = nextBidder(terms, stakes.all(), excluded.map(toUserId))
  expect(found && [found.bidderId, found.priceMinor ?? null]).toStrictEqual(next)
}
