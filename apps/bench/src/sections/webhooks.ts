import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { repeat } from '../bidding.ts'
import { startReceiver } from '../http/receiver.ts'
import { get, post, type Server, startService, startStack } from '../http/server.ts'
import { connections, runWrk } from '../http/wrk.ts'
import { measureInRounds, number, type Point, type Sample } from '../measure/rows.ts'
import type { Options } from '../options.ts'
import { makeFolder } from '../resources.ts'
import type { Bench } from '../run.ts'
import { type Defer, scoped } from '../scope.ts'

/** Deliveries to an endpoint, bids while ten endpoints get theirs, and events that wait for an unavailable endpoint. */
export const measureWebhooks = ({ options, log }: Bench) =>
  scoped(async (defer) => {
    const { httpAuctions, rounds, backlogEvents } = options
    const memory = await startDelivering('memory', options, defer)
    const sqlite = await startDelivering('sqlite', options, defer)
    const deliver = { memory: deliveries(memory, httpAuctions), sqlite: deliveries(sqlite, httpAuctions) }
    await deliver.memory()
    const MESSAGE = JSON.stringify(memory.receiver.lastMessage())
    const poster = await startStack('poster', { MESSAGE, TARGET: memory.receiver.url }, defer)
    const postAll = () => measureWork(poster, httpAuctions, () => get(`${poster.origin}/posts/${httpAuctions}`))

    const points = [
      delivery('post', 'a bare POST of the same bytes', options, postAll),
      delivery('memory', 'a signed delivery, in memory', options, deliver.memory),
      delivery('sqlite', 'a signed delivery, on SQLite', options, deliver.sqlite),
      bids('none', 'bids without endpoints', options, 0),
      bids('ten', 'bids with ten endpoints', options, 10),
    ]
    const backlog: Point = {
      key: 'backlog',
      label: `${number(backlogEvents)} events for an unavailable endpoint, on SQLite`,
      clients: 1,
      measure: (defer) => measureBacklog(options, defer),
    }
    // Once, because an outage ends at the next probe, which may be half a minute later.
    return [...(await measureInRounds(points, rounds, log)), ...(await measureInRounds([backlog], 1, log))]
  })

type Delivering = Awaited<ReturnType<typeof startDelivering>>

/** A service that has delivered the creation of each of its auctions to endpoints in this process. */
async function startDelivering(
  store: 'memory' | 'sqlite',
  { httpAuctions }: Options,
  defer: Defer,
  { endpoints = 1, ...settings }: { readonly endpoints?: number; readonly SQLITE_FILE?: string } = {},
) {
  const receiver = await startReceiver(defer)
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const list = Array.from({ length: endpoints }, (_, count) => ({ name: `bench-${count}`, url: receiver.url, secret }))
  const webhooks = endpoints > 0 ? { WEBHOOKS: JSON.stringify(list) } : {}
  const server = await startService(store, httpAuctions, defer, { ...settings, ...webhooks })
  await receiver.received(endpoints * httpAuctions)
  return { server, receiver }
}

/** The CPU and real time of some work of a server. */
async function measureWork(server: Server, messages: number, work: () => Promise<unknown>) {
  const cpuBefore = await server.usage('cpu')
  const startMs = performance.now()
  await work()
  const tookMs = performance.now() - startMs
  return { messages, tookMs, cpu: (await server.usage('cpu')) - cpuBefore }
}

/** Delivers an event of each auction. All wait at the service until their bids have been answered, so that only deliveries are measured. */
function deliveries({ server, receiver }: Delivering, auctions: number) {
  let amount = 0
  return async () => {
    amount += 1
    let auctionId = 0
    const before = receiver.accepted()
    receiver.answer('later')
    await repeat(auctions, async () => {
      auctionId += 1
      await post(`${server.origin}/api/Bids`, { auctionId, bidderId: 2, amount })
    })
    return measureWork(server, auctions, async () => {
      receiver.answer('accepted')
      await receiver.received(before + auctions)
    })
  }
}

const delivery = (
  key: string,
  label: string,
  { seconds }: Options,
  deliverAll: () => ReturnType<typeof measureWork>,
): Point => ({
  key,
  label,
  clients: 1,
  floor: key === 'post' ? undefined : ['post', 'cpuMicros'],
  async measure() {
    const sum = { messages: 0, tookMs: 0, cpu: 0 }
    while (sum.tookMs < seconds * 1000) {
      const { messages, tookMs, cpu } = await deliverAll()
      sum.messages += messages
      sum.tookMs += tookMs
      sum.cpu += cpu
    }
    return { perSecond: (sum.messages * 1000) / sum.tookMs, cpuMicros: sum.cpu / sum.messages }
  },
})

const bids = (key: string, label: string, options: Options, endpoints: number): Point => ({
  key,
  label,
  clients: connections,
  floor: endpoints === 0 ? undefined : ['none', 'perSecond'],
  async measure(defer) {
    const { server } = await startDelivering('memory', options, defer, { endpoints })
    const load = { auctions: options.httpAuctions, seconds: options.seconds }
    // The first run compiles hot code, and leaves as many events to deliver as wait under this load.
    await runWrk(server, load)
    const { requests: _, ...sample } = await runWrk(server, load)
    return sample
  },
})

/** What waiting events cost, and the rate at which they are delivered when their endpoint is available again. */
async function measureBacklog(options: Options, defer: Defer): Promise<Sample> {
  const { httpAuctions: auctions, backlogEvents, seconds } = options
  const SQLITE_FILE = join(await makeFolder(defer), 'auctions.sqlite')
  const { server, receiver } = await startDelivering('sqlite', options, defer, { SQLITE_FILE })
  const database = new DatabaseSync(SQLITE_FILE, { readOnly: true })
  defer(() => database.close())
  const count = (table: string) => Number(database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.['rows'])
  const read = async () => ({
    events: count('entries'),
    checkpoints: count('checkpoints'),
    heap: (await server.usage('memory')).heap,
  })
  async function deliverRest(): Promise<void> {
    // Each auction has the event of its creation, and one per entry. wrk does not wait for its last bids.
    while (receiver.accepted() < auctions + count('entries')) await receiver.received(auctions + count('entries'))
  }

  async function warmUp() {
    await runWrk(server, { auctions, seconds })
    await deliverRest()
    return read()
  }

  // The third garbage collection discards several megabytes of code that only the startup needs.
  await warmUp()
  await warmUp()
  const before = await warmUp()
  receiver.answer('none')
  while (count('entries') < before.events + backlogEvents) await runWrk(server, { auctions, seconds })
  const after = await read()
  const first = receiver.accepted() + 1
  receiver.answer('accepted')
  await receiver.received(first)
  const { tookMs } = await measureWork(server, backlogEvents, deliverRest)
  return {
    rowsPerEvent: (after.checkpoints - before.checkpoints) / (after.events - before.events),
    heapBytes: after.heap - before.heap,
    perSecond: ((receiver.accepted() - first) * 1000) / tookMs,
  }
}
