import { startService } from '../http/server.ts'
import { connections, runWrk } from '../http/wrk.ts'
import { measureInRounds, median, number, type Point } from '../measure/rows.ts'
import type { Bench } from '../run.ts'

/** Memory and speed of the service on SQLite over many bids by HTTP, sampled at about equal distances. */
export function measureSoak({ options: { soakBids, soakSamples: samples, httpAuctions, seconds }, log }: Bench) {
  const measure: Point['measure'] = async (defer) => {
    const server = await startService('sqlite', httpAuctions, defer)
    const taken: { readonly rate: number; readonly heap: number; readonly resident: number }[] = []
    let placed = 0
    while (taken.length < samples) {
      const rates: number[] = []
      do {
        const { requests, perSecond = 0, refusedPerSecond, failedPerSecond } = await runWrk(server, 'bid', seconds)
        if (refusedPerSecond || failedPerSecond) {
          const [refused, failed] = [number(refusedPerSecond ?? 0), number(failedPerSecond ?? 0)]
          throw new Error(`of bids that are high enough, ${refused} were refused and ${failed} failed in a second`)
        }
        placed += requests
        rates.push(perSecond)
      } while (placed < (soakBids / samples) * (taken.length + 1))
      const { residentBytes: resident, heapBytes: heap } = await server.usage()
      const rate = median(rates) ?? 0
      taken.push({ rate, heap, resident })
      log(
        `${number(placed)} bids, ${number(rate)}/s, ${number(heap / 1e6)} MB heap, ${number(resident / 1e6)} MB resident`,
      )
    }
    return {
      heapGrowthPercent: growthPercent(taken.map(({ heap }) => heap)),
      residentGrowthPercent: growthPercent(taken.map(({ resident }) => resident)),
      lastToFirst: (taken.at(-1)?.rate ?? 0) / (taken[0]?.rate ?? 0),
    }
  }
  const label = `${number(soakBids)} bids on ${number(httpAuctions)} auctions over HTTP, on SQLite`
  return measureInRounds([{ key: 'soak', label, clients: connections, measure }], 1, log)
}

/** From the second quarter of the values to the last, by their medians. In the first one caches fill. */
export function growthPercent(values: readonly number[]): number {
  const quarter = Math.floor(values.length / 4)
  const [before, after] = [values.slice(quarter, 2 * quarter), values.slice(-quarter)].map(median)
  return ((after ?? 0) / (before ?? 0) - 1) * 100
}
