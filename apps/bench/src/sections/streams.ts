import { systemClock } from '@auction/adapters/system'
import { createAuctionService } from '@auction/domain'
import type { AuctionId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import { bidderId, createAuctions, inUsd } from '../bidding.ts'
import { openReaders } from '../http/readers.ts'
import { post, type Server, startService, startStack } from '../http/server.ts'
import { connections, runWrk } from '../http/wrk.ts'
import { measureInRounds, type Point, type Sample } from '../measure/rows.ts'
import type { StoreRequest } from '../options.ts'
import type { Bench } from '../run.ts'
import { type Defer, scoped } from '../scope.ts'
import { storeOf } from '../stores/stores.ts'

/** Streams of one server in memory; or, on a store that servers share, how late one notices what another has stored. */
export const measureStreams = (bench: Bench, request: StoreRequest) =>
  request.kind === 'memory' ? measureReaders(bench) : measureLateness(bench, request)

/** An event of the size of a bid's. */
const FRAME = `id: 1000\nevent: bid\ndata: ${JSON.stringify({ padding: 'x'.repeat(400) })}\n\n`

const measureReaders = ({ options: { httpAuctions, readers, rounds, seconds }, log }: Bench) =>
  scoped(async (defer) => {
    const writer = await startStack('writer', { FRAME }, defer)
    const service = await startService('memory', httpAuctions, defer)
    let dollars = 1

    /** Bids one after another on the last auction, each when all readers have the previous one. */
    const delivery = (key: string, label: string, server: Server): Point => ({
      key,
      label,
      clients: readers,
      floor: server === writer ? undefined : ['bare', 'cpuMicros'],
      async measure(defer) {
        const nextEvent = await openReaders(server, httpAuctions, readers, defer)
        let events = 0
        const before = await server.usage('cpu')
        for (const endMs = performance.now() + seconds * 1000; performance.now() < endMs; events++) {
          dollars += 1
          const bid = { auctionId: httpAuctions, bidderId, amount: dollars }
          await Promise.all([nextEvent(), post(`${server.origin}/api/Bids`, bid)])
        }
        return { cpuMicros: ((await server.usage('cpu')) - before) / (events * readers) }
      },
    })
    const bids = (key: string, label: string, idle: number): Point => ({
      key,
      label,
      clients: connections,
      floor: idle === 0 ? undefined : ['none', 'perSecond'],
      async measure(defer) {
        if (idle > 0) await openReaders(service, httpAuctions, idle, defer)
        const { requests: _, ...sample } = await runWrk(service, { auctions: httpAuctions - 1, seconds })
        return sample
      },
    })
    const points = [
      delivery('bare', 'an event to each reader: bare node:net', writer),
      delivery('service', 'an event to each reader: the service', service),
      bids('none', 'bids without streams', 0),
      bids('idle', `bids with ${readers} idle streams`, readers),
    ]
    return measureInRounds(points, rounds, log)
  })

/** The time from the answer to a bid at one service until another has its event. */
function measureLateness({ options: { rounds, seconds }, log }: Bench, { kind, uri }: StoreRequest) {
  async function measure(defer: Defer): Promise<Sample> {
    const store = storeOf(kind)
    const address = await store.openScratch(uri, defer)
    const open = async () => {
      const opened = await store.open(address)
      defer(opened.close)
      const service = createAuctionService({ store: opened, clock: systemClock })
      defer(service.close)
      return service
    }
    const [own, other] = [await open(), await open()]
    const [auctionId] = (await createAuctions(own, 1)) as [AuctionId] // One.
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
      unwrap(await other.placeBid({ auctionId, bidderId, amount: inUsd(sequence) }))
      const storedMs = performance.now()
      const isNoticed = Promise.withResolvers<void>()
      onNoticed = () => noticed >= sequence && isNoticed.resolve()
      onNoticed()
      await isNoticed.promise
      unwrap(await own.listEvents(auctionId, { after: sequence - 1, limit: 1 }))
      latenessMs.push(performance.now() - storedMs)
    }
    const sorted = latenessMs.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.floor(share * sorted.length)]
    return { p50Ms: at(0.5), p99Ms: at(0.99) }
  }
  return measureInRounds([{ key: 'other', label: "another service's event", clients: 1, measure }], rounds, log)
}
