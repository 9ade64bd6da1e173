import { expect, test } from 'vitest'
import { isLong, sampleOf } from '../../../../tools/vitest/size.ts'
import { type Load, serve } from './compete-round-robin.ts'

const rates = [
  { auctions: 1, bidsPerSecond: 5 },
  { auctions: 20, bidsPerSecond: 100 },
] as const

test.each(isLong ? [2, 3, 6] : [3])('a bid waits for no unused turn, on %i servers', async (servers) => {
  for (const { auctions, bidsPerSecond } of rates) {
    const load: Load = { servers, auctions, clients: { bidsPerSecond }, way: 'round robin', seconds: 20 }
    const alone = await serve(1, { ...load, servers: 1 })
    const { p50Ms, p99Ms } = await serve(1, load)
    expect(p50Ms / alone.p50Ms, `p50 of ${bidsPerSecond} bids/s: ${p50Ms} ms`).toBeLessThanOrEqual(2.5)
    expect(p99Ms / alone.p99Ms, `p99 of ${bidsPerSecond} bids/s: ${p99Ms} ms`).toBeLessThanOrEqual(4)
  }
})

// The more servers share one auction, the fewer bids share an append.
const hot = [
  { auctions: 1, clients: 60, servers: 3, part: 0.5 },
  { auctions: 1, clients: 60, servers: 2, part: 0.5 },
  { auctions: 1, clients: 60, servers: 6, part: 0.5 },
  { auctions: 20, clients: 300, servers: 2, part: 0.5 },
  { auctions: 20, clients: 300, servers: 3, part: 0.5 },
  { auctions: 20, clients: 300, servers: 6, part: 0.5 },
  { auctions: 300, clients: 300, servers: 2, part: 0.8 },
  { auctions: 300, clients: 300, servers: 3, part: 0.8 },
  { auctions: 300, clients: 300, servers: 6, part: 0.7 },
] as const

test.each(sampleOf(hot))(
  '$servers servers with round robin serve at least $part of the bids on $auctions hot auctions that they serve by auction',
  async ({ part, ...load }) => {
    const routed = await serve(1, { ...load, way: 'by auction', seconds: 1 })
    const shared = await serve(1, { ...load, way: 'round robin', seconds: 1 })
    const ratio = shared.bidsPerSecond / routed.bidsPerSecond
    expect(ratio, `${shared.bidsPerSecond} and ${routed.bidsPerSecond} bids/s`).toBeGreaterThanOrEqual(part)
  },
)
