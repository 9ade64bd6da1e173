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
    { currency: 'JPY', exponent: 0 },
    { currency: 'USD', exponent: 2 },
    { currency: 'MGA', exponent: 2 },
    { currency: 'KWD', exponent: 3 },
    { currency: 'CLF', exponent: 4 },
  ])('include $currency with $exponent decimals', ({ currency, exponent }) => {
    expect(code(currency)).toStrictEqual({ code: currency, exponent })
  })

  test.each([
    { text: 'usd', reason: 'lower case' },
    { text: '', reason: 'empty' },
    { text: 'US', reason: 'too short' },
    { text: 'USDX', reason: 'too long' },
    { text: 'BGN', reason: 'withdrawn with the euro' },
    { text: 'DEM', reason: 'withdrawn' },
    { text: 'XAU', reason: 'gold, without minor units' },
    { text: 'XTS', reason: 'for tests' },
    { text: 'constructor', reason: 'a name that objects have' },
  ])('do not include $text: $reason', ({ text }) => {
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
    { text: 'USD', exponent: 2, reason: 'as today' },
    { text: 'DEM', exponent: 2, reason: 'withdrawn' },
    { text: 'USD', exponent: 0, reason: 'with other decimals than today' },
    { text: 'JPY', exponent: 4, reason: 'with other decimals than today' },
    { text: 'QQQ', exponent: 3, reason: 'unknown' },
  ])('are read from $text with $exponent decimals: $reason', ({ text, exponent }) => {
    expect(v.parse(StoredCurrency, { code: text, exponent })).toStrictEqual({ code: text, exponent })
  })

  test.each([
    { text: 'usd', exponent: 2 },
    { text: 'USDX', exponent: 2 },
    { text: 840, exponent: 2 },
    { text: 'USD', exponent: -1 },
    { text: 'USD', exponent: 0.5 },
    { text: 'USD', exponent: 5 },
    { text: 'USD', exponent: '2' },
    { text: 'USD', exponent: undefined },
  ])('refuse $text with $exponent decimals', ({ text, exponent }) => {
    expect(v.is(StoredCurrency, { code: text, exponent })).toBe(false)
  })

  test('are those of the table if they are equal, and equal if their codes and decimals are', () => {
    const stored = (text: string, exponent: number) => v.parse(StoredCurrency, { code: text, exponent })
    for (const each of currencyCodes.map(code)) expect(stored(each.code, each.exponent)).toBe(each)
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
    { decimal: 0, currency: 'USD', amount: 0 },
    { decimal: -0, currency: 'USD', amount: 0 },
    { decimal: 0.01, currency: 'USD', amount: 1 },
    { decimal: 0.1, currency: 'USD', amount: 10 },
    { decimal: 4.35, currency: 'USD', amount: 435 },
    { decimal: 1.005, currency: 'KWD', amount: 1_005 },
    { decimal: 0.0001, currency: 'UYW', amount: 1 },
    { decimal: 1.1, currency: 'MGA', amount: 110 },
    { decimal: 999_999_999_999_999, currency: 'JPY', amount: 999_999_999_999_999 },
    { decimal: 9_999_999_999_999.99, currency: 'USD', amount: 999_999_999_999_999 },
    { decimal: 99_999_999_999.9999, currency: 'UYW', amount: 999_999_999_999_999 },
  ])('of $decimal $currency are $amount minor units', ({ decimal, currency, amount }) => {
    expect(toMinor(decimal, code(currency))).toBe(amount)
  })

  test.each([
    { decimal: 0.5, currency: 'JPY', reason: 'has a decimal too many' },
    { decimal: 1.005, currency: 'USD', reason: 'has a decimal too many' },
    { decimal: 0.0001, currency: 'KWD', reason: 'has a decimal too many' },
    { decimal: 0.1 + 0.2, currency: 'USD', reason: 'is not 0.3' },
    { decimal: Number.MIN_VALUE, currency: 'USD', reason: 'has a decimal too many' },
    { decimal: -0.01, currency: 'USD', reason: 'is negative' },
    { decimal: 1e15, currency: 'JPY', reason: 'is too much' },
    { decimal: 1e13, currency: 'USD', reason: 'is too much' },
    { decimal: Number.POSITIVE_INFINITY, currency: 'USD', reason: 'is not an amount' },
    { decimal: Number.NaN, currency: 'USD', reason: 'is not an amount' },
  ])('of $decimal $currency are refused: the value $reason', ({ decimal, currency }) => {
    expect(toMinor(decimal, code(currency))).toBe(undefined)
    expect(notInCurrency(decimal, code(currency))).toContain(`${decimal} is not a valid ${currency} amount`)
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
})

describe('amounts in an unknown currency', () => {
  test.each([
    { input: 0, isPrice: true, isBid: false },
    { input: 0.0001, isPrice: true, isBid: true },
    { input: 999_999_999_999_999, isPrice: true, isBid: true },
    { input: 0.00001, isPrice: false, isBid: false },
    { input: 1e15, isPrice: false, isBid: false },
    { input: -1, isPrice: false, isBid: false },
    { input: 0.1 + 0.2, isPrice: false, isBid: false },
    { input: Number.NaN, isPrice: false, isBid: false },
    { input: Number.POSITIVE_INFINITY, isPrice: false, isBid: false },
    { input: '1', isPrice: false, isBid: false },
    { input: null, isPrice: false, isBid: false },
  ])('$input: valid as a price $isPrice, as a bid $isBid', ({ input, isPrice, isBid }) => {
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
