// Fifteen significant digits survive the way through a double; more, or an exponent, may not.
const maybeInexact = /[\d.]{16}|\d[eE]/

/**
 * Parses JSON so that no number changes silently: one whose decimal value is not that which its double prints as becomes
 * NaN, which no field accepts. So 1.00000000000000001, 9007199254740993 and 1e400 are refused, 1.0, 1e2 and 10.50 are not.
 * @throws SyntaxError for text that is not JSON; RangeError for text nested too deeply to look at
 */
export function parseExactJson(text: string): unknown {
  return maybeInexact.test(text) ? JSON.parse(text, markInexact) : JSON.parse(text)
}

// The third argument is that of JSON.parse source text access (ES2026), which the compiler's library does not know yet.
function markInexact(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value
  return isExact(context.source, value) ? value : Number.NaN
}

const isExact = (source: string, value: number): boolean =>
  Number.isFinite(value) && decimalOf(source) === decimalOf(String(value))

const numberForm = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** The decimal that a number literal writes, in one form for all its spellings: significant digits and a power of ten. */
function decimalOf(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = numberForm.exec(literal) ?? []
  const digits = whole + fraction
  let start = 0
  let end = digits.length
  while (start < end && digits[start] === '0') start++
  while (end > start && digits[end - 1] === '0') end--
  if (start === end) return '0'
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}
