import type { Clock } from '../../src/clock.ts'
import { type AuctionService, createAuctionService } from '../../src/service.ts'
import { createGroupCommit } from '../../src/store/batching.ts'
import type { Entry, Store } from '../../src/store/store.ts'
import { createAuction, newBid } from '../support/service.ts'
import { createQuickStore } from '../support/stores.ts'
import { createChance } from './chance.ts'
import { createVirtualTime, type VirtualTime } from './virtual-time.ts'

/** How clients bid through several servers on one store. */
export type Load = {
  /** The mean time of a request or response between each server and the store, in milliseconds. */
  readonly slownessMs: readonly number[]
  readonly auctions: number
  /**
   * Bids at random times through one server after another, or clients at each server who bid again after each response.
   */
  readonly bidding: { readonly bidsPerSecond: number } | { readonly clientsPerServer: number }
  readonly seconds: number
}

export type Served = {
  /** The number of accepted bids, through each server. */
  readonly wins: readonly number[]
  readonly p50Ms: number
  readonly p99Ms: number
}

const startMs = Date.parse('2030-01-31T13:00:00Z')
const msPerWrite = 0.5
const msPerEntry = 0.03

/** Servers compete on one store, without failures. Time is virtual: the same seed gives exactly the same result. */
export async function compete(seed: number, { slownessMs, auctions: count, bidding, seconds }: Load): Promise<Served> {
  const chance = createChance(seed)
  const time = createVirtualTime(chance)
  const clock: Clock = { nowMs: () => startMs + Math.floor(time.nowMs()), after: time.after }
  const database = createDatabase(time)
  const servers = slownessMs.map((ms) => {
    const delay = () => time.sleep((ms * chance.int(500, 1_500)) / 1_000)
    return createAuctionService({ store: createLink(database, delay), clock })
  })
  const wins = servers.map(() => 0)
  const waitsMs: number[] = []
  let isOver = false

  async function run(): Promise<void> {
    const [first] = servers
    if (first === undefined) throw new RangeError('there must be a server')
    const auctions = await Promise.all(Array.from({ length: count }, () => createAuction(first)))
    const amounts = auctions.map(() => 100)
    void time.sleep(seconds * 1_000).then(() => {
      isOver = true
    })

    async function bid(server: AuctionService, index: number): Promise<void> {
      const [auction, amount] = [auctions[index % count] ?? auctions[0], (amounts[index % count] ?? 0) + 5]
      amounts[index % count] = amount
      const sentMs = time.nowMs()
      const placed = auction && (await server.placeBid(newBid(auction, 2, amount)))
      if (isOver) return
      waitsMs.push(time.nowMs() - sentMs)
      const at = servers.indexOf(server)
      if (placed?.ok) wins[at] = (wins[at] ?? 0) + 1
    }

    if ('clientsPerServer' in bidding) {
      const clients = servers.flatMap((server) =>
        Array.from({ length: bidding.clientsPerServer }, async (_, client) => {
          while (!isOver) await bid(server, client)
        }),
      )
      await Promise.all(clients)
      return
    }
    const bids: Promise<void>[] = []
    while (!isOver) {
      await time.sleep(chance.int(1, 2_000) / bidding.bidsPerSecond)
      bids.push(bid(servers[bids.length % servers.length] ?? first, chance.int(0, count - 1)))
    }
    await Promise.all(bids)
  }

  const ended = run()
  await time.run()
  await ended
  waitsMs.sort((a, b) => a - b)
  const part = (share: number): number => waitsMs[Math.floor(waitsMs.length * share)] ?? Number.NaN
  return { wins, p50Ms: part(0.5), p99Ms: part(0.99) }
}

type Database = Store & { readonly write: (appends: readonly (readonly Entry[])[]) => Promise<readonly number[]> }

/** Writes one group after another. Each write takes time, and large groups cost less per entry. */
function createDatabase(time: VirtualTime): Database {
  const right = createQuickStore()
  let busyUntilMs = 0
  return {
    ...right,
    async write(appends) {
      busyUntilMs = Math.max(time.nowMs(), busyUntilMs) + msPerWrite + msPerEntry * appends.flat().length
      await time.sleep(busyUntilMs - time.nowMs())
      return Promise.all(appends.map((entries) => right.append(entries)))
    },
  }
}

/** The database as one server sees it. */
function createLink(database: Database, delay: () => Promise<void>): Store {
  const delayed =
    <Values extends readonly unknown[], Value>(call: (...values: Values) => Promise<Value>) =>
    async (...values: Values): Promise<Value> => {
      await delay()
      const value = await call(...values)
      await delay()
      return value
    }
  return {
    ...database,
    append: createGroupCommit({ write: delayed(database.write), maxWrites: 2, maxContendedWrites: 2 }),
    findAuction: delayed(database.findAuction),
    findHeads: delayed(database.findHeads),
    findEntries: delayed(database.findEntries),
  }
}
