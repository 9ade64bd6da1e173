import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { isoOf, MomentText, parseMoment, StoredMoment } from '../../src/values/moment.ts'

describe('a moment', () => {
  test.each([
    { iso: '1970-01-01T00:00:00Z', epochMs: 0 },
    { iso: '1970-01-01T00:00:00.001Z', epochMs: 1 },
    { iso: '1970-01-01T00:00:00.000999999Z', epochMs: 0 },
    { iso: '1970-01-01T00:00:00.123456789Z', epochMs: 123 },
    { iso: '1969-12-31T23:59:59.999999999Z', epochMs: -1 },
    { iso: '2030-01-31T12:00:00Z', epochMs: Date.UTC(2030, 0, 31, 12) },
    { iso: '2028-02-29T00:00:00Z', epochMs: Date.UTC(2028, 1, 29) },
    { iso: '2000-02-29T23:59:59Z', epochMs: Date.UTC(2000, 1, 29, 23, 59, 59) },
    { iso: '9999-12-31T23:59:59.999999999Z', epochMs: Date.UTC(9999, 11, 31, 23, 59, 59, 999) },
    { iso: '0000-01-01T00:00:00Z', epochMs: Date.parse('0000-01-01T00:00:00Z') },
  ])('is read from $iso', ({ iso, epochMs }) => {
    expect(parseMoment(iso)).toEqual({ iso, epochMs })
    expect(v.parse(MomentText, iso)).toEqual({ iso, epochMs })
  })

  test.each([
    { text: '2030-02-30T00:00:00Z', reason: '30 February' },
    { text: '2030-02-29T00:00:00Z', reason: 'a leap day in a common year' },
    { text: '2100-02-29T00:00:00Z', reason: 'a leap day in a common century' },
    { text: '2030-00-10T00:00:00Z', reason: 'month 0' },
    { text: '2030-01-00T00:00:00Z', reason: 'day 0' },
    { text: '2030-01-31T24:00:00Z', reason: '24 hours' },
    { text: '2030-01-31T12:00:60Z', reason: '60 seconds' },
    { text: '2016-12-31T23:59:60Z', reason: 'a leap second' },
    { text: '2030-01-31t12:00:00Z', reason: 'lower-case t' },
    { text: '2030-01-31T12:00:00z', reason: 'lower-case z' },
    { text: '2030-01-31 12:00:00Z', reason: 'a space for the T' },
    { text: '2030-01-31T12:00:00', reason: 'no Z' },
    { text: '2030-01-31T12:00:00+00:00', reason: 'an offset' },
    { text: '2030-01-31T12:00:00.Z', reason: 'a point without digits' },
    { text: '2030-01-31T12:00:00.1234567890Z', reason: 'ten digits of a second' },
    { text: '2030-01-31T12:00Z', reason: 'no seconds' },
    { text: '2030-01-31', reason: 'no time' },
    { text: '+002030-01-31T12:00:00Z', reason: 'an expanded year' },
    { text: '2030-01-31T12:00:00Z\n', reason: 'a line break after' },
    { text: '2030-01-31T12:00:00Z2030-01-31T12:00:00Z', reason: 'twice' },
    { text: '٢٠٣٠-01-31T12:00:00Z', reason: 'digits of another script' },
    { text: '', reason: 'nothing' },
  ])('refuses $text: $reason', ({ text }) => {
    expect(parseMoment(text)).toBe(undefined)
    expect(v.is(MomentText, text)).toBe(false)
  })

  test.each([null, undefined, 1_900_000_000_000, new Date(0), ['2030-01-31T12:00:00Z']])('refuses %j', (input) => {
    expect(v.is(MomentText, input)).toBe(false)
  })

  const anyDate = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })

  test('is printed and read as the same millisecond', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        expect(parseMoment(isoOf(date.getTime()))).toEqual({ iso: date.toISOString(), epochMs: date.getTime() })
      }),
    )
  })

  test('is printed the same among others of its day and of others', () => {
    const offsets = fc.array(fc.integer({ min: -100_000_000, max: 100_000_000 }))
    fc.assert(
      fc.property(anyDate, offsets, (date, apart) => {
        const times = apart.map((offset) => date.getTime() + offset)
        expect(times.map(isoOf)).toEqual(times.map((time) => new Date(time).toISOString()))
      }),
    )
  })

  test('keeps its text, and drops fractions of a millisecond', () => {
    const fraction = fc.stringMatching(/^[0-9]{1,9}$/)
    fc.assert(
      fc.property(anyDate, fraction, (date, digits) => {
        const seconds = date.toISOString().slice(0, 19)
        const iso = `${seconds}.${digits}Z`
        const ms = Number(`${digits}000`.slice(0, 3))
        expect(parseMoment(iso)).toEqual({ iso, epochMs: Date.parse(`${seconds}Z`) + ms })
      }),
    )
  })
})

describe('a moment from a store', () => {
  test.each([
    '1970-01-01T00:00:00Z',
    '2030-01-31T12:00:00.123456789Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
  ])('accepts the text of a request: %s', (iso) => {
    const moment = v.parse(MomentText, iso)
    expect(v.parse(StoredMoment, { ...moment })).toStrictEqual(moment)
  })

  test('accepts texts that requests may no longer have', () => {
    const moment = { iso: '2030-01-31T13:00:00+01:00', epochMs: Date.UTC(2030, 0, 31, 12) }
    expect(v.is(MomentText, moment.iso)).toBe(false)
    expect(v.parse(StoredMoment, moment)).toStrictEqual(moment)
  })

  test.each([
    { iso: '2030-01-31T12:00:00Z', epochMs: Date.UTC(2030, 0, 31, 12) + 1_000 },
    { iso: '2030-01-31T12:00:00Z', epochMs: Date.UTC(2030, 0, 31, 12) - 1_000 },
    { iso: '2030-01-31T12:00:00Z', epochMs: 0 },
    { iso: '2030-01-31T12:00:00Z', epochMs: Number.NaN },
    { iso: '2030-01-31T12:00:00Z', epochMs: '1' },
    { iso: 'tomorrow', epochMs: 0 },
    { iso: 0, epochMs: 0 },
    { iso: undefined, epochMs: 0 },
  ])('refuses a number that does not match its text: $iso, $epochMs', ({ iso, epochMs }) => {
    expect(v.is(StoredMoment, { iso, epochMs })).toBe(false)
  })
})
