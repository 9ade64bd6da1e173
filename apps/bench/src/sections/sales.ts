import { setTimeout as sleep } from 'node:timers/promises'
import { bidderId } from '../bidding.ts'
import { bidAtRate } from '../http/bids-at-rate.ts'
import { createSale, followSale, type Line, type Lot } from '../http/sale.ts'
import { type Server, startService } from '../http/server.ts'
import { measureInRounds, number, type Point, percentile, type Sample } from '../measure/rows.ts'
import type { Bench, StoreRequest } from '../options.ts'
import type { Defer } from '../scope.ts'
import { storeOf } from '../stores/stores.ts'

const bidsPerSecond = 50
const warmBidsPerSecond = 300
const maxServers = 3
/** The time in which the lots are added and the readers connect. */
const leadMs = 5_000
/** The longest time until every reader has a result. */
const longestWaitMs = 60_000

/** Measures bids on lots of a sale and what its readers see while other lots end, and the same bids before. */
export async function measureSales({ options, log }: Bench, { kind, uri }: StoreRequest) {
  if (kind === 'memory') return []
  const { saleLots, saleReaders, saleSeconds, warmBids } = options
  const { uriVariable, openScratch } = storeOf(kind)
  const serverCount = uriVariable === undefined ? 1 : maxServers

  async function start(defer: Defer): Promise<readonly Server[]> {
    const settings = { [uriVariable ?? 'SQLITE_FILE']: await openScratch(uri, defer) }
    const first = await startService(settings, defer)
    const others = Array.from({ length: serverCount - 1 }, () => startService(settings, defer))
    return [first, ...(await Promise.all(others))]
  }

  /** Bids on lots that do not end, after those that make servers warm. */
  async function startWarm(servers: readonly Server[]) {
    const { open } = await createSale(firstOf(servers), saleLots, Date.now() + 3_600_000)
    const bids = createBids(servers, open)
    await bidAtRate(bids.next, warmBidsPerSecond, (serverCount * warmBids) / warmBidsPerSecond)
    return bids
  }

  async function measureIdle(defer: Defer): Promise<Sample> {
    const servers = await start(defer)
    const bids = await startWarm(servers)
    return bidAtRate(bids.next, bidsPerSecond, saleSeconds)
  }

  async function measureEnds(defer: Defer): Promise<Sample> {
    const servers = await start(defer)
    await startWarm(servers)
    const sale = await createSale(firstOf(servers), saleLots, Date.now() + leadMs)
    const bids = createBids(servers, sale.open)
    const results = createResults(sale.ending, saleReaders)
    const onLine = (reader: number, line: Line) => {
      bids.onLine(reader, line)
      results.onLine(line)
    }
    await followSale(servers, sale.saleId, saleReaders, onLine, defer)
    const lastEndMs = Math.max(...sale.ending.map(({ endMs }) => endMs))
    const sample = await bidAtRate(bids.next, bidsPerSecond, (lastEndMs - Date.now()) / 1000)
    await results.complete()
    const [eventMs, resultMs] = [percentile(bids.latenessMs, 99), percentile(results.latenessMs, 99)]
    return { ...sample, eventMs, resultMs }
  }

  const servers = serverCount === 1 ? 'one server' : `${serverCount} servers`
  const idle: Point = {
    ...{ key: 'idle', label: `${bidsPerSecond} bids/s, ${servers}`, clients: 1 },
    measure: measureIdle,
  }
  const ends: Point = {
    key: 'ends',
    label: `the same, ${number(saleLots)} lots end, ${number(saleReaders)} readers`,
    ...{ clients: 1, floor: ['idle', 'p50Ms'], measure: measureEnds },
  }
  // One round, because it lasts as long as the lots.
  return measureInRounds([idle, ends], 1, log)
}

const firstOf = ([first]: readonly Server[]) => first as Server // There is at least one.

/** Bids on lots and at servers in turn, and how long after each was sent a reader had its line. */
function createBids(servers: readonly Server[], lots: readonly Lot[]) {
  const sentMs = new Map<number, number[]>(lots.map(({ id }) => [id, []]))
  const seen = new Map<string, number>()
  const latenessMs: number[] = []
  let count = 0
  return {
    latenessMs,
    next() {
      const { origin } = servers[count % servers.length] as Server // There is at least one.
      const { id: auctionId } = lots[count % lots.length] as Lot // There is at least one.
      count += 1
      const amount = sentMs.get(auctionId)?.push(performance.now()) ?? 0
      return { origin, auctionId, bidderId, amount }
    },
    onLine(reader: number, { id, bidCount = 0 }: Line): void {
      const key = `${reader} ${id}`
      for (const sentAtMs of sentMs.get(id)?.slice(seen.get(key), bidCount) ?? [])
        latenessMs.push(performance.now() - sentAtMs)
      seen.set(key, bidCount)
    },
  }
}

/** How long after the end of each lot the readers had its result. */
function createResults(lots: readonly Lot[], readers: number) {
  const endMs = new Map(lots.map(({ id, endMs }) => [id, endMs]))
  const latenessMs: number[] = []
  return {
    latenessMs,
    onLine({ id, outcome }: Line): void {
      const endedMs = endMs.get(id)
      if (outcome !== undefined && endedMs !== undefined) latenessMs.push(Date.now() - endedMs)
    },
    /** @throws Error if results are missing after a minute */
    async complete(): Promise<void> {
      for (const lateMs = Date.now() + longestWaitMs; latenessMs.length < readers * lots.length; await sleep(50))
        if (Date.now() > lateMs) throw new Error('a reader has no result of a lot')
    },
  }
}
