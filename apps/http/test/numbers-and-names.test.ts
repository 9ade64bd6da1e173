import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExactJson } from '../src/requests/exact-numbers.ts'
import { duplicateMember } from '../src/requests/member-names.ts'

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

test('a number is kept when it is what its double prints as, and is NaN otherwise', () => {
  fc.assert(
    fc.property(literal, (text) => {
      const parsed = parseExactJson(`[${text}]`)
      const isExact = exactly(text) === exactly(String(Number(text)))
      expect(parsed).toEqual([isExact ? Number(text) : Number.NaN])
    }),
    { numRuns: 2_000 },
  )
})

test('every double is kept, in whatever form it prints as', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(parseExactJson(`[${value}]`)).toEqual([value === 0 ? 0 : value])
    }),
  )
})

test('JSON without such numbers is parsed as it always is', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseExactJson(text)).toEqual(JSON.parse(text))
    }),
  )
})

const names = fc.array(fc.oneof(fc.string(), fc.constantFrom('a', '"', '\\', '__proto__', ':', '{')), { maxLength: 6 })

test('a name that is given twice is found, and no other', () => {
  fc.assert(
    fc.property(names, fc.json(), (given, value) => {
      const text = `{${given.map((name) => `${JSON.stringify(name)}: ${value}`).join(' ,')}}`
      const expected = given.find((name, index) => given.indexOf(name) !== index)
      // Not parsed from the text: the engine of Node 24 sometimes takes the name `"\""` for a backslash.
      const parsed = Object.fromEntries(given.map((name) => [name, value]))
      expect(duplicateMember(text, parsed)).toBe(expected)
    }),
    { numRuns: 1_000 },
  )
})

test('names of inner objects are their own', () => {
  const text = '{"a":{"b":":","a":2},"b":[{"a":1,"b":2},{"a":1}]}'
  expect(duplicateMember(text, JSON.parse(text))).toBeUndefined()
})

test.each([
  ['in an object', '{"a":{"b":1,"b":2},"c":1}', 'b'],
  ['in another spelling', '{"softClose":{"windowSeconds":1,"window\\u0053econds":2}}', 'windowSeconds'],
  ['in an object of a list', '{"a":[1,{"d":1,"b":{},"d":2}]}', 'd'],
  ['behind an object', '{"a":{"b":1},"a":2}', 'a'],
])('a name that is given twice is found %s', (_, text, name) => {
  expect(duplicateMember(text, JSON.parse(text))).toBe(name)
})
