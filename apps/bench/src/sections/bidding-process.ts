import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@auction/adapters/system'
import type { AuctionId } from '@auction/domain/ids'
import { createAuctionService } from '@auction/domain/service'
import { bidderId, inUsd } from '../bidding.ts'
import { createLatencies, type Load, runClosedLoop } from '../measure/closed-loop.ts'
import { reasonOf, type Sample } from '../measure/rows.ts'
import { storeOf } from '../stores/stores.ts'
import type { BiddingOrder } from './processes.ts'

// The pause of the bidder on the calm auction before each bid.
const calmPauseMs = 10

let lastCents = 0

/** A cent for each tenth of a microsecond of a clock that all processes of a machine share: a later bid offers more. */
function risingCents(): number {
  lastCents = Math.max(lastCents + 1, Number(process.hrtime.bigint() / 100n))
  return lastCents
}

async function run({ kind, address, hotAuctions, calmAuction, ...window }: BiddingOrder): Promise<Sample> {
  const store = await storeOf(kind).open(address)
  const service = createAuctionService({ store, clock: systemClock })
  async function bid(auctionId: AuctionId) {
    const fields = { auctionId, bidderId, amount: inUsd(risingCents() / 100) }
    return (await service.placeBid(fields)).ok ? 'accepted' : 'refused'
  }
  await bid(calmAuction)
  process.send?.('ready')
  await once(process, 'message')
  const [hot, calm] = await Promise.all([
    runClosedLoop((client) => bid(hotAuctions[client] ?? calmAuction), {
      ...window,
      clients: hotAuctions.length,
    }).catch((error): Sample => {
      // A process that wins nothing is a result, too.
      process.stderr.write(`no bid was accepted: ${reasonOf(error)}\n`)
      return {}
    }),
    waitsOf(() => bid(calmAuction), window),
  ])
  await service.close()
  await store.close()
  return { ...hot, ...calm }
}

/** How long each bid that starts after the warm-up waits for its answer, even if that comes after the end. */
async function waitsOf(
  bid: () => Promise<unknown>,
  { warmupSeconds, seconds }: Omit<Load, 'clients'>,
): Promise<Sample> {
  const waits = createLatencies()
  const countFromMs = performance.now() + warmupSeconds * 1000
  const endMs = countFromMs + seconds * 1000
  for (let sentMs = performance.now(); sentMs < endMs; sentMs = performance.now()) {
    await bid().catch(() => undefined)
    if (sentMs >= countFromMs) waits.recordMs(performance.now() - sentMs)
    await sleep(calmPauseMs)
  }
  return { calmP50Ms: waits.atPercent(50), calmP99Ms: waits.atPercent(99) }
}

process.once('message', async (order) => {
  process.send?.(await run(order as BiddingOrder)) // What processes.ts sends.
  process.disconnect()
})
