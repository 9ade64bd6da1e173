import { expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import { compete } from './compete.ts'
import { seeds } from './seeds.ts'

/** A bid on an uncontended auction takes a few milliseconds here. */
const longestCalmWaitMs = 100

test.each([1, 3, 8, 20])('two processes share %i hot auctions without delaying a calm one', async (hotAuctions) => {
  for (const seed of seeds(1, isLong ? 5 : 1)) {
    const { wins, ...competition } = await compete(seed, hotAuctions)
    const all = wins.reduce((sum, each) => sum + each, 0)
    expect(competition.problems).toEqual([])
    expect(Math.min(...wins) / all, `seed ${seed}: ${wins.join(' and ')} bids were won`).toBeGreaterThanOrEqual(0.3)
    expect(competition.longestCalmWaitMs, `seed ${seed}`).toBeLessThanOrEqual(longestCalmWaitMs)
  }
})
