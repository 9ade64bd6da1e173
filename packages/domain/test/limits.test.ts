import { describe, expect, test } from 'vitest'
import { defaultLimits, type Limits, limitsWith } from '../src/limits.ts'
import { InvalidValueError } from '../src/values/validation.ts'

const names = Object.keys(defaultLimits) as (keyof Limits)[] // `Object.keys` returns strings; these are all keys of `Limits`.

const least: Limits = {
  maxWaitingPerAuction: 1,
  maxWaiting: 1,
  maxReads: 1,
  maxEntriesPerAppend: 1,
  maxCachedBytes: 1,
  maxConflicts: 0,
  maxTries: 1,
  deadlineMs: 20,
  clockSkewMs: 0,
}

describe('limits', () => {
  test('use the defaults if no others are given', () => {
    expect(limitsWith()).toStrictEqual(defaultLimits)
    expect(limitsWith({})).toStrictEqual(defaultLimits)
  })

  test.each(names)('accept another %s, and keep the others', (name) => {
    expect(limitsWith({ [name]: 123 })).toStrictEqual({ ...defaultLimits, [name]: 123 })
  })

  test('leave the defaults unchanged', () => {
    const before = { ...defaultLimits }
    limitsWith({ maxWaiting: 7 })
    expect(defaultLimits).toStrictEqual(before)
  })

  test('accept the minimum and the maximum of each', () => {
    const largest = Object.fromEntries(names.map((name) => [name, 2 ** 31 - 1]))
    expect(limitsWith(least)).toStrictEqual(least)
    expect(limitsWith(largest)).toStrictEqual(largest)
  })

  test.each(names)('refuse a %s below its minimum, and state the valid range', (name) => {
    const below = least[name] - 1
    expect(() => limitsWith({ [name]: below })).toThrow(
      new InvalidValueError(`the limit ${name} must be an integer from ${least[name]} to 2147483647; got ${below}`),
    )
  })

  test.each(
    names.flatMap((name) =>
      [2 ** 31, 50.5, Number.NaN, Number.POSITIVE_INFINITY].map((value) => [name, value] as const),
    ),
  )('refuse a %s of %d', (name, value) => {
    expect(() => limitsWith({ [name]: value })).toThrow(InvalidValueError)
  })

  test.each<unknown>(['50', null, undefined, true, 50n, [50]])('refuse a value that is not a number: %s', (value) => {
    // The cast: JavaScript does not check it.
    expect(() => limitsWith({ maxWaiting: value as number })).toThrow('the limit maxWaiting')
  })

  test.each(['maxBidsPerAppend', 'maxwaiting', '', 'toString', '__proto__'])('refuse an unknown name: %j', (name) => {
    const given = JSON.parse(`{"${name}": 5}`)
    expect(() => limitsWith(given)).toThrow(new InvalidValueError(`unknown limit ${name}`))
  })
})
