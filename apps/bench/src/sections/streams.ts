import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@auction/adapters/system'
import { createAuctionService } from '@auction/domain'
import type { AuctionId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import { bidderId, createAuctions, newBid } from '../bidding.ts'
import { openReaders } from '../http/readers.ts'
import { get, jsonOf, post, type Server, startService, startStack } from '../http/server.ts'
import { connections, runWrk } from '../http/wrk.ts'
import { runClosedLoop } from '../measure/closed-loop.ts'
import { measureInRounds, median, number, type Point, type Sample } from '../measure/rows.ts'
import type { StoreRequest } from '../options.ts'
import type { Bench } from '../run.ts'
import { type Defer, scoped } from '../scope.ts'
import { storeOf } from '../stores/stores.ts'

/** Streams of one server in memory; or, on a store that servers share, how late one notices what another has stored. */
export const measureStreams = (bench: Bench, request: StoreRequest) =>
  request.kind === 'memory' ? measureReaders(bench) : measureNoticing(bench, request)

/** An event of the size of a bid's. */
const FRAME = `id: 1000\nevent: bid\ndata: ${JSON.stringify({ padding: 'x'.repeat(400) })}\n\n`

const measureReaders = ({ options: { httpAuctions, readers, rounds, seconds }, log }: Bench) =>
  scoped(async (defer) => {
    const writer = await startStack('writer', { FRAME }, defer)
    const service = await startService('memory', httpAuctions, defer)
    const ANSWER = jsonOf(await get(`${service.origin}/api/Auctions/${httpAuctions}/Events`))
    let dollars = 1

    /** Bids on the last auction, which the readers follow. */
    const bid = (server: Server) => {
      dollars += 1
      return post(`${server.origin}/api/Bids`, { auctionId: httpAuctions, bidderId, amount: dollars })
    }
    /** Bids one after another, each when all readers have the previous one. */
    const delivery = (key: string, label: string, server: Server): Point => ({
      key,
      label,
      clients: readers,
      floor: server === writer ? undefined : ['bare', 'cpuMicros'],
      async measure(defer) {
        const nextEvent = await openReaders(server, httpAuctions, readers, defer)
        const tookMs: number[] = []
        const before = await server.usage('cpu')
        const endMs = performance.now() + seconds * 1000
        for (let nowMs = performance.now(); nowMs < endMs; ) {
          await Promise.all([nextEvent(), bid(server)])
          tookMs.push(performance.now() - nowMs)
          nowMs = performance.now()
        }
        const cpuMicros = ((await server.usage('cpu')) - before) / (tookMs.length * readers)
        return { cpuMicros, p50Ms: median(tookMs) }
      },
    })
    const bids = (key: string, label: string, streams: number, pauseMs?: number): Point => ({
      key,
      label,
      clients: connections,
      floor: streams === 0 ? undefined : ['none', pauseMs === undefined ? 'perSecond' : 'p99Ms'],
      async measure(defer) {
        if (streams > 0) await openReaders(service, httpAuctions, streams, defer)
        await service.usage('longestTurn')
        const run = runWrk(service, { auctions: httpAuctions - 1, seconds })
        if (pauseMs !== undefined) {
          const event = () => bid(service).then(() => 'accepted' as const)
          await runClosedLoop(event, { clients: 1, warmupSeconds: 0, seconds, pauseMs, work: () => run })
        }
        const { requests: _, ...sample } = await run
        return { ...sample, longestTurnMs: await service.usage('longestTurn') }
      },
    })
    const points = [
      delivery('bare', 'an event to each reader: bare node:net', writer),
      delivery('service', 'an event to each reader: the service', service),
      bids('none', 'bids without streams', 0),
      bids('idle', `bids with ${number(readers)} idle streams`, readers),
      bids('busy', `bids with ${number(readers)} streams of 5 events/s`, readers, 200),
      memory('held', 'an idle stream: bare node:http', readers, (defer) => startStack('holder', { ANSWER }, defer)),
      memory('idle stream', 'an idle stream: the service', readers, (defer) => startService('memory', 1, defer)),
    ]
    return measureInRounds(points, rounds, log)
  })

/** The memory of a new process for each open stream. */
const memory = (key: string, label: string, streams: number, start: (defer: Defer) => Promise<Server>): Point => ({
  key,
  label,
  clients: streams,
  floor: key === 'held' ? undefined : ['held', 'heapBytes'],
  async measure(defer) {
    const server = await start(defer)
    // Afterwards, the code is compiled and memory that is used once is allocated.
    await scoped((defer) => openReaders(server, 1, 10, defer))
    const before = await server.usage('memory')
    await openReaders(server, 1, streams, defer)
    const after = await server.usage('memory')
    return {
      heapBytes: (after.heap - before.heap) / streams,
      residentBytes: (after.resident - before.resident) / streams,
    }
  },
})

/** The time from the answer to a bid at one service until another has its event, and what it costs to look for events that do not come. */
async function measureNoticing({ options, log }: Bench, { kind, uri }: StoreRequest) {
  const { rounds, seconds, watchedAuctions, idleSeconds } = options
  async function opener(defer: Defer) {
    const store = storeOf(kind)
    const address = await store.openScratch(uri, defer)
    return async () => {
      const opened = await store.open(address)
      defer(opened.close)
      const service = createAuctionService({ store: opened, clock: systemClock })
      defer(service.close)
      return service
    }
  }

  async function measureLateness(defer: Defer): Promise<Sample> {
    const open = await opener(defer)
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
    const sorted = latenessMs.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.floor(share * sorted.length)]
    return { p50Ms: at(0.5), p99Ms: at(0.99) }
  }

  async function measureIdle(defer: Defer): Promise<Sample> {
    const open = await opener(defer)
    const service = await open()
    for (const id of await createAuctions(service, watchedAuctions)) defer(service.watchAuction(id, () => undefined))
    const before = process.cpuUsage()
    await sleep(idleSeconds * 1000)
    const { user, system } = process.cpuUsage(before)
    return { corePercent: (user + system) / (idleSeconds * 10_000) }
  }

  const lateness: Point = { key: 'other', label: "another service's event", clients: 1, measure: measureLateness }
  const label = `${number(watchedAuctions)} watched auctions without events`
  const idle: Point = { key: 'idle', label, clients: 1, measure: measureIdle }
  // Once, because it lasts as long as the longest pause between two reads of the same auctions.
  return [...(await measureInRounds([lateness], rounds, log)), ...(await measureInRounds([idle], 1, log))]
}
