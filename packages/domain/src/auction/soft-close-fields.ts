import * as v from 'valibot'
import { isoOf, type Moment, MomentText } from '../moment.ts'
import { missingField } from '../validation.ts'
import type { SoftClose } from './auction.ts'
import { maxOvertimeMs } from './ends.ts'

const maxSeconds = maxOvertimeMs / 1000

const secondsRule = `must be an integer from 1 to ${maxSeconds}, in seconds`

const Seconds = v.pipe(
  v.number(secondsRule),
  v.integer(secondsRule),
  v.minValue(1, secondsRule),
  v.maxValue(maxSeconds, secondsRule),
)

/** What a caller says of how late bids move the end, as JSON. */
export const SoftCloseFields = v.object(
  {
    windowSeconds: v.pipe(Seconds, v.description('How long before the end a bid is late, and moves it.')),
    extensionSeconds: v.pipe(Seconds, v.description('How long after a late bid the auction ends at the earliest.')),
    latestEndTime: v.pipe(
      MomentText,
      v.description('Past which nothing moves the end, in UTC: after endTime, by a week at the most.'),
    ),
  },
  missingField,
)

/** What is wrong with the latest end for an auction that is to end at a time; undefined where nothing is. */
export function tooLateAfter(endTime: Moment, { latestEndTime }: Pick<SoftClose, 'latestEndTime'>): string | undefined {
  const overtimeMs = latestEndTime.epochMs - endTime.epochMs
  if (overtimeMs > 0 && overtimeMs <= maxOvertimeMs) return undefined
  return `must be after endTime, and no later than ${isoOf(endTime.epochMs + maxOvertimeMs)}, a week after it`
}
