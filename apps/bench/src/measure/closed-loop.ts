import type { Histogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLatencies, recordMs } from './latencies.ts'

export type Outcome = 'accepted' | 'refused'

/** One operation of one of the clients, which are numbered from 0. A rejection counts as failed. */
export type Operation = (client: number) => Promise<Outcome>

export type Load = {
  readonly clients: number
  /** What happens in these first seconds is not counted. */
  readonly warmupSeconds: number
  readonly seconds: number
}

export type LoopResult = {
  readonly accepted: number
  readonly refused: number
  readonly failed: number
  /** Of the operations that did not fail. */
  readonly latencies: Histogram
  /** Whatever was answered at all, before, in and after the seconds that count. */
  readonly answeredInAll: number
  readonly firstFailure: unknown
}

/** When operations are counted, and when they end. */
type Window = { countFromMs: number; endMs: number }

const clockOfProcess = () => performance.now()

/**
 * Lets clients work, each sending its next operation as soon as its last one is answered, and counts what is answered in the
 * seconds that count. The end of an operation is the beginning of the client's next, so the clock is read once for each.
 */
export async function runClosedLoop(
  operation: Operation,
  { clients, warmupSeconds, seconds }: Load,
  clockMs: () => number = clockOfProcess,
): Promise<LoopResult> {
  const countFromMs = clockMs() + warmupSeconds * 1000
  return workIn({ countFromMs, endMs: countFromMs + seconds * 1000 }, operation, clients, clockMs)
}

/** The same beside some other work, which begins after the warm-up: what counts is answered while that goes on. */
export async function runClosedLoopBeside(
  work: () => Promise<unknown>,
  operation: Operation,
  { clients, warmupSeconds }: Omit<Load, 'seconds'>,
  clockMs: () => number = clockOfProcess,
): Promise<LoopResult & { readonly tookMs: number }> {
  const window: Window = { countFromMs: Number.POSITIVE_INFINITY, endMs: Number.POSITIVE_INFINITY }
  async function workAfterWarmup(): Promise<void> {
    await sleep(warmupSeconds * 1000)
    window.countFromMs = clockMs()
    try {
      await work()
    } finally {
      window.endMs = clockMs()
    }
  }
  const [result] = await Promise.all([workIn(window, operation, clients, clockMs), workAfterWarmup()])
  return { ...result, tookMs: window.endMs - window.countFromMs }
}

async function workIn(
  window: Readonly<Window>,
  operation: Operation,
  clients: number,
  clockMs: () => number,
): Promise<LoopResult> {
  const counts = { accepted: 0, refused: 0, failed: 0 }
  const latencies = createLatencies()
  let answeredInAll = 0
  let firstFailure: unknown

  // Nothing but the clock ends the loop: operations on memory never let a timer run.
  async function work(client: number): Promise<void> {
    let nowMs = clockMs()
    while (nowMs < window.endMs) {
      const sentMs = nowMs
      let outcome: keyof typeof counts
      try {
        outcome = await operation(client)
      } catch (error) {
        firstFailure ??= error
        outcome = 'failed'
      }
      nowMs = clockMs()
      answeredInAll += 1
      if (nowMs < window.countFromMs || nowMs >= window.endMs) continue
      counts[outcome] += 1
      if (outcome !== 'failed') recordMs(latencies, nowMs - sentMs)
    }
  }

  await Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
  return { ...counts, latencies, answeredInAll, firstFailure }
}
