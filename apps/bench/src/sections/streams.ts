import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@auction/adapters/system'
import { type AuctionService, createAuctionService } from '@auction/domain'
import type { AuctionId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import { bidderId, createAuctions, newBid, risingOffers } from '../bidding.ts'
import { measureInRounds, number, type Point, percentile, type Sample } from '../measure/rows.ts'
import type { Bench, StoreRequest } from '../options.ts'
import type { Defer } from '../scope.ts'
import { storeOf } from '../stores/stores.ts'

/** Measures how late a server notices what another has stored. A store in memory has no other server. */
export async function measureStreams({ options, log }: Bench, { kind, uri }: StoreRequest) {
  if (kind === 'memory') return []
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
   * Measures the time from the response to a bid at one service until another, which watches several auctions, has its
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
      await sleep(randomInt(100))
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
