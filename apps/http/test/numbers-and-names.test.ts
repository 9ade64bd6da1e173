import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { parseExactJson } from '../src/api/requests/exact-json.ts'

const digits = fc.stringMatching(/^\d{1,25}$/)
const literal = fc
  .tuple(fc.constantFrom('', '-'), digits, fc.option(digits), fc.option(fc.integer({ min: -30, max: 30 })))
  .map(([sign, whole, fraction, exponent]) => {
    const integer = whole.replace(/^0+(?=\d)/, '')
    return `${sign}${integer}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`
  })

/** A decimal as an integer and a power of ten, without trailing zeros; the test's own arithmetic. */
function exactly(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  let scaled = BigInt(whole + fraction)
  let power = Number(exponent) - fraction.length
  if (scaled === 0n) return '0'
  while (scaled % 10n === 0n) {
    scaled /= 10n
    power += 1
  }
  return `${scaled} ${power}`
}

const parsedValue = (text: string): unknown => {
  const parsed = parseExactJson(text)
  return parsed.ok ? parsed.value : undefined
}
const numberOf = (text: string): unknown => {
  const value = parsedValue(`{"n": ${text}}`)
  return v.is(v.object({ n: v.unknown() }), value) ? value.n : undefined
}

test('a number is kept if its double is exact, and is refused otherwise', () => {
  fc.assert(
    fc.property(literal, (text) => {
      const isExact = exactly(text) === exactly(String(Number(text)))
      expect(numberOf(text)).toEqual(isExact ? Number(text) : [])
    }),
    { numRuns: 2_000 },
  )
})

test('every double is kept, in any form', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(numberOf(String(value))).toBe(value === 0 ? 0 : value)
    }),
  )
})

test('other JSON is parsed as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseExactJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
    }),
  )
})

test.each([
  ['1e1', 10],
  ['1.50', 1.5],
  ['1E-2', 0.01],
  ['1e+2', 100],
  ['-0', -0],
  ['0e99999', 0],
  ['123456789012345678e-3', []],
  ['9007199254740993', []],
  ['1e99999999999', []],
  ['1e-99999999999', []],
  [`1${'0'.repeat(400)}e-400`, 1],
  [`0.${'0'.repeat(400)}1e401`, 1],
])('%s is %j', (text, number) => {
  expect(numberOf(text)).toEqual(number)
})

test('members are checked at every depth, and texts are kept', () => {
  expect(parsedValue('{"a":{"n":1e400,"x":[1.0,{"n":1e400}]},"text":"1e400, \\"9007199254740993"}')).toEqual({
    a: { n: [], x: [1, { n: [] }] },
    text: '1e400, "9007199254740993',
  })
})

const names = fc.array(fc.oneof(fc.string(), fc.constantFrom('a', '"', '\\', '__proto__', ':', '{')), { maxLength: 6 })

function duplicateIn(text: string): string | undefined {
  const parsed = parseExactJson(text)
  return parsed.ok ? undefined : parsed.duplicateName
}

test('the first repeated name is found', () => {
  fc.assert(
    fc.property(names, fc.json(), (given, value) => {
      const text = `{${given.map((name) => `${JSON.stringify(name)}: ${value}`).join(' ,')}}`
      const expected = given.find((name, index) => given.indexOf(name) !== index)
      expect(duplicateIn(text)).toBe(expected)
    }),
    { numRuns: 1_000 },
  )
})

test('two objects may have the same names', () => {
  const text = '{"a":{"b":":","a":2},"b":[{"a":1,"b":2},{"a":1}]}'
  expect(duplicateIn(text)).toBeUndefined()
})

test.each([
  ['in an object', '{"a":{"b":1,"b":2},"c":1}', 'b'],
  ['in another spelling', '{"softClose":{"windowSeconds":1,"window\\u0053econds":2}}', 'windowSeconds'],
  ['in an object of a list', '{"a":[1,{"d":1,"b":{},"d":2}]}', 'd'],
  ['after an object', '{"a":{"b":1},"a":2}', 'a'],
  ['of an object and of a number', '{"inner":{"n":1e400},"inner":1}', 'inner'],
  ['of a number and of an object', '{"inner":1,"inner":{"n":1e400}}', 'inner'],
])('a repeated name is found %s', (_, text, name) => {
  expect(duplicateIn(text)).toBe(name)
})
