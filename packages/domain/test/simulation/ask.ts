import type { Attempt, Refused, Unknown } from '@auction/testing/history'
import type { AuctionService } from '../../src/service.ts'
import { isStoreUnavailable } from '../../src/store/errors.ts'
import type { Result } from '../../src/values/result.ts'
import { longestHostMs, type Process } from './processes.ts'
import { nowMs, type World } from './world.ts'

type Refusal = Omit<Refused, 'outcome'>

/** A response, and the times of its request. */
export type Asked<Shown> = {
  readonly response: Shown | Refused | Unknown
  readonly times: Pick<Attempt, 'sentAtMs' | 'arrivedAtMs' | 'respondedAtMs'>
}

export type Use<Value> = (service: AuctionService, arrivedAtMs?: number) => Promise<Result<Value, Refusal>>

/** The response of a process, or `unknown` if it crashes first or its client times out. */
export async function ask<Value, Shown>(
  world: World,
  process: Process,
  use: Use<Value>,
  responseOf: (value: Value) => Shown,
  mostDeadlines = 1,
): Promise<Asked<Shown>> {
  const { chance, time } = world
  const sentAtMs = nowMs(world)
  let arrivedAtMs: number | undefined
  const onArrival = () => {
    arrivedAtMs = nowMs(world)
  }
  const inTime = responseInTime(world, process, use, responseOf, onArrival, mostDeadlines)
  const abandoned = (): Promise<Unknown> => time.sleep(chance.int(1, 300)).then(() => ({ outcome: 'unknown' }))
  const response = await (chance.percent(world.abandonPercent) ? Promise.race([inTime, abandoned()]) : inTime)
  const times = { sentAtMs, ...(arrivedAtMs !== undefined && { arrivedAtMs }), respondedAtMs: nowMs(world) }
  return { response, times }
}

async function responseInTime<Value, Shown>(
  { time, limits, problems }: World,
  process: Process,
  use: Use<Value>,
  responseOf: (value: Value) => Shown,
  onArrival: () => void,
  mostDeadlines: number,
): Promise<Shown | Refused | Unknown> {
  const [sentAtMs, pausedMs] = [time.nowMs(), process.pausedMs()]
  try {
    const result = await process.call(use, onArrival)
    if (result === 'crashed') return { outcome: 'unknown' }
    return result.ok ? responseOf(result.value) : { ...result.refusal, outcome: 'refused' }
  } catch (error) {
    if (!isStoreUnavailable(error)) problems.push(`a request failed: ${error instanceof Error ? error.stack : error}`)
    const isUnknown = !isStoreUnavailable(error) || error.outcome === 'unknown'
    return isUnknown ? { outcome: 'unknown' } : { outcome: 'refused', code: 'store-unavailable' }
  } finally {
    const tookMs = time.nowMs() - sentAtMs - (process.pausedMs() - pausedMs)
    // A millisecond or two pass between the end of a pause and the timers that wait for it.
    if (tookMs > mostDeadlines * limits.deadlineMs + longestHostMs + 2) problems.push(`a response took ${tookMs} ms`)
  }
}
