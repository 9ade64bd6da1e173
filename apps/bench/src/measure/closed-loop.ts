import { createHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sample } from './rows.ts'

type Outcome = 'accepted' | 'refused'

/** One operation of one of the clients, which are numbered from 0. */
export type Operation = (client: number) => Promise<Outcome>

/** What ends in the first `warmupSeconds` is not counted. */
export type Load = { readonly clients: number; readonly warmupSeconds: number; readonly seconds: number }

/**
 * Runs clients that each start an operation when the one before has ended. With `work`, operations are counted while that goes on,
 * instead of for `seconds`, and the sample says how long it took.
 * @throws what the first operation failed with, when none succeeded
 */
export async function runClosedLoop(
  operation: Operation,
  { clients, warmupSeconds, seconds }: Load,
  { perOperation = 1, work }: { readonly perOperation?: number; readonly work?: () => Promise<unknown> } = {},
): Promise<Sample> {
  const countFromMs = performance.now() + warmupSeconds * 1000
  let endMs = work === undefined ? countFromMs + seconds * 1000 : Number.POSITIVE_INFINITY
  const counts = { accepted: 0, refused: 0, failed: 0 }
  const latencies = createLatencies()
  let firstFailure: unknown

  // The clock ends the loop, not a timer: operations on memory never let a timer run.
  async function runClient(client: number): Promise<void> {
    for (let nowMs = performance.now(); nowMs < endMs; ) {
      const sentMs = nowMs
      const outcome = await operation(client).catch((error) => {
        firstFailure ??= error
        return 'failed' as const
      })
      nowMs = performance.now()
      if (nowMs < countFromMs || nowMs >= endMs) continue
      counts[outcome] += 1
      if (outcome !== 'failed') latencies.recordMs(nowMs - sentMs)
    }
  }

  async function runWork(): Promise<void> {
    if (work === undefined) return
    await sleep(warmupSeconds * 1000)
    await work().finally(() => {
      endMs = performance.now()
    })
  }

  await Promise.all([runWork(), ...Array.from({ length: clients }, (_, client) => runClient(client))])
  if (firstFailure !== undefined && counts.accepted === 0) throw firstFailure
  const perSecond = (count: number) => (count * perOperation * 1000) / (endMs - countFromMs)
  return {
    perSecond: perSecond(counts.accepted),
    refusedPerSecond: perSecond(counts.refused),
    failedPerSecond: perSecond(counts.failed),
    p50Ms: latencies.atPercent(50),
    p99Ms: latencies.atPercent(99),
    ...(work && { tookMs: endMs - countFromMs }),
  }
}

/** A histogram of times in milliseconds, with three significant digits. */
export function createLatencies() {
  const nanoseconds = createHistogram({ figures: 3 })
  return {
    // A histogram takes no 0, which the clock may give for an operation on memory.
    recordMs: (ms: number) => nanoseconds.record(Math.max(1, Math.round(ms * 1e6))),
    atPercent: (percent: number) => (nanoseconds.count === 0 ? undefined : nanoseconds.percentile(percent) / 1e6),
  }
}
