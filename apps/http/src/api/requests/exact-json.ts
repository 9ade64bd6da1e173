/** Texts up to this length are short enough whatever they have. */
const maxUncountedLength = 65_536
/** A hundred lots with all fields have 20,000. */
export const maxJsonParts = 32_768

/**
 * Whether a text has too many brackets, colons and commas outside its strings. Their number, and not the length of a
 * text, determines how long `parseExactJson` blocks the process.
 */
export function hasTooManyParts(text: string): boolean {
  if (text.length <= maxUncountedLength) return false
  let count = 0
  let isInString = false
  for (let index = 0; index < text.length && count <= maxJsonParts; index++) {
    const unit = text.charCodeAt(index)
    if (unit === 0x22) isInString = !isInString
    else if (!isInString) count += isPart(unit) ? 1 : 0
    else if (unit === 0x5c) index++
  }
  return count > maxJsonParts
}

/** Whether a code unit is one of `,:[{`. */
const isPart = (unit: number): boolean => unit === 0x2c || unit === 0x3a || unit === 0x5b || unit === 0x7b

/** The value of a JSON text, or the first member name that an object repeats. */
type ExactJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly duplicateName: string }

/**
 * Parses JSON and detects two errors that `JSON.parse` ignores. A member that is a number whose double prints as
 * another decimal becomes an empty array, which no field accepts. A repeated member name is returned: some parsers keep
 * the first member, others the last (RFC 8259, section 4), so two programs could read different amounts from one bid.
 * @throws SyntaxError if the text is not JSON
 */
export function parseExactJson(text: string): ExactJson {
  const value: unknown = JSON.parse(text)
  const duplicateName = duplicateNameIn(text)
  if (duplicateName !== undefined) return { ok: false, duplicateName }
  if (!maybeInexact.test(text)) return { ok: true, value }
  const exact = text.replaceAll(stringOrMember, (token, number?: string) =>
    number === undefined || isExact(number) ? token : `${token.slice(0, -number.length)}[]`,
  )
  return { ok: true, value: exact === text ? value : JSON.parse(exact) }
}

// A double keeps fifteen significant digits. More digits, or an exponent, may be inexact.
const maybeInexact = /[\d.]{16}|\de/i
const string = /"[^"\\]*(?:\\.[^"\\]*)*"/
// A string, with the number after it if it is the name of one. Numbers in arrays are not checked: no field accepts an
// array.
const stringOrMember = new RegExp(`${string.source}(?:\\s*:\\s*(-?\\d[\\d.e+-]*))?`, 'gi')

// Every schema has fewer fields. An object with more names has unknown fields, which are refused.
const maxNames = 100

/** Finds the first repeated name in valid JSON. It scans the text once, in linear time. */
function duplicateNameIn(text: string): string | undefined {
  const literalAt = new RegExp(string, 'y')
  /** The names in each open object or array, created with the first name so that empty ones are cheap. */
  const open: (Set<string> | undefined)[] = []
  let literal = ''
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') {
      literalAt.lastIndex = index
      literal = literalAt.exec(text)?.[0] ?? ''
      index += literal.length - 1
    } else if (character === ':') {
      const name = literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1)
      const names = open.pop() ?? new Set()
      if (names.has(name)) return name
      if (names.size < maxNames) names.add(name)
      open.push(names)
    } else if (character === '{' || character === '[') open.push(undefined)
    else if (character === '}' || character === ']') open.pop()
  }
  return undefined
}

/**
 * Whether a number literal equals the decimal that its double prints as: 1.0, 1e2 and 10.50 do, 1e400 and
 * 9007199254740993 do not.
 */
export function isExact(literal: string): boolean {
  const value = Number(literal)
  return Number.isFinite(value) && decimalOf(literal) === decimalOf(String(value))
}

const numberForm = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** The canonical form of a number literal: significant digits and a power of ten. */
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
