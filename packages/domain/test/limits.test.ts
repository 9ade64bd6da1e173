import { describe, expect, test } from 'vitest'
import { type Limits, limitsWith } from '../src/limits.ts'
import { InvalidValueError } from '../src/values/validation.ts'

const defaults = limitsWith()
const least: Limits = { deadlineMs: 20, clockSkewMs: 0 }
const names = Object.keys(least) as (keyof Limits)[] // `Object.keys` returns strings.

describe('limits', () => {
  test.each(names)('accept another %s, and keep the others', (name) => {
    expect(limitsWith({ [name]: 123 })).toStrictEqual({ ...defaults, [name]: 123 })
    expect(limitsWith({})).toStrictEqual(defaults)
  })

  test('accept the minimum and the maximum of each', () => {
    const largest = { deadlineMs: 2 ** 31 - 1, clockSkewMs: 2 ** 31 - 1 }
    for (const limits of [least, largest]) expect(limitsWith(limits)).toStrictEqual({ ...defaults, ...limits })
  })

  test.each(names)('refuse a %s below its minimum, with both in the error', (name) => {
    const below = least[name] - 1
    expect(() => limitsWith({ [name]: below })).toThrow(
      new InvalidValueError(`the limit ${name} must be an integer from ${least[name]} to 2147483647; got ${below}`),
    )
  })

  test.each([2 ** 31, 50.5, Number.NaN, Number.POSITIVE_INFINITY, '50', null, undefined])('refuse %j', (value) => {
    // The cast: programs in JavaScript can pass anything.
    expect(() => limitsWith({ deadlineMs: value as number })).toThrow('the limit deadlineMs')
  })

  test.each(['deadline', 'maxWaiting', 'toString', '__proto__x'])('refuse the unknown name %s', (name) => {
    const given = { [name]: 50 } as Partial<Limits>
    expect(() => limitsWith(given)).toThrow(new InvalidValueError(`unknown limit ${name}`))
  })
})
