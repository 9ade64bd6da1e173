import { randomBytes } from 'node:crypto'
import { createSealer } from '@auction/adapters/sealer'
import { systemClock } from '@auction/adapters/system'
import { createAuctionService } from '@auction/domain'
import { toUserId } from '@auction/domain/ids'
import { parseNewAuction } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import { auctionFields, newBid, repeat } from '../bidding.ts'
import { measureInRounds, type Point, type Sample } from '../measure/rows.ts'
import type { Bench, StoreRequest } from '../options.ts'
import type { Defer } from '../scope.ts'
import { storeOf } from '../stores/stores.ts'

const entriesPerRead = 500

/** Measures the close of an auction with sealed bids, and reads of its entries alone. */
export function measureSealed({ options, log }: Bench, { kind, uri }: StoreRequest) {
  const bidders = options.sealedBids

  /** An auction with sealed bids, and the service and the store that have it. `end` moves the clock past its end. */
  async function prepare(defer: Defer) {
    const benched = storeOf(kind)
    const store = await benched.open(await benched.openScratch(uri, defer))
    defer(store.close)
    let aheadMs = 0
    const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs }
    const service = createAuctionService({ store, clock, sealer: createSealer([randomBytes(32)]) })
    defer(service.close)
    const dayMs = 24 * 60 * 60 * 1_000
    const endTime = new Date(clock.nowMs() + dayMs).toISOString()
    const fields = { ...auctionFields, format: 'sealed', pricing: 'second', endTime }
    const { id } = unwrap(await service.createAuction(unwrap(parseNewAuction(fields, clock.nowMs()))))
    let count = 0
    await repeat(bidders, async () => {
      const index = count++
      unwrap(await service.placeBid(newBid(id, toUserId(2 + index), 1 + (index % 977))))
    })
    const end = () => {
      aheadMs = 2 * dayMs
    }
    return { store, service, id, end }
  }

  const point = (key: string, label: string, floor: Point['floor'], run: (made: Prepared) => Promise<void>): Point => ({
    ...{ key, label, clients: 1, floor },
    measure: async (defer) => timed(bidders, run, await prepare(defer)),
  })
  type Prepared = Awaited<ReturnType<typeof prepare>>

  const points = [
    point('read x1', 'read of the entries', undefined, async ({ store, id }) => {
      for (let before = bidders + 1; before > 1; before -= entriesPerRead)
        await store.listEntries(id, { before, limit: entriesPerRead })
    }),
    point('close x1', 'close', ['read x1', 'perSecond'], async ({ service, end }) => {
      end()
      const { closed } = await service.closeDue()
      if (closed !== 1) throw new Error('the auction was not closed')
    }),
  ]
  return measureInRounds(points, options.rounds, log)
}

/** Runs a task once: the entries per second, and the longest time for which nothing else ran. */
async function timed<Made>(entries: number, run: (made: Made) => Promise<void>, made: Made): Promise<Sample> {
  let holdMs = 0
  let lastMs = performance.now()
  const timer = setInterval(() => {
    const nowMs = performance.now()
    holdMs = Math.max(holdMs, nowMs - lastMs)
    lastMs = nowMs
  }, 1)
  const startMs = performance.now()
  await run(made).finally(() => clearInterval(timer))
  return { perSecond: (entries * 1_000) / (performance.now() - startMs), holdMs }
}
