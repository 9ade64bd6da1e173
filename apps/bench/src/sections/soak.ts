import { startService } from '../http/server.ts'
import { connections, runWrk } from '../http/wrk.ts'
import { measureInRounds, median, number, type Point } from '../measure/rows.ts'
import type { Bench } from '../run.ts'

/** The memory of the service on SQLite over many bids by HTTP. */
export function measureSoak({ options: { soakBids, httpAuctions, seconds }, log }: Bench) {
  const measure: Point['measure'] = async (defer) => {
    const server = await startService('sqlite', httpAuctions, defer)
    const heap: number[] = []
    const resident: number[] = []
    for (let placed = 0; placed < soakBids || heap.length < 4; ) {
      const { requests, perSecond, refusedPerSecond, failedPerSecond } = await runWrk(server, {
        auctions: httpAuctions,
        seconds,
      })
      if (refusedPerSecond || failedPerSecond) {
        const [refused, failed] = [number(refusedPerSecond), number(failedPerSecond)]
        throw new Error(`of bids that are high enough, ${refused} were refused and ${failed} failed in a second`)
      }
      placed += requests
      const memory = await server.usage('memory')
      heap.push(memory.heap)
      resident.push(memory.resident)
      const text = `${number(memory.heap / 1e6)} MB heap, ${number(memory.resident / 1e6)} MB resident`
      log(`${number(placed)} bids, ${number(perSecond)}/s, ${text}`)
    }
    return { heapGrowthPercent: growthPercent(heap), residentGrowthPercent: growthPercent(resident) }
  }
  const label = `${number(soakBids)} bids on ${number(httpAuctions)} auctions over HTTP, on SQLite`
  return measureInRounds([{ key: 'soak', label, clients: connections, measure }], 1, log)
}

/** The growth from the second quarter of the values to the last, by their medians. In the first quarter, caches fill. */
export function growthPercent(values: readonly number[]): number {
  const quarter = Math.floor(values.length / 4)
  const [before, after] = [values.slice(quarter, 2 * quarter), values.slice(-quarter)].map(median)
  return ((after ?? 0) / (before ?? 0) - 1) * 100
}
