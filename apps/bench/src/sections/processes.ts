import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { systemClock } from '@auction/adapters/system'
import { createAuctionService } from '@auction/domain'
import type { AuctionId } from '@auction/domain/ids'
import { createAuctions } from '../bidding.ts'
import { type Metric, measureInRounds, type Point, type Sample } from '../measure/rows.ts'
import type { StoreRequest } from '../options.ts'
import { ask, stop } from '../resources.ts'
import type { Bench } from '../run.ts'
import type { Defer } from '../scope.ts'
import { type StoreKind, storeOf } from '../stores/stores.ts'

const script = fileURLToPath(new URL('./bidding-process.ts', import.meta.url))
const biddersPerAuction = 4
const processCount = 2

/** The task of one process. */
export type BiddingOrder = {
  readonly kind: StoreKind
  readonly address: string
  /** One auction per bidder of this process. */
  readonly hotAuctions: readonly AuctionId[]
  /** An auction with one bidder, who bids now and then. */
  readonly calmAuction: AuctionId
  readonly warmupSeconds: number
  readonly seconds: number
}

/** Two processes on one database, each with a service. */
export async function measureProcesses({ options, log }: Bench, { kind, uri }: StoreRequest) {
  const store = storeOf(kind)
  if (store.uriVariable === undefined) return []
  const { rounds, warmupSeconds, seconds } = options

  /** Sticky: all bidders of an auction use one process. Spread: half of them use each. */
  const point = (hotCount: number, spread: 'sticky' | 'spread'): Point => ({
    key: `${spread} ${hotCount}`,
    label: `${hotCount === 1 ? 'one hot auction' : `${hotCount} hot auctions`}, ${spread}`,
    clients: hotCount * biddersPerAuction,
    floor: spread === 'spread' ? [`sticky ${hotCount}`, 'perSecond'] : undefined,
    async measure(defer) {
      const address = await store.openScratch(uri, defer)
      const opened = await store.open(address)
      defer(opened.close)
      const service = createAuctionService({ store: opened, clock: systemClock })
      defer(service.close)
      const ids = await createAuctions(service, hotCount + processCount)
      const bidders = Array.from({ length: biddersPerAuction / (spread === 'spread' ? processCount : 1) })
      const orders = ids.slice(0, processCount).map((calmAuction, process): BiddingOrder => {
        const isServed = (index: number) => spread === 'spread' || index % processCount === process
        const served = ids.slice(processCount).filter((_, index) => isServed(index))
        const hotAuctions = served.flatMap((auction) => bidders.map(() => auction))
        return { kind, address, hotAuctions, calmAuction, warmupSeconds, seconds }
      })
      return sampleOfAll(await runProcesses(orders, defer))
    },
  })
  const points = options.hotCounts.flatMap((count) => [point(count, 'sticky'), point(count, 'spread')])
  return measureInRounds(points, rounds, log)
}

/** Runs one process per order. They start together. */
async function runProcesses(orders: readonly BiddingOrder[], defer: Defer): Promise<readonly Sample[]> {
  const start = async (order: BiddingOrder) => {
    const child = fork(script, [], { execArgv: ['--conditions=@auction/source'] })
    defer(() => stop(child))
    await ask(child, order)
    return child
  }
  const children = await Promise.all(orders.map(start))
  return Promise.all(children.map((child) => ask(child, 'go') as Promise<Sample>)) // The message of bidding-process.ts.
}

/** The bids of all processes together, and the longest waits of any process. */
function sampleOfAll(samples: readonly Sample[]): Sample {
  const valuesOf = (metric: Metric) => samples.map((sample) => sample[metric] ?? 0)
  const sum = (metric: Metric) => valuesOf(metric).reduce((total, value) => total + value, 0)
  return {
    perSecond: sum('perSecond'),
    refusedPerSecond: sum('refusedPerSecond'),
    failedPerSecond: sum('failedPerSecond'),
    weakerShare: Math.min(...valuesOf('perSecond')) / (sum('perSecond') || 1),
    calmP50Ms: Math.max(...valuesOf('calmP50Ms')),
  }
}
