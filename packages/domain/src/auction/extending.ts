import { isoOf } from '../values/moment.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { validationFailed } from '../values/validation.ts'
import type { Terms } from './auction.ts'
import type { ExtendCommand } from './commands.ts'
import type { Extended } from './events.ts'
import type { ExtendRefusal } from './refusals.ts'
import { refusalIfNotRepairable } from './repairing.ts'
import type { AuctionState } from './state.ts'
import { effectiveEndMs } from './status.ts'

/** The maximum time from the end to the new end: 30 days. */
const maxExtensionMs = 30 * 24 * 60 * 60 * 1000

/** Staff give an auction a later end, even after its end, until the result is recorded. */
export function decideExtension(
  terms: Terms,
  state: AuctionState,
  { endTime, reason, editor }: ExtendCommand,
  nowMs: number,
): Result<Extended, ExtendRefusal> {
  const refusal = refusalIfNotRepairable(terms, state)
  if (refusal !== undefined) return refused(refusal)
  const { epochMs: endMs } = endTime
  const previousEndMs = effectiveEndMs(terms, state)
  const latestMs = previousEndMs + maxExtensionMs
  if (endMs <= previousEndMs || endMs > latestMs) {
    const message = `must be after ${isoOf(previousEndMs)}, the current end, and no later than ${isoOf(latestMs)}, 30 days after it`
    return refused(validationFailed({ pointer: '/endTime', message }))
  }
  if (endMs <= nowMs) {
    const message = `must be in the future; the current time is ${isoOf(nowMs)}`
    return refused(validationFailed({ pointer: '/endTime', message }))
  }
  return accepted({ type: 'extended', endMs, previousEndMs, reason, editor })
}
