import { randomBytes } from 'node:crypto'
import { repeat } from '../bidding.ts'
import { startReceiver } from '../http/receiver.ts'
import { get, post, type Server, startAlone, startStack } from '../http/server.ts'
import { defaultConnections, runWrk } from '../http/wrk.ts'
import { measureInRounds, type Point } from '../measure/rows.ts'
import type { Options } from '../options.ts'
import type { Bench } from '../run.ts'
import { type Defer, scoped } from '../scope.ts'

/** Measures deliveries to an endpoint, and bids while ten endpoints get theirs. */
export const measureWebhooks = ({ options, log }: Bench) =>
  scoped(async (defer) => {
    const { httpAuctions, rounds } = options
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
    return measureInRounds(points, rounds, log)
  })

/** The setting of some endpoints with one URL. */
export function webhooksTo(url: string, endpoints: number): { readonly WEBHOOKS?: string } {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const list = Array.from({ length: endpoints }, (_, count) => ({ name: `bench-${count}`, url, secret }))
  return endpoints > 0 ? { WEBHOOKS: JSON.stringify(list) } : {}
}

type Delivering = Awaited<ReturnType<typeof startDelivering>>

/** A service that has delivered the creation of each of its auctions to endpoints in this process. */
async function startDelivering(store: 'memory' | 'sqlite', { httpAuctions }: Options, defer: Defer, endpoints = 1) {
  const receiver = await startReceiver(defer)
  const server = await startAlone(store, httpAuctions, defer, webhooksTo(receiver.url, endpoints))
  await receiver.received(endpoints * httpAuctions)
  return { server, receiver }
}

/** The CPU and real time of some work of a server. */
async function measureWork(server: Server, messages: number, work: () => Promise<unknown>) {
  const cpuBefore = await server.cpuMicros()
  const startMs = performance.now()
  await work()
  const tookMs = performance.now() - startMs
  return { messages, tookMs, cpu: (await server.cpuMicros()) - cpuBefore }
}

/**
 * Delivers an event of each auction. All wait at the service until their bids have been answered, so that only
 * deliveries are measured.
 */
function deliveries({ server, receiver }: Delivering, auctions: number) {
  let amount = 0
  return async () => {
    amount += 1
    let auctionId = 0
    const before = receiver.counts().accepted
    receiver.hold()
    await repeat(auctions, async () => {
      auctionId += 1
      await post(`${server.origin}/api/Bids`, { auctionId, bidderId: 2, amount })
    })
    return measureWork(server, auctions, async () => {
      receiver.release()
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
  clients: defaultConnections,
  floor: endpoints === 0 ? undefined : ['none', 'perSecond'],
  async measure(defer) {
    const { server } = await startDelivering('memory', options, defer, endpoints)
    const load = { auctions: options.httpAuctions, seconds: options.seconds }
    // The first run compiles hot code, and leaves as many events to deliver as wait under this load.
    await runWrk(server, load)
    return (await runWrk(server, load)).sample
  },
})
