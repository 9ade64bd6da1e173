import { once } from 'node:events'
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { newAuction } from '../support/client.ts'
import { tokenOf } from '../support/tokens.ts'
import { type Latency, type LoadOrder, type LoadReport, latencyOf } from './load.ts'

export type SoakOptions = {
  /** The URL of a server without a rate limit. */
  readonly url: string
  readonly seconds: number
  /** The load, as a multiple of the capacity. */
  readonly factor: number
  readonly connections: number
}

export type SoakReport = {
  /** The rate at which clients that wait for their responses are served, in requests per second. */
  readonly capacity: LoadReport & { readonly perSecond: number }
  readonly overload: LoadReport & { readonly offeredPerSecond: number; readonly admittedPerSecond: number }
  readonly probes: { readonly failed: number; readonly latency: Latency }
}

const capacitySeconds = 5
const capacityConnections = 64

/** Measures the capacity of a server, and then its behaviour under a higher load: requests arrive on schedule, regardless of responses. */
export async function soak({ url, seconds, factor, connections }: SoakOptions): Promise<SoakReport> {
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
  const response = await fetch(`${url}/api/Auctions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...newAuction, startTime: '2020-01-01T00:00:00Z', minimumBidIncrement: 1 }),
  })
  const { data }: { readonly data: { readonly id: number } } = JSON.parse(await response.text())
  return data.id
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
