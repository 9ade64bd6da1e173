import * as v from 'valibot'
import { checkedValue } from './validation.ts'

/** A point in time as it was written, with the number by which it is compared. */
export type Moment = {
  /** ISO 8601 in UTC, as it came in: `YYYY-MM-DDThh:mm:ss[.fraction]Z`. */
  readonly iso: string
  /** Milliseconds since 1970-01-01T00:00:00Z; finer digits of `iso` are dropped. */
  readonly epochMs: number
}

const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/

/** Reads a moment, or answers undefined for a text of another form or a day or hour that no calendar has. */
export function parseMoment(text: string): Moment | undefined {
  const match = form.exec(text)
  if (match === null) return undefined
  const [, seconds = '', fraction = ''] = match
  const wholeMs = Date.parse(`${seconds}Z`)
  // The engine rolls 30 February over to March: only a real moment is written the same way again.
  if (Number.isNaN(wholeMs) || new Date(wholeMs).toISOString().slice(0, seconds.length) !== seconds) return undefined
  return { iso: text, epochMs: wholeMs + Number(fraction.padEnd(3, '0').slice(0, 3)) }
}

/** The moment of a clock reading, in ISO 8601 with milliseconds. */
export const isoOf = (epochMs: number): string => new Date(epochMs).toISOString()

/** The moment of so many milliseconds since 1970, written with three digits of a second. */
export const momentAt = (epochMs: number): Moment => ({ iso: isoOf(epochMs), epochMs })

const rule =
  'must be a real UTC date-time such as "2030-01-31T12:00:00Z", with a trailing Z and at most 9 digits of a second'

/** A moment that is offered. */
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

/** The moment of a text such as `2030-01-31T12:00:00Z`. @throws InvalidValueError when it is another text */
export const toMoment = (iso: string): Moment => checkedValue(MomentText, iso, 'a moment')

/**
 * A moment from a store. Its text may have a form that is no longer taken; the number is what counts. The two must agree to
 * the second, since engines differ in what they make of finer digits.
 */
export const StoredMoment = v.pipe(
  v.object({ iso: v.string(), epochMs: v.pipe(v.number(), v.safeInteger()) }),
  v.check(({ iso, epochMs }) => Math.abs(Date.parse(iso) - epochMs) < 1000, 'the number is not that of the text'),
)
