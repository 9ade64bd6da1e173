import { once } from 'node:events'
import { systemClock } from '@auction/adapters/system'
import { createAuctionService } from '@auction/domain'
import type { AuctionId } from '@auction/domain/ids'
import { bidderId, newBid } from '../bidding.ts'
import { runClosedLoop } from '../measure/closed-loop.ts'
import { reasonOf, type Sample } from '../measure/rows.ts'
import { storeOf } from '../stores/stores.ts'
import type { BiddingOrder } from './processes.ts'

let lastCents = 0

/** The amount grows by a cent per tenth of a microsecond of a clock that all processes share, so that later bids are higher. */
function risingCents(): number {
  lastCents = Math.max(lastCents + 1, Number(process.hrtime.bigint() / 100n))
  return lastCents
}

async function run({ kind, address, hotAuctions, calmAuction, ...window }: BiddingOrder): Promise<Sample> {
  const store = await storeOf(kind).open(address)
  const service = createAuctionService({ store, clock: systemClock })
  async function bid(auctionId: AuctionId) {
    const fields = newBid(auctionId, bidderId, risingCents() / 100)
    return (await service.placeBid(fields)).ok ? 'accepted' : 'refused'
  }
  await bid(calmAuction)
  process.send?.('ready')
  await once(process, 'message')
  const clients = hotAuctions.length
  const [hot, calm] = await Promise.all([
    runClosedLoop((client) => bid(hotAuctions[client] ?? calmAuction), { ...window, clients }).catch(noBids),
    runClosedLoop(() => bid(calmAuction), { ...window, clients: 1, pauseMs: 10 }).catch(noBids),
  ])
  await service.close()
  await store.close()
  return { ...hot, calmP50Ms: calm.p50Ms }
}

/** A process without accepted bids is a valid result. */
function noBids(error: unknown): Sample {
  process.stderr.write(`no bid was accepted: ${reasonOf(error)}\n`)
  return {}
}

process.once('message', async (order) => {
  process.send?.(await run(order as BiddingOrder)) // The order of processes.ts.
  process.disconnect?.()
})
