import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { isoOf, MomentText, parseMoment, StoredMoment } from '../../src/values/moment.ts'

describe('a moment', () => {
  test.each([
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01T00:00:00.001Z', 1],
    ['1970-01-01T00:00:00.1Z', 100],
    ['1970-01-01T00:00:00.12Z', 120],
    ['1970-01-01T00:00:00.000999999Z', 0],
    ['1970-01-01T00:00:00.123456789Z', 123],
    ['1970-01-01T00:00:00.999999999Z', 999],
    ['1969-12-31T23:59:59.999999999Z', -1],
    ['2030-01-31T12:00:00Z', Date.UTC(2030, 0, 31, 12)],
    ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
    ['2000-02-29T23:59:59Z', Date.UTC(2000, 1, 29, 23, 59, 59)],
    ['9999-12-31T23:59:59.999999999Z', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
    ['0000-01-01T00:00:00Z', Date.parse('0000-01-01T00:00:00Z')],
  ])('is read from %s', (iso, epochMs) => {
    expect(parseMoment(iso)).toEqual({ iso, epochMs })
    expect(v.parse(MomentText, iso)).toEqual({ iso, epochMs })
  })

  test.each([
    ['2030-02-30T00:00:00Z', '30 February'],
    ['2030-02-29T00:00:00Z', 'a leap day in a common year'],
    ['2100-02-29T00:00:00Z', 'a leap day in a common century'],
    ['2030-04-31T00:00:00Z', '31 April'],
    ['2030-00-10T00:00:00Z', 'month 0'],
    ['2030-13-10T00:00:00Z', 'month 13'],
    ['2030-01-00T00:00:00Z', 'day 0'],
    ['2030-01-32T00:00:00Z', 'day 32'],
    ['2030-01-31T24:00:00Z', '24 hours'],
    ['2030-01-31T25:00:00Z', '25 hours'],
    ['2030-01-31T12:60:00Z', '60 minutes'],
    ['2030-01-31T12:00:60Z', '60 seconds'],
    ['2016-12-31T23:59:60Z', 'a leap second'],
    ['2030-01-31t12:00:00Z', 'lower-case t'],
    ['2030-01-31T12:00:00z', 'lower-case z'],
    ['2030-01-31 12:00:00Z', 'a space for the T'],
    ['2030-01-31T12:00:00', 'no Z'],
    ['2030-01-31T12:00:00+00:00', 'an offset'],
    ['2030-01-31T12:00:00+01:00Z', 'an offset before the Z'],
    ['2030-01-31T12:00:00.Z', 'a point without digits'],
    ['2030-01-31T12:00:00,5Z', 'a comma'],
    ['2030-01-31T12:00:00.1234567890Z', 'ten digits of a second'],
    ['2030-01-31T12:00Z', 'no seconds'],
    ['2030-01-31', 'no time'],
    ['2030-1-31T12:00:00Z', 'a month of one digit'],
    ['20300131T120000Z', 'the basic format'],
    ['+002030-01-31T12:00:00Z', 'an expanded year'],
    ['30-01-31T12:00:00Z', 'a year of two digits'],
    [' 2030-01-31T12:00:00Z', 'a space before'],
    ['2030-01-31T12:00:00Z\n', 'a line break after'],
    ['2030-01-31T12:00:00Z2030-01-31T12:00:00Z', 'twice'],
    ['٢٠٣٠-01-31T12:00:00Z', 'digits of another script'],
    ['', 'nothing'],
    ['now', 'a word'],
  ])('refuses %j: %s', (text) => {
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
    ['2030-01-31T12:00:00Z', Date.UTC(2030, 0, 31, 12) + 1_000],
    ['2030-01-31T12:00:00Z', Date.UTC(2030, 0, 31, 12) - 1_000],
    ['2030-01-31T12:00:00Z', 0],
    ['2030-01-31T12:00:00Z', Number.NaN],
    ['2030-01-31T12:00:00Z', '1'],
    ['tomorrow', 0],
    [0, 0],
    [undefined, 0],
  ])('refuses a number that does not match its text: %s, %s', (iso, epochMs) => {
    expect(v.is(StoredMoment, { iso, epochMs })).toBe(false)
  })
})
