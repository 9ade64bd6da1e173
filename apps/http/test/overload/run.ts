import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { createAuctionClient, orThrow } from '@auction/client'
import { startChild } from '../../../../tools/vitest/child.ts'
import { newAuction } from '../support/client.ts'
import { secret, tokenOf } from '../support/tokens.ts'
import { type Latency, type LoadOrder, type LoadReport, latencyOf } from './load.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    factor: { type: 'string', default: '2' },
    connections: { type: 'string', default: '1900' },
    store: { type: 'string', default: 'sqlite' },
  },
})

const capacitySeconds = 5
const capacityConnections = 64

const say = (text: string) => process.stdout.write(`${text}\n`)
const whole = (count: number) => Math.round(count).toLocaleString('en')
const percentiles = ({ p50, p99, max }: Latency) =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(0)} ms`

const folder = await mkdtemp(join(tmpdir(), 'auction-overload-'))
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const server = startChild(process.execPath, ['--conditions=@auction/source', main], {
  env: {
    PATH: process.env['PATH'],
    PORT: '0',
    JWT_SECRET: secret,
    RATE_LIMIT_MAX: '1000000000',
    // The whole load comes from one address.
    MAX_CONNECTIONS_PER_ADDRESS: '2000',
    MAX_REQUESTS_AT_ONCE: process.env['MAX_REQUESTS_AT_ONCE'] ?? '512',
    ...(values.store === 'memory' ? { STORE: 'memory' } : { SQLITE_FILE: join(folder, 'auctions.sqlite') }),
  },
})

try {
  const [, url = ''] = await server.until(/"url":"([^"]+)".*"msg":"listening/)
  const { capacity, overload, probes } = await soak({
    url,
    seconds: Number(values.seconds),
    factor: Number(values.factor),
    connections: Number(values.connections),
  })
  const share = overload.refused / (overload.refused + overload.admitted)
  say(
    `capacity:  ${whole(capacity.perSecond)} requests a second on 64 connections; ${percentiles(capacity.admittedLatency)}`,
  )
  say(`offered:   ${whole(overload.offeredPerSecond)} a second for ${values.seconds} s`)
  say(`admitted:  ${whole(overload.admittedPerSecond)} a second; ${percentiles(overload.admittedLatency)}`)
  say(`refused:   ${(100 * share).toFixed(1)} % with 503; ${percentiles(overload.refusedLatency)}`)
  say(`unsent:    ${whole(overload.unsent)}, as all ${values.connections} connections waited for answers`)
  say(`broken:    ${overload.broken.length} ${overload.broken[0] ?? ''}`)
  say(`probes:    ${probes.failed} failed; ${percentiles(probes.latency)}`)
  process.exitCode = overload.broken.length + capacity.broken.length + probes.failed === 0 ? 0 : 1
} finally {
  server.child.kill('SIGTERM')
  await server.exited()
  await rm(folder, { recursive: true })
}

type SoakOptions = {
  /** The URL of a server without a rate limit. */
  readonly url: string
  readonly seconds: number
  /** The load, as a multiple of the capacity. */
  readonly factor: number
  readonly connections: number
}

type SoakReport = {
  /** The rate at which clients that wait for their responses are served, in requests per second. */
  readonly capacity: LoadReport & { readonly perSecond: number }
  readonly overload: LoadReport & { readonly offeredPerSecond: number; readonly admittedPerSecond: number }
  readonly probes: { readonly failed: number; readonly latency: Latency }
}

/** Measures the capacity of a server, and then its behaviour under a higher load: requests arrive on schedule, regardless of responses. */
async function soak({ url, seconds, factor, connections }: SoakOptions): Promise<SoakReport> {
  const token = tokenOf('soak')
  const target = { port: Number(new URL(url).port), token, auctionId: await createAuction(url, token) }
  // Once as a warm-up.
  await load({ ...target, seconds: capacitySeconds, connections: capacityConnections })
  const capacity = await load({ ...target, seconds: capacitySeconds, connections: capacityConnections })
  const perSecond = capacity.admitted / capacitySeconds
  const rate = perSecond * factor

  const loading = load({ ...target, seconds, connections, rate })
  const probes = await probeUntil(url, loading)
  const overload = await loading
  return {
    capacity: { ...capacity, perSecond },
    overload: { ...overload, offeredPerSecond: rate, admittedPerSecond: overload.admitted / seconds },
    probes,
  }
}

async function createAuction(url: string, token: string): Promise<number> {
  const client = createAuctionClient({ baseUrl: url, token })
  const auction = { ...newAuction, startTime: '2020-01-01T00:00:00Z', minimumBidIncrement: 1 }
  return orThrow(await client.createAuction(auction)).data.id
}

/** Sends a load from a separate thread. */
async function load(order: LoadOrder): Promise<LoadReport> {
  const worker = new Worker(new URL('./load.ts', import.meta.url), { workerData: order })
  const [report] = await once(worker, 'message')
  await worker.terminate()
  return report
}

async function probeUntil(url: string, loading: Promise<unknown>): Promise<SoakReport['probes']> {
  const latency = createHistogram()
  let failed = 0
  let isOver = false
  const over = loading.finally(() => {
    isOver = true
  })
  for (let count = 0; !isOver; count++) {
    const startMs = performance.now()
    const response = await fetch(`${url}${count % 2 === 0 ? '/livez' : '/readyz'}`).catch(() => undefined)
    await response?.text()
    if (response?.status !== 200) failed += 1
    latency.record(Math.max(1, Math.round((performance.now() - startMs) * 1000)))
    await sleep(50)
  }
  await over
  return { failed, latency: latencyOf(latency) }
}
