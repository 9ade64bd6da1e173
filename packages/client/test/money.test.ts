import { toCurrency } from '@auction/domain/money'
import { describe, expect, test } from 'vitest'
import { longTest } from '../../../tools/vitest/long-test.ts'
import { amountOf, editableAmount, exponentOf, formatAmount, minorOf, parseAmount } from '../src/client.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** The exponents that the service has. */
const served = letters
  .flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
  .flatMap((code) => {
    try {
      return [toCurrency(code)]
    } catch {
      return []
    }
  })

test('exponents are those of the service', () => {
  expect(served.length).toBeGreaterThan(150)
  for (const { code, exponent } of served) expect([code, exponentOf(code)]).toEqual([code, exponent])
})

test.each<[number, string, bigint]>([
  [0, 'USD', 0n],
  [0.07, 'USD', 7n],
  [1.1, 'USD', 110n],
  [9_999_999_999_999.99, 'USD', 999_999_999_999_999n],
  [999_999_999_999_999, 'JPY', 999_999_999_999_999n],
  [0.001, 'KWD', 1n],
  [999_999_999_999.999, 'KWD', 999_999_999_999_999n],
  [0.0001, 'CLF', 1n],
])('%d %s is %d minor units, and back', (amount, currency, minor) => {
  expect(minorOf(amount, currency)).toBe(minor)
  expect(amountOf(minor, currency)).toBe(amount)
})

test.each([
  [1.005, 'USD'],
  [1.5, 'JPY'],
  [1e21, 'JPY'],
  [-1, 'USD'],
  [Number.NaN, 'USD'],
])('%d is not an amount of %s', (amount, currency) => {
  expect(() => minorOf(amount, currency)).toThrow(RangeError)
})

test.each<[number, string, string, string]>([
  [1_000_000_000_000, 'JPY', 'en', '¥1,000,000,000,000'],
  [10.125, 'KWD', 'en', 'KWD 10.125'],
  [9_999_999_999_999.99, 'USD', 'en', '$9,999,999,999,999.99'],
  [1234.5, 'EUR', 'de', '1.234,50 €'],
  [5, 'IQD', 'en', 'IQD 5.000'],
])('%d %s in %s is %s', (amount, currency, locale, text) => {
  expect(formatAmount(amount, currency, locale).replaceAll(/\s/g, ' ')).toBe(text)
})

describe('an amount that a reader types', () => {
  test.each<[string, string, string, number | undefined]>([
    ['12.50', 'USD', 'en', 12.5],
    ['1,234.5', 'USD', 'en', 1234.5],
    ['12,50', 'USD', 'en', undefined],
    ['1,2345', 'USD', 'en', undefined],
    ['12,50', 'EUR', 'de', 12.5],
    ['1.234,50', 'EUR', 'de', 1234.5],
    ['1.234', 'EUR', 'es', 1234],
    ['12.50', 'EUR', 'de', undefined],
    ['1 234,5', 'EUR', 'fr', 1234.5],
    ['12.5', 'EUR', 'fr', 12.5],
    ['١٢٫٥', 'KWD', 'ar-EG', 12.5],
    ['12,34,567', 'INR', 'en-IN', 1_234_567],
    ['1.700,00', 'EUR', 'de-AT', 1700],
    ['1 700,00', 'EUR', 'de-AT', 1700],
    ['1.700', 'KWD', 'de-AT', 1700],
    ['1.700', 'EUR', 'de-AT', 1700],
    ['1.70', 'EUR', 'de-AT', undefined],
    ['1,234', 'EUR', 'en-DE', 1234],
    ['1.234', 'EUR', 'en-DE', undefined],
    ["12'345.60", 'CHF', 'fr-CH', 12_345.6],
    ['12’345,60', 'CHF', 'fr-CH', 12_345.6],
    ['1700$50', 'CVE', 'pt-CV', 1700.5],
    ['€ 5', 'EUR', 'en', 5],
    ['5 eur', 'EUR', 'en', undefined],
    ['5 EUR', 'EUR', 'en', 5],
    ['$5', 'EUR', 'en', undefined],
    [' 7 ', 'USD', 'en', 7],
    ['7.', 'USD', 'en', 7],
    ['7.005', 'USD', 'en', undefined],
    ['7.5', 'JPY', 'en', undefined],
    ['9999999999999.99', 'USD', 'en', 9_999_999_999_999.99],
    ['10000000000000', 'USD', 'en', undefined],
    ['-5', 'USD', 'en', undefined],
    ['1e3', 'USD', 'en', undefined],
    ['', 'USD', 'en', undefined],
    ['1.2.3', 'USD', 'en', undefined],
  ])('%j in %s, locale %s, is %s', (text, currency, locale, amount) => {
    expect(parseAmount(text, currency, locale)).toBe(amount)
  })

  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  const languages = Intl.NumberFormat.supportedLocalesOf(
    [...codes, ...codes.flatMap((code) => letters.map((letter) => code + letter))].map((code) => code.toLowerCase()),
  ).filter((language) => !language.includes('-'))

  /** What the page shows, and what its field shows, is read as the same amount. */
  function expectRead(locales: readonly string[], currencies: readonly string[], minors: readonly bigint[]): void {
    const misread = locales.flatMap((locale) =>
      currencies.flatMap((currency) =>
        minors.flatMap((minor) => {
          const amount = amountOf(minor, currency)
          const texts = [formatAmount(amount, currency, locale), editableAmount(amount, currency, locale)]
          return texts.filter((text) => parseAmount(text, currency, locale) !== amount).map((text) => [locale, text])
        }),
      ),
    )
    expect(misread).toEqual([])
  }

  test('is read as it is shown, in every language and where amounts have other signs than numbers', () => {
    expect(languages.length).toBeGreaterThan(200)
    const others = ['de-AT', 'de-CH', 'en-BE', 'en-IN', 'en-ZA', 'fr-CH', 'pt-CV', 'ar-EG', 'ff-Adlm', 'uz-Arab']
    expectRead([...languages, ...others], ['EUR', 'JPY', 'KWD', 'CLF', 'CVE'], [1_500n, 123_456_789n])
  })

  // Signs of numbers depend on the locale, and those of amounts on the currency, too: each is tried with some of the other.
  const everyLocaleAndCurrency = async () => {
    const tags = languages.flatMap((language) => codes.map((region) => `${language}-${region}`))
    const locales = tags.filter((tag) => new Intl.NumberFormat(tag).resolvedOptions().locale === tag)
    expect(locales.length).toBeGreaterThan(500)
    expectRead(locales, ['EUR', 'KWD', 'CVE'], [123_456_789n])
    const currencies = served.map(({ code }) => code)
    expectRead(['en', 'de-AT', 'fr-CH', 'en-BE', 'pt-CV', 'ar-EG', 'es', 'hi'], currencies, [123_456_789n])
  }
  longTest('is read as it is shown, in every locale and with every currency', everyLocaleAndCurrency, {
    timeout: 300_000,
  })
})
