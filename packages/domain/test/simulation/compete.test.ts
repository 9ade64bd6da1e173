import { expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import { compete } from './compete.ts'
import { seeds } from './seeds.ts'

const rates = [
  { auctions: 1, bidding: { bidsPerSecond: 5 } },
  { auctions: 20, bidding: { bidsPerSecond: 100 } },
] as const

test.each(isLong ? [2, 3, 6] : [3])('a bid waits for no unused turn, on %i servers', async (servers) => {
  for (const rate of rates) {
    const load = { ...rate, seconds: isLong ? 20 : 5 }
    const alone = await compete(1, { ...load, slownessMs: [1] })
    const { p50Ms, p99Ms } = await compete(1, { ...load, slownessMs: Array.from({ length: servers }, () => 1) })
    expect(p50Ms / alone.p50Ms, `p50 of ${JSON.stringify(rate)}: ${p50Ms} ms`).toBeLessThanOrEqual(2.5)
    expect(p99Ms / alone.p99Ms, `p99 of ${JSON.stringify(rate)}: ${p99Ms} ms`).toBeLessThanOrEqual(4)
  }
})

// The farther server stores fewer batches in a turn, and loses until the nearer one makes its first pause.
test.each([
  { slownessMs: [1, 1], share: 0.4 },
  { slownessMs: [1, 3], share: 0.05 },
  { slownessMs: [5, 15], share: 0.05 },
])('a server shares hot auctions with one nearer to the store: $slownessMs ms', async ({ slownessMs, share }) => {
  for (const seed of seeds(1, isLong ? 5 : 1)) {
    const load = { slownessMs, auctions: 5, bidding: { clientsPerServer: 10 }, seconds: isLong ? 10 : 3 }
    const { wins } = await compete(seed, load)
    const weakerShare = Math.min(...wins) / wins.reduce((sum, each) => sum + each, 0)
    expect(weakerShare, `seed ${seed}: bids won: ${wins.join(' and ')}`).toBeGreaterThanOrEqual(share)
  }
})
