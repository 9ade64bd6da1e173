import { isoOf, type Moment } from '../moment.ts'
import type { Fault } from '../validation.ts'

/** The fault of an end that is not after `nowMs`. */
export function faultOfPastEnd(endTime: Moment, nowMs: number): Fault | undefined {
  if (endTime.epochMs > nowMs) return undefined
  return { pointer: '/endTime', message: `must be in the future; it is now ${isoOf(nowMs)}` }
}
