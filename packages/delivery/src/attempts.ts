import type { Clock } from '@auction/domain'
import { createTimeLimit, withinTime } from '@auction/domain/extension'
import type { DeliveryResult, SubscribedEvent, Subscriber } from './subscriber.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** The pause after each failed attempt for an event; the last one repeats. */
const pausesMs = [
  1_000,
  5_000,
  30_000,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  hourMs,
  3 * hourMs,
  6 * hourMs,
  12 * hourMs,
]
/** In an outage one attempt shows whether it is over, so the pauses are short. */
const longestProbePauseMs = 10 * minuteMs
const longestRetryAfterMs = hourMs
const goldenRatio = (Math.sqrt(5) - 1) / 2
/** A share from 0 to 1 for a number. Those of numbers in a row are far apart, so that not all act at the same time. */
export const spread = (count: number): number => (count * goldenRatio) % 1

/** After this age an event may be given up. */
export const giveUpMs = 75 * hourMs
/** The minimum number of attempts for an event, even if it is already older when they begin, such as after an outage. */
export const leastAttempts = 10

/** Whether the failed attempt was the last for its event. */
export const isLastAttempt = (attempt: number, ageMs: number): boolean => ageMs >= giveUpMs && attempt >= leastAttempts

/** Returns the pauses after failures: the next one, at least as long as the subscriber asks for. */
export function createPauses() {
  let count = 0
  const pauseAfter = (failures: number, longestMs: number, retryAfterMs = 0): number => {
    const pauseMs = Math.min(pausesMs[Math.min(failures, pausesMs.length) - 1] ?? 0, longestMs)
    // Up to a fifth shorter or longer, so that simultaneous failures do not lead to simultaneous attempts.
    count += 1
    const spreadMs = pauseMs * (0.8 + 0.4 * spread(count))
    return retryAfterMs > 0 ? Math.max(spreadMs, Math.min(retryAfterMs, longestRetryAfterMs)) : spreadMs
  }
  return {
    afterAttempt: (attempt: number, { retryAfterMs }: Failure) => pauseAfter(attempt, 12 * hourMs, retryAfterMs),
    afterProbe: (probes: number, { retryAfterMs }: Failure) => pauseAfter(probes, longestProbePauseMs, retryAfterMs),
  }
}
export type Pauses = ReturnType<typeof createPauses>

export type Failure = Extract<DeliveryResult, { readonly ok: false }>

const timeoutMs = 20_000
const lateError = () => new Error(`no outcome within ${timeoutMs} ms`)

/** Delivers an event once: its first attempt, or a later one. It never rejects, and takes at most 20 seconds. */
export type Attempt = (event: SubscribedEvent, attempt: number) => Promise<DeliveryResult>

export function createAttempts(deliver: Subscriber['deliver'], clock: Clock): Attempt {
  const limit = createTimeLimit(clock, timeoutMs)
  return async (event, attempt) => {
    try {
      const result = await withinTime(limit, (signal) => deliver(event, { attempt, signal }), lateError)
      // A JavaScript program may return nothing.
      return result?.ok === true ? result : { ...result, ok: false }
    } catch (error) {
      return { ok: false, reason: error instanceof Error ? error.message : String(error) }
    }
  }
}
