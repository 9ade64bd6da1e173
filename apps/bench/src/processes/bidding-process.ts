import { once } from 'node:events'
import type { Histogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectMongoStore } from '@auction/adapters/mongodb'
import { systemClock } from '@auction/adapters/system'
import type { NewBid } from '@auction/domain/auction/bid'
import { createAuctionService } from '@auction/domain/service'
import { bidderId } from '../domain/bidding-floor.ts'
import { type Outcome, runClosedLoop } from '../measure/closed-loop.ts'
import { createLatencies, msAt, recordMs } from '../measure/latencies.ts'
import type { BiddingOrder, BiddingReport } from './order.ts'

// The pause that the bidder on the calm auction makes before each bid.
const calmPauseMs = 10

let lastCents = 0

/** A cent for each tenth of a microsecond of a clock that all processes of a machine share: whoever bids later offers more. */
function risingCents(): number {
  lastCents = Math.max(lastCents + 1, Number(process.hrtime.bigint() / 100n))
  return lastCents
}

async function obey(order: BiddingOrder): Promise<BiddingReport> {
  const store = await connectMongoStore(order.uri, { maxConnections: order.maxConnections })
  const service = createAuctionService({ store, clock: systemClock })
  async function bid(auctionId: number): Promise<Outcome> {
    const offer = { auctionId, bidderId, amount: risingCents() / 100 } as NewBid // As it would be parsed.
    return (await service.placeBid(offer)).ok ? 'accepted' : 'refused'
  }
  try {
    await bid(order.calmAuction)
    process.send?.('ready')
    await once(process, 'message')
    return await bidOnAll(order, bid)
  } finally {
    await service.close()
    await store.close()
  }
}

async function bidOnAll(order: BiddingOrder, bid: (auctionId: number) => Promise<Outcome>): Promise<BiddingReport> {
  const { hotAuctions, calmAuction, warmupSeconds, seconds } = order
  const hotBid = (client: number) => bid(hotAuctions[client] ?? calmAuction) // There is one for each client.
  const [hot, calm] = await Promise.all([
    runClosedLoop(hotBid, { clients: hotAuctions.length, warmupSeconds, seconds }),
    waitingTimes(() => bid(calmAuction), order),
  ])
  const { accepted, refused, failed, latencies, firstFailure } = hot
  return {
    accepted,
    refused,
    failed,
    p50Ms: msAt(latencies, 50),
    p99Ms: msAt(latencies, 99),
    calmP50Ms: msAt(calm, 50),
    calmP99Ms: msAt(calm, 99),
    trouble: firstFailure === undefined ? undefined : String(firstFailure),
  }
}

/** How long each of some bids waits for its answer, whatever that is, with a pause before the next one. */
async function waitingTimes(
  bid: () => Promise<unknown>,
  { warmupSeconds, seconds }: Pick<BiddingOrder, 'warmupSeconds' | 'seconds'>,
): Promise<Histogram> {
  const latencies = createLatencies()
  const countFromMs = performance.now() + warmupSeconds * 1000
  const endMs = countFromMs + seconds * 1000
  for (let sentMs = performance.now(); sentMs < endMs; sentMs = performance.now()) {
    await bid().catch(() => undefined)
    if (sentMs >= countFromMs) recordMs(latencies, performance.now() - sentMs)
    await sleep(calmPauseMs)
  }
  return latencies
}

process.once('message', (order) => {
  // What section.ts sends, and nothing else does.
  obey(order as BiddingOrder).then((report) => {
    process.send?.(report)
    process.disconnect()
  })
})
