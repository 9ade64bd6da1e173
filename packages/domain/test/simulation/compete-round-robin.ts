import type { Clock } from '../../src/clock.ts'
import { createAuctionService } from '../../src/service.ts'
import { createGroupCommit } from '../../src/store/batching.ts'
import type { Entry, Store } from '../../src/store/store.ts'
import type { AuctionId } from '../../src/values/ids.ts'
import { createAuction, newBid } from '../support/service.ts'
import { createQuickStore } from '../support/stores.ts'
import { type Chance, createChance } from './chance.ts'
import { createVirtualTime, type VirtualTime } from './virtual-time.ts'

/** How clients bid. */
export type Load = {
  readonly servers: number
  readonly auctions: number
  /** Clients who bid again after each answer, or bids that arrive at random times. */
  readonly clients: number | { readonly bidsPerSecond: number }
  /** The server of a request: that of its auction, or the next one. */
  readonly way: 'by auction' | 'round robin'
  readonly seconds: number
}

/** What clients see of their bids. */
export type Service = {
  readonly bidsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const startMs = Date.parse('2030-01-31T13:00:00Z')
const wayMs = 1
const msPerWrite = 0.5
const msPerEntry = 0.03

/** Several servers share one store, and clients bid through them. Time is virtual: the same seed gives exactly the same result. */
export async function serve(seed: number, { servers: count, auctions, clients, way, seconds }: Load): Promise<Service> {
  const chance = createChance(seed)
  const time = createVirtualTime(chance)
  const clock: Clock = { nowMs: () => startMs + Math.floor(time.nowMs()), after: time.after }
  const store = createDatabase(time)
  const endMs = seconds * 1_000
  const waitsMs: number[] = []
  const ended = run()
  await time.run()
  await ended
  waitsMs.sort((a, b) => a - b)
  const part = (share: number): number => waitsMs[Math.floor(waitsMs.length * share)] ?? Number.NaN
  return { bidsPerSecond: waitsMs.length / seconds, p50Ms: part(0.5), p99Ms: part(0.99) }

  async function run(): Promise<void> {
    const servers = Array.from({ length: count }, () =>
      createAuctionService({ store: createLink(store, chance, time), clock }),
    )
    const [first] = servers
    if (first === undefined) throw new RangeError('there must be a server')
    const ids = await Promise.all(Array.from({ length: auctions }, async () => (await createAuction(first)).id))
    const amounts = ids.map(() => 100)
    let next = 0
    let isOver = false
    void time.sleep(endMs).then(() => {
      isOver = true
    })

    async function bid(index: number): Promise<void> {
      const amount = (amounts[index] ?? 0) + 5
      amounts[index] = amount
      const server = servers[way === 'by auction' ? index % count : next++ % count]
      const sentMs = time.nowMs()
      await server?.placeBid(newBid({ id: ids[index] as AuctionId }, 2, amount))
      if (!isOver) waitsMs.push(time.nowMs() - sentMs)
    }

    if (typeof clients === 'number') {
      await Promise.all(
        Array.from({ length: clients }, async (_, client) => {
          while (!isOver) await bid(client % auctions)
        }),
      )
      return
    }
    const bids: Promise<void>[] = []
    while (!isOver) {
      await time.sleep((chance.int(1, 2_000) / 1_000) * (1_000 / clients.bidsPerSecond))
      bids.push(bid(chance.int(0, auctions - 1)))
    }
    await Promise.all(bids)
  }
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
function createLink(database: Database, chance: Chance, time: VirtualTime): Store {
  const delay = () => time.sleep((wayMs * chance.int(500, 1_500)) / 1_000)
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
