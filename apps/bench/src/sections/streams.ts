import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@auction/adapters/system'
import { type AuctionService, createAuctionService } from '@auction/domain'
import type { AuctionId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import { bidderId, createAuctions, newBid, risingOffers } from '../bidding.ts'
import { openReaders } from '../http/readers.ts'
import { post, type Server, startAlone, startStack } from '../http/server.ts'
import { defaultConnections, runWrk } from '../http/wrk.ts'
import { measureInRounds, number, type Point, percentile, type Sample } from '../measure/rows.ts'
import type { StoreRequest } from '../options.ts'
import type { Bench } from '../run.ts'
import { type Defer, scoped } from '../scope.ts'
import { storeOf } from '../stores/stores.ts'

/** Measures streams of one server in memory, or how late a server notices what another has stored. */
export const measureStreams = (bench: Bench, request: StoreRequest) =>
  request.kind === 'memory' ? measureReaders(bench) : measureNoticing(bench, request)

/** An event of the size of a bid's. */
const FRAME = `id: 1000\nevent: bid\ndata: ${JSON.stringify({ padding: 'x'.repeat(400) })}\n\n`

const measureReaders = ({ options: { httpAuctions, readers, rounds, seconds }, log }: Bench) =>
  scoped(async (defer) => {
    const writer = await startStack('writer', { FRAME }, defer)
    const service = await startAlone('memory', httpAuctions, defer)
    let amount = 1

    /** Bids on the last auction, one bid after another, each when all readers have the previous one. */
    const delivery = (key: string, label: string, server: Server): Point => ({
      key,
      label,
      clients: readers,
      floor: server === writer ? undefined : ['bare', 'cpuMicros'],
      async measure(defer) {
        const nextEvent = await openReaders(server, httpAuctions, readers, defer)
        const tookMs: number[] = []
        const before = await server.cpuMicros()
        const endMs = performance.now() + seconds * 1000
        for (let nowMs = performance.now(); nowMs < endMs; ) {
          amount += 1
          await Promise.all([
            nextEvent(),
            post(`${server.origin}/api/Bids`, { auctionId: httpAuctions, bidderId, amount }),
          ])
          tookMs.push(performance.now() - nowMs)
          nowMs = performance.now()
        }
        const cpuMicros = ((await server.cpuMicros()) - before) / (tookMs.length * readers)
        return { cpuMicros, p50Ms: percentile(tookMs, 50) }
      },
    })
    const bids = (key: string, label: string, streams: number): Point => ({
      key,
      label,
      clients: defaultConnections,
      floor: streams === 0 ? undefined : ['none', 'perSecond'],
      async measure(defer) {
        if (streams > 0) await openReaders(service, httpAuctions, streams, defer)
        return (await runWrk(service, { auctions: httpAuctions - 1, seconds })).sample
      },
    })
    const points = [
      delivery('bare', 'an event to each reader: bare node:net', writer),
      delivery('service', 'an event to each reader: the service', service),
      bids('none', 'bids without streams', 0),
      bids('idle', `bids with ${number(readers)} idle streams`, readers),
    ]
    return measureInRounds(points, rounds, log)
  })

async function measureNoticing({ options, log }: Bench, { kind, uri }: StoreRequest) {
  const { rounds, seconds, watchedAuctions, idleSeconds } = options
  const store = storeOf(kind)
  async function openService(address: string, defer: Defer) {
    const opened = await store.open(address)
    defer(opened.close)
    const service = createAuctionService({ store: opened, clock: systemClock })
    defer(service.close)
    return service
  }

  /**
   * Measures the time from the answer to a bid at one service until another, which watches several auctions, has its
   * event. Meanwhile bids are placed on auctions that are not watched.
   */
  async function measureLateness(defer: Defer, watched: number, otherBidsPerSecond: number): Promise<Sample> {
    const address = await store.openScratch(uri, defer)
    const [own, other] = [await openService(address, defer), await openService(address, defer)]
    const [auctionId, ...rest] = (await createAuctions(own, watched)) as [AuctionId, ...AuctionId[]] // At least one.
    for (const id of rest) defer(own.watchAuction(id, () => undefined))
    const endOthers = await bidOnOthers(other, otherBidsPerSecond, defer)
    let noticed = 0
    let onNoticed = () => {}
    const stop = own.watchAuction(auctionId, (sequence) => {
      noticed = sequence
      onNoticed()
    })
    defer(stop)
    const latenessMs: number[] = []
    for (const endMs = performance.now() + seconds * 1000; performance.now() < endMs; ) {
      const sequence = latenessMs.length + 1
      // Bids come at any moment. After an event they would always come at the beginning of a pause between two looks.
      await sleep(100 * Math.random())
      unwrap(await other.placeBid(newBid(auctionId, bidderId, sequence)))
      const storedMs = performance.now()
      const isNoticed = Promise.withResolvers<void>()
      onNoticed = () => noticed >= sequence && isNoticed.resolve()
      onNoticed()
      await isNoticed.promise
      unwrap(await own.listEvents(auctionId, { after: sequence - 1, limit: 1 }))
      latenessMs.push(performance.now() - storedMs)
    }
    await endOthers()
    return { p50Ms: percentile(latenessMs, 50), p99Ms: percentile(latenessMs, 99) }
  }

  /** Measures what it costs to look for events that do not come. */
  async function measureIdle(defer: Defer): Promise<Sample> {
    const service = await openService(await store.openScratch(uri, defer), defer)
    for (const id of await createAuctions(service, watchedAuctions)) defer(service.watchAuction(id, () => undefined))
    const before = process.cpuUsage()
    await sleep(idleSeconds * 1000)
    const { user, system } = process.cpuUsage(before)
    return { corePercent: (user + system) / (idleSeconds * 10_000) }
  }

  const lateness: readonly Point[] = [
    {
      key: 'other',
      label: "another service's event",
      clients: 1,
      measure: (defer) => measureLateness(defer, 1, 0),
    },
    {
      key: 'watched',
      label: `another service's event, ${number(watchedAuctions)} watched auctions, 200 other bids/s`,
      clients: 1,
      measure: (defer) => measureLateness(defer, watchedAuctions, 200),
    },
  ]
  const label = `${number(watchedAuctions)} watched auctions without events`
  const idle: Point = { key: 'idle', label, clients: 1, measure: measureIdle }
  // The idle point has one round, because it lasts as long as the longest pause between two reads of the same auctions.
  return [...(await measureInRounds(lateness, rounds, log)), ...(await measureInRounds([idle], 1, log))]
}

/** Places bids on new auctions at a rate. Returns a function that ends it, and fails if a bid has failed. */
async function bidOnOthers(service: AuctionService, perSecond: number, defer: Defer): Promise<() => Promise<void>> {
  if (perSecond === 0) return async () => undefined
  const auctionIds = await createAuctions(service, 100)
  const nextOffer = risingOffers(auctionIds.length)
  const bids: Promise<void>[] = []
  const timer = setInterval(() => {
    const { auction, dollars, bidderId } = nextOffer()
    const auctionId = auctionIds[auction] as AuctionId // Offers name auctions below the number of ids.
    bids.push(service.placeBid(newBid(auctionId, bidderId, dollars)).then((placed) => void unwrap(placed)))
  }, 1000 / perSecond)
  defer(() => clearInterval(timer))
  return async () => {
    clearInterval(timer)
    await Promise.all(bids)
  }
}
