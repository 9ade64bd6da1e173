import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { NonNegativeDecimal, PositiveDecimal, StoredAmountMinor } from '../../src/values/amount.ts'
import { CurrencyCode, currencyCodes, StoredCurrency } from '../../src/values/currency.ts'
import {
  AMOUNT_LIMIT_MINOR,
  addAmounts,
  isSameCurrency,
  notInCurrency,
  ONE_MINOR,
  toDecimal,
  toMinor,
} from '../../src/values/money.ts'

const code = (text: string) => v.parse(CurrencyCode, text)
const minor = (amount: number) => v.parse(StoredAmountMinor, amount)

const anyCurrency = fc.constantFrom(...currencyCodes.map(code))
const anyMinor = fc.oneof(
  fc.maxSafeNat().map((amount) => minor(amount % AMOUNT_LIMIT_MINOR)),
  fc.nat(1_000_000).map(minor),
  fc.nat(1_000).map((distance) => minor(AMOUNT_LIMIT_MINOR - 1 - distance)),
)

/** A number of minor units as a decimal text. */
function written(units: number, decimals: number): string {
  if (decimals === 0) return `${units}`
  const digits = `${units}`.padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

const withoutTrailingZeros = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

describe('currencies', () => {
  test.each([
    ['JPY', 0],
    ['CLP', 0],
    ['USD', 2],
    ['EUR', 2],
    ['HUF', 2],
    ['MGA', 2],
    ['MRU', 2],
    ['KWD', 3],
    ['BHD', 3],
    ['TND', 3],
    ['CLF', 4],
    ['UYW', 4],
  ])('include %s with %i decimals', (currency, exponent) => {
    expect(code(currency)).toStrictEqual({ code: currency, exponent })
  })

  test.each([
    ['usd', 'lower case'],
    ['Usd', 'mixed case'],
    ['', 'empty'],
    ['US', 'too short'],
    ['USDX', 'too long'],
    [' USD', 'a space'],
    ['BGN', 'withdrawn with the euro'],
    ['HRK', 'withdrawn with the euro'],
    ['DEM', 'withdrawn'],
    ['XAU', 'gold, without minor units'],
    ['XXX', 'no currency'],
    ['XTS', 'for tests'],
    ['XDR', 'without minor units'],
    ['constructor', 'a name that objects have'],
    ['__proto__', 'a name that objects have'],
  ])('do not include %j: %s', (text) => {
    expect(v.is(CurrencyCode, text)).toBe(false)
  })

  test.each([null, undefined, 840, ['USD'], { code: 'USD' }])('do not include %j', (input) => {
    expect(v.is(CurrencyCode, input)).toBe(false)
  })

  test('are listed once each, in alphabetical order', () => {
    expect(currencyCodes).toEqual([...new Set(currencyCodes)].toSorted())
    expect(currencyCodes.length).toBeGreaterThan(150)
    for (const each of currencyCodes) expect(each).toMatch(/^[A-Z]{3}$/)
  })

  test('cannot be changed', () => {
    expect(Reflect.set(code('USD'), 'exponent', 3)).toBe(false)
    expect(code('USD').exponent).toBe(2)
  })
})

describe('currencies from a store', () => {
  test.each([
    ['USD', 2, 'as today'],
    ['DEM', 2, 'withdrawn'],
    ['USD', 0, 'with other decimals than today'],
    ['JPY', 4, 'with other decimals than today'],
    ['QQQ', 3, 'unknown'],
  ])('are read from %s with %i decimals: %s', (text, exponent) => {
    expect(v.parse(StoredCurrency, { code: text, exponent })).toStrictEqual({ code: text, exponent })
  })

  test.each(currencyCodes.map(code))('read the currency table: $code with $exponent decimals', (currency) => {
    expect(v.parse(StoredCurrency, { ...currency })).toBe(currency)
  })

  test.each([
    ['usd', 2],
    ['US', 2],
    ['USDX', 2],
    [' USD', 2],
    [840, 2],
    ['USD', -1],
    ['USD', 0.5],
    ['USD', 5],
    ['USD', '2'],
    ['USD', undefined],
  ])('refuse %j with %j decimals', (text, exponent) => {
    expect(v.is(StoredCurrency, { code: text, exponent })).toBe(false)
  })

  test('are equal if their codes and decimals are', () => {
    const stored = (text: string, exponent: number) => v.parse(StoredCurrency, { code: text, exponent })
    expect(isSameCurrency(stored('USD', 2), code('USD'))).toBe(true)
    expect(isSameCurrency(stored('USD', 3), code('USD'))).toBe(false)
    expect(isSameCurrency(stored('EUR', 2), code('USD'))).toBe(false)
  })

  test('keep the value of their amounts, whatever the current table contains', () => {
    const stored = v.parse(StoredCurrency, { code: 'USD', exponent: 3 })
    expect(toDecimal(minor(1_005), stored)).toBe(1.005)
    expect(toMinor(1.005, stored)).toBe(1_005)
    expect(toMinor(1.0005, stored)).toBe(undefined)
  })
})

describe('amounts', () => {
  test.each([
    [0, 'USD', 0],
    [-0, 'USD', 0],
    [0.01, 'USD', 1],
    [0.1, 'USD', 10],
    [0.3, 'USD', 30],
    [0.29, 'USD', 29],
    [1.15, 'USD', 115],
    [4.35, 'USD', 435],
    [8.2, 'KWD', 8_200],
    [1.005, 'KWD', 1_005],
    [0.0001, 'UYW', 1],
    [1.1, 'MGA', 110],
    [1e3, 'JPY', 1_000],
    [1e14, 'JPY', 1e14],
    [999_999_999_999_999, 'JPY', 999_999_999_999_999],
    [9_999_999_999_999.99, 'USD', 999_999_999_999_999],
    [999_999_999_999.999, 'KWD', 999_999_999_999_999],
    [99_999_999_999.9999, 'UYW', 999_999_999_999_999],
  ])('of %d %s are %i minor units', (decimal, currency, amount) => {
    expect(toMinor(decimal, code(currency))).toBe(amount)
  })

  test.each([
    [0.5, 'JPY', 'has a decimal too many'],
    [1.005, 'USD', 'has a decimal too many'],
    [0.001, 'USD', 'has a decimal too many'],
    [0.0001, 'KWD', 'has a decimal too many'],
    [0.1 + 0.2, 'USD', 'is not 0.3'],
    [0.1 + 0.7, 'USD', 'is not 0.8'],
    [1.1 + 2.2, 'USD', 'is not 3.3'],
    [Number.MIN_VALUE, 'USD', 'has a decimal too many'],
    [-0.01, 'USD', 'is negative'],
    [-1, 'JPY', 'is negative'],
    [1e15, 'JPY', 'is too much'],
    [1e13, 'USD', 'is too much'],
    [1e12, 'KWD', 'is too much'],
    [Number.MAX_VALUE, 'USD', 'is too much'],
    [Number.POSITIVE_INFINITY, 'USD', 'is not an amount'],
    [Number.NaN, 'USD', 'is not an amount'],
  ])('of %d %s are refused: the value %s', (decimal, currency) => {
    expect(toMinor(decimal, code(currency))).toBe(undefined)
    expect(notInCurrency(decimal, code(currency))).toContain(`${decimal} is not a valid ${currency} amount`)
  })

  test('convert minus zero to zero', () => {
    expect(Object.is(toMinor(-0, code('USD')), 0)).toBe(true)
  })

  test('are written to JSON as the exact decimal, and read as the same amount', () => {
    fc.assert(
      fc.property(anyCurrency, anyMinor, (currency, amount) => {
        const json = JSON.stringify(toDecimal(amount, currency))
        expect(json).toBe(withoutTrailingZeros(written(amount, currency.exponent)))
        expect(toMinor(JSON.parse(json), currency)).toBe(amount)
      }),
    )
  })

  test('are read from any notation of the same decimal', () => {
    fc.assert(
      fc.property(anyCurrency, anyMinor, (currency, amount) => {
        const exponent = currency.exponent
        const text = written(amount, exponent)
        const forms = [text, `${amount}e-${exponent}`, exponent > 0 ? `${text}00` : `${text}.00`]
        for (const form of forms) expect(toMinor(JSON.parse(form), currency)).toBe(amount)
      }),
    )
  })

  test('with too many decimals are refused, however many digits precede these', () => {
    // A double distinguishes fifteen significant digits, but not always sixteen.
    const digits = fc.tuple(fc.nat(99_999_999_999_999), fc.integer({ min: 1, max: 9 }))
    fc.assert(
      fc.property(anyCurrency, digits, (currency, [leading, last]) => {
        const text = written(leading * 10 + last, currency.exponent + 1)
        expect(toMinor(JSON.parse(text), currency)).toBe(undefined)
      }),
    )
  })

  test('are added exactly, if the sum is an amount', () => {
    const anyTwo = fc.oneof(
      fc.tuple(anyMinor, anyMinor),
      fc.tuple(
        fc.nat(1_000).map(minor),
        fc.nat(1_000).map((below) => minor(AMOUNT_LIMIT_MINOR - 1 - below)),
      ),
    )
    fc.assert(
      fc.property(anyTwo, ([a, b]) => {
        const sum = BigInt(a) + BigInt(b)
        expect(addAmounts(a, b)).toBe(sum < BigInt(AMOUNT_LIMIT_MINOR) ? Number(sum) : undefined)
      }),
    )
  })

  test('have one minor unit as the smallest positive value', () => {
    expect(ONE_MINOR).toBe(toMinor(0.01, code('USD')))
  })
})

describe('amounts in an unknown currency', () => {
  test.each([
    [0, true, false],
    [-0, true, false],
    [0.0001, true, true],
    [1, true, true],
    [999_999_999_999_999, true, true],
    [0.00001, false, false],
    [1e15, false, false],
    [-1, false, false],
    [0.1 + 0.2, false, false],
    [Number.NaN, false, false],
    [Number.POSITIVE_INFINITY, false, false],
    ['1', false, false],
    [1n, false, false],
    [null, false, false],
    [true, false, false],
    [[1], false, false],
  ])('%s: valid as a price %s, as a bid %s', (input, isPrice, isBid) => {
    expect(v.is(NonNegativeDecimal, input)).toBe(isPrice)
    expect(v.is(PositiveDecimal, input)).toBe(isBid)
  })
})

describe('amounts from a store', () => {
  test.each([0, 1, 999_999_999_999_999])('accept %d', (stored) => {
    expect(v.parse(StoredAmountMinor, stored)).toBe(stored)
  })

  test.each([-1, 0.5, 1e15, Number.NaN, '1', 1n, null, undefined])('refuse %s', (stored) => {
    expect(v.is(StoredAmountMinor, stored)).toBe(false)
  })
})
