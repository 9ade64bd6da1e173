import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import type { Auction } from '../../src/auction/auction.ts'
import { createSteppedClock } from '../support/clocks.ts'
import { createAuction, createTestService, newBid, openTime, type TestService } from '../support/service.ts'
import { createQuickStore, createSlowStore } from '../support/stores.ts'

const seconds = isLong ? 4 : 2

/** The response times of the bidders at one process, in milliseconds. */
type Tally = { readonly hotWaitsMs: number[]; readonly calmWaitsMs: number[] }

/**
 * Two processes over one store, and some hot auctions with four bidders each, who bid again after each response: two at
 * each process, or all four at one. Each process also has a separate calm auction, with one bidder who bids now and then.
 */
async function bidAtTwoProcesses(hotCount: number, way: 'spread' | 'sticky') {
  const clock = createSteppedClock(openTime)
  const right = createQuickStore()
  const setUp = createTestService({ store: right, clock })
  const auctions: Auction[] = []
  for (let count = 0; count < hotCount + 2; count++) auctions.push(await createAuction(setUp))
  const endMs = clock.nowMs() + seconds * 1_000
  let amount = 100

  /** Returns the response time. The bid may be refused: bids of the other process may have overtaken it. */
  async function bid(service: TestService, auction: Auction): Promise<number> {
    const sentMs = clock.nowMs()
    amount += 5
    await service.placeBid(newBid(auction, 2, amount))
    return clock.nowMs() - sentMs
  }

  async function bidOnHot(service: TestService, auction: Auction, tally: Tally): Promise<void> {
    while (clock.nowMs() < endMs) tally.hotWaitsMs.push(await bid(service, auction))
  }

  async function bidOnCalm(service: TestService, auction: Auction, tally: Tally): Promise<void> {
    while (clock.nowMs() < endMs) {
      tally.calmWaitsMs.push(await bid(service, auction))
      await new Promise<void>((resolve) => void clock.after(20, resolve))
    }
  }

  const tallies = [0, 1].map((process) => {
    const service = createTestService({ store: createSlowStore(right, clock), clock })
    const tally: Tally = { hotWaitsMs: [], calmWaitsMs: [] }
    for (const [index, auction] of auctions.entries()) {
      if (index >= hotCount) {
        if (index === hotCount + process) void bidOnCalm(service, auction, tally)
        continue
      }
      const bidders = way === 'spread' ? 2 : index % 2 === process ? 4 : 0
      for (let bidder = 0; bidder < bidders; bidder++) void bidOnHot(service, auction, tally)
    }
    return tally
  })
  await clock.pass(seconds * 1_000 + 500)
  const servedBids = tallies.map(({ hotWaitsMs }) => hotWaitsMs.length)
  const served = servedBids.reduce((sum, bids) => sum + bids, 0)
  return {
    served,
    weakerShare: Math.min(...servedBids) / served,
    longestHotWaitMs: tallies.flatMap(({ hotWaitsMs }) => hotWaitsMs).reduce((a, b) => Math.max(a, b), 0),
    calmWaitMs: Math.max(...tallies.map(({ calmWaitsMs }) => median(calmWaitsMs))),
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

describe('two processes over hot auctions', () => {
  test.each(isLong ? [1, 8, 20, 60] : [8])(
    'share %i of them: both serve bids, and no bidder waits long',
    async (hotCount) => {
      const spread = await bidAtTwoProcesses(hotCount, 'spread')
      const sticky = await bidAtTwoProcesses(hotCount, 'sticky')
      // One process may not know of the other until its first pause.
      expect(spread.weakerShare).toBeGreaterThan(0.3)
      // Half as many bids share an append, and between appends of two processes is a read, which takes longer for many auctions.
      expect(spread.served / sticky.served).toBeGreaterThan(hotCount < 60 ? 0.5 : 0.33)
      expect(spread.longestHotWaitMs).toBeLessThan(250)
      expect(spread.calmWaitMs).toBeLessThanOrEqual(sticky.calmWaitMs)
    },
  )

  test('with separate ones pause no longer than another process needs to take over', async () => {
    const { longestHotWaitMs } = await bidAtTwoProcesses(20, 'sticky')
    // The append in flight, four times a head and an append, the head, and the append itself.
    expect(longestHotWaitMs).toBeLessThanOrEqual(40)
  })
})
