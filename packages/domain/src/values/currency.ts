import * as currencies from 'dinero.js/currencies'
import * as v from 'valibot'
import { type Currency, maxExponent } from './money.ts'
import { checkedValue } from './parsing.ts'

// Corrections where the library's table differs from list one of ISO 4217.
const corrections = new Map<string, number | 'withdrawn'>([
  ['BGN', 'withdrawn'], // Bulgaria adopted the euro on 2026-01-01.
  ['MGA', 2], // The table has base-5 units for the ariary and the ouguiya; ISO 4217 lists both with two decimals.
  ['MRU', 2],
])

function exponentsByCode(): ReadonlyMap<string, number> {
  const exponents = new Map<string, number>()
  for (const { code, exponent } of Object.values(currencies)) {
    const corrected = corrections.get(code) ?? exponent
    if (corrected !== 'withdrawn') exponents.set(code, corrected)
  }
  return exponents
}

// The marks let bundlers leave the table out of programs that do not parse currencies.
const exponents = /* @__PURE__ */ exponentsByCode()

/** The active ISO 4217 codes that have minor units, in alphabetical order. */
export const currencyCodes: readonly string[] = /* @__PURE__ */ [...exponents.keys()].sort()

const known = new Map<string, Currency>()

function currencyOf(code: string, exponent: number): Currency {
  const name = `${code} ${exponent}`
  const before = known.get(name)
  if (before !== undefined) return before
  const currency = Object.freeze({ code, exponent }) as Currency // Only this creates a currency.
  known.set(name, currency)
  return currency
}

const rule = 'must be an active ISO 4217 currency code in upper case, such as "USD"'

/** A currency code in a request. The current table must contain it. */
export const CurrencyCode = v.pipe(
  v.string(rule),
  v.metadata({ pattern: '^[A-Z]{3}$' }),
  v.rawTransform(({ dataset, addIssue, NEVER }): Currency => {
    const exponent = exponents.get(dataset.value)
    if (exponent !== undefined) return currencyOf(dataset.value, exponent)
    addIssue({ message: rule })
    return NEVER
  }),
)

/** The currency of a code such as `USD`. @throws InvalidValueError if the current table does not contain the code */
export const toCurrency = (code: string): Currency => checkedValue(CurrencyCode, code, 'a currency')

/** A stored currency. The current table may lack it, or have a different exponent. */
export const StoredCurrency = v.pipe(
  v.object({
    code: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
    exponent: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxExponent)),
  }),
  v.transform(({ code, exponent }) => currencyOf(code, exponent)),
)
