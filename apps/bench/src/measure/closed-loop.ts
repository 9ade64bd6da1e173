import { createHistogram } from 'node:perf_hooks'
import type { Sample } from './rows.ts'

/** One operation of a client; clients are numbered from 0. */
export type Operation = (client: number) => Promise<'accepted' | 'refused'>

export type Load = {
  readonly clients: number
  /** Operations that end in this time are not counted. */
  readonly warmupSeconds: number
  readonly seconds: number
}

/**
 * Runs clients that each start an operation when the previous one has ended.
 * @throws the error of the first operation, if none succeeded
 */
export async function runClosedLoop(operation: Operation, { clients, warmupSeconds, seconds }: Load): Promise<Sample> {
  const countFromMs = performance.now() + warmupSeconds * 1000
  const endMs = countFromMs + seconds * 1000
  const counts = { accepted: 0, refused: 0, failed: 0 }
  const latenciesNs = createHistogram({ figures: 3 })
  let firstFailure: unknown

  // The clock ends the loop, not a timer: operations in memory never let a timer run.
  async function runClient(client: number): Promise<void> {
    for (let nowMs = performance.now(); nowMs < endMs; ) {
      const sentMs = nowMs
      const outcome = await operation(client).catch((error) => {
        firstFailure ??= error
        return 'failed' as const
      })
      nowMs = performance.now()
      if (nowMs >= countFromMs && nowMs < endMs) {
        counts[outcome] += 1
        // A histogram accepts no 0, which the clock may return for an operation in memory.
        if (outcome !== 'failed') latenciesNs.record(Math.max(1, Math.round((nowMs - sentMs) * 1e6)))
      }
    }
  }

  await Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)))
  if (firstFailure !== undefined && counts.accepted === 0) throw firstFailure
  const perSecond = (count: number) => count / seconds
  const atPercent = (percent: number) => (latenciesNs.count === 0 ? undefined : latenciesNs.percentile(percent) / 1e6)
  return {
    perSecond: perSecond(counts.accepted),
    refusedPerSecond: perSecond(counts.refused),
    failedPerSecond: perSecond(counts.failed),
    p50Ms: atPercent(50),
    p99Ms: atPercent(99),
  }
}
