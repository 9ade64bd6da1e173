import * as v from 'valibot'
import { isoOf, type Moment, MomentText } from '../moment.ts'
import { missingField } from '../validation.ts'

/** How long after `endTime` a soft close may let an auction run, at the most: a week. */
const maxOvertimeMs = 7 * 24 * 60 * 60 * 1000
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

/** Whether nothing may move the end of an auction past a time, for one that is to end at another. */
export function isLatestEndOf(endTime: Moment, latestEndTime: Moment): boolean {
  const overtimeMs = latestEndTime.epochMs - endTime.epochMs
  return overtimeMs > 0 && overtimeMs <= maxOvertimeMs
}

/** Says what it must be. */
export const latestEndRule = (endTime: Moment): string =>
  `must be after endTime, and no later than ${isoOf(endTime.epochMs + maxOvertimeMs)}, a week after it`
