import { expect, test } from 'vitest'
import { isLong, sampleOf } from '../../../../tools/vitest/size.ts'
import { compete } from './compete.ts'
import { seeds } from './seeds.ts'

/** A bid on an auction without other bidders takes a few milliseconds here. */
const maxCalmWaitMs = 100

const weakerShareOf = (wins: readonly number[]): number => Math.min(...wins) / wins.reduce((sum, each) => sum + each, 0)

test.each(isLong ? [1, 3, 8, 20, 100] : [8])(
  'two processes share %i hot auctions without delaying a calm one',
  async (hotAuctions) => {
    for (const seed of seeds(1, isLong && hotAuctions < 100 ? 5 : 1)) {
      const { wins, longestCalmWaitMs, problems } = await compete(seed, { hotAuctions })
      expect(problems).toEqual([])
      expect(weakerShareOf(wins), `seed ${seed}: bids won: ${wins.join(' and ')}`).toBeGreaterThanOrEqual(0.3)
      expect(longestCalmWaitMs, `seed ${seed}`).toBeLessThanOrEqual(maxCalmWaitMs)
    }
  },
)

// The farther process stores fewer batches in a turn, and loses until the nearer one makes its first pause.
const slownesses = [
  { slownessMs: [2, 6], share: 0.18 },
  { slownessMs: [2, 3], share: 0.3 },
  { slownessMs: [10, 30], share: 0.05 },
] as const

test.each(sampleOf(slownesses))(
  'a process shares hot auctions with one nearer to the store: $slownessMs ms',
  async ({ slownessMs, share }) => {
    for (const seed of seeds(1, isLong ? 5 : 1)) {
      const { wins, problems } = await compete(seed, { hotAuctions: 5, slownessMs, durationMs: 10_000 })
      expect(problems).toEqual([])
      expect(weakerShareOf(wins), `seed ${seed}: bids won: ${wins.join(' and ')}`).toBeGreaterThanOrEqual(share)
    }
  },
)
