import * as v from 'valibot'
import { checkedValue } from './parsing.ts'

/** A point in time: its original string, and a number for comparison. */
export type Moment = {
  /** ISO 8601 in UTC, as received: `YYYY-MM-DDThh:mm:ss[.fraction]Z`. */
  readonly iso: string
  /** Milliseconds since 1970-01-01T00:00:00Z, without the finer digits of `iso`. */
  readonly epochMs: number
}

const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/

/** Parses a moment. Returns undefined for another format or an invalid date or time. */
export function parseMoment(text: string): Moment | undefined {
  const match = form.exec(text)
  if (match === null) return undefined
  const [, seconds = '', fraction = ''] = match
  const wholeMs = Date.parse(`${seconds}Z`)
  // `Date.parse` accepts 30 February as 2 March, so compare with the formatted result.
  if (Number.isNaN(wholeMs) || new Date(wholeMs).toISOString().slice(0, seconds.length) !== seconds) return undefined
  return { iso: text, epochMs: wholeMs + Number(fraction.padEnd(3, '0').slice(0, 3)) }
}

const dayMs = 24 * 60 * 60 * 1000
const digits = (length: number, count: number) =>
  Array.from({ length: count }, (_, n) => String(n).padStart(length, '0'))
const [two, three] = [digits(2, 60), digits(3, 1000)]

/** The day that was formatted last, because most times of a page are of one day and `Date` is slow to format. */
let lastDay = { startMs: Number.NaN, prefix: '' }

/** Formats milliseconds since 1970, a whole number, as ISO 8601 with milliseconds. */
export function isoOf(epochMs: number): string {
  const startMs = Math.floor(epochMs / dayMs) * dayMs
  if (startMs !== lastDay.startMs) {
    lastDay = { startMs, prefix: new Date(startMs).toISOString().slice(0, -'00:00:00.000Z'.length) }
  }
  const ms = epochMs - startMs
  const [hour, minute] = [two[Math.trunc(ms / 3_600_000)], two[Math.trunc(ms / 60_000) % 60]]
  return `${lastDay.prefix}${hour}:${minute}:${two[Math.trunc(ms / 1000) % 60]}.${three[ms % 1000]}Z`
}

/** The last moment that has a form. */
export const latestMs = Date.parse('9999-12-31T23:59:59.999Z')

/** The moment of a time in milliseconds since 1970, with three fractional digits. */
export const momentAt = (epochMs: number): Moment => ({ iso: isoOf(epochMs), epochMs })

const rule =
  'must be a valid UTC date-time such as "2030-01-31T12:00:00Z", with a trailing Z and at most 9 fractional digits'

/** A moment in a request. */
export const MomentText = v.pipe(
  v.string(rule),
  v.metadata({ format: 'date-time', pattern: form.source }),
  v.rawTransform(({ dataset, addIssue, NEVER }): Moment => {
    const moment = parseMoment(dataset.value)
    if (moment !== undefined) return moment
    addIssue({ message: rule })
    return NEVER
  }),
)

/** The moment of a string such as `2030-01-31T12:00:00Z`. @throws InvalidValueError if the string is invalid */
export const toMoment = (iso: string): Moment => checkedValue(MomentText, iso, 'a moment')

/**
 * A stored moment. Requests may no longer accept its format; the number counts. String and number must agree to the
 * second, because engines parse finer digits differently.
 */
export const StoredMoment = v.pipe(
  v.object({ iso: v.string(), epochMs: v.pipe(v.number(), v.safeInteger()) }),
  v.check(({ iso, epochMs }) => Math.abs(Date.parse(iso) - epochMs) < 1000, 'epochMs does not match iso'),
)
