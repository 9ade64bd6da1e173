import * as v from 'valibot'
import { isoOf, type Moment, MomentText } from '../values/moment.ts'
import { missingField } from '../values/validation.ts'

/** The maximum extension after `endTime`: one week. */
const maxOvertimeMs = 7 * 24 * 60 * 60 * 1000
const maxSeconds = maxOvertimeMs / 1000

const secondsRule = `must be an integer from 1 to ${maxSeconds}, in seconds`

const Seconds = v.pipe(
  v.number(secondsRule),
  v.integer(secondsRule),
  v.minValue(1, secondsRule),
  v.maxValue(maxSeconds, secondsRule),
)

/** The JSON of a soft close. */
export const SoftCloseFields = v.object(
  {
    windowSeconds: v.pipe(Seconds, v.description('The time before the end in which a bid extends the auction.')),
    extensionSeconds: v.pipe(Seconds, v.description('The minimum time between a late bid and the end.')),
    latestEndTime: v.pipe(MomentText, v.description('The latest possible end. After `endTime`, by at most one week.')),
  },
  missingField,
)

/** Whether a time is valid as the latest end of an auction. */
export function isLatestEndOf(endTime: Moment, latestEndTime: Moment): boolean {
  const overtimeMs = latestEndTime.epochMs - endTime.epochMs
  return overtimeMs > 0 && overtimeMs <= maxOvertimeMs
}

export const latestEndRule = (endTime: Moment): string =>
  `must be after endTime and no later than ${isoOf(endTime.epochMs + maxOvertimeMs)}, one week after it`
