import { isPlainObject, type ObjectSchema, objectSchemaOf } from '@auction/domain/parsing'
import type * as v from 'valibot'
import { isExact } from './exact-numbers.ts'

/** The value of a JSON text, or the first member name that an object repeats. */
export type ExactJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly duplicateName: string }

/** An object or array that the scan has entered and not left. */
type Open = {
  /** Undefined if no schema describes the object. The scan does not check its numbers. */
  readonly schema: ObjectSchema | undefined
  readonly value: Record<string, unknown>
  /** Created with the first name, so that empty objects are cheap. */
  names: Set<string> | undefined
  /** The name of the last member, and its schema if it is a field. */
  name: string
  field: v.ObjectEntries[string] | undefined
}

const quote = '"'.charCodeAt(0)
const colon = ':'.charCodeAt(0)
const openBrace = '{'.charCodeAt(0)
const closeBrace = '}'.charCodeAt(0)
const openBracket = '['.charCodeAt(0)
const closeBracket = ']'.charCodeAt(0)

/**
 * Parses JSON and detects two errors that `JSON.parse` ignores. A number in a field of the schema becomes NaN, which no field accepts,
 * unless its double prints as the same decimal. A repeated member name is returned: some parsers keep the first member, others the
 * last (RFC 8259, section 4), so two programs could read different amounts from one bid.
 *
 * After `JSON.parse` it scans the text once, in linear time.
 * @throws SyntaxError if the text is not JSON
 */
export function parseExactJson(text: string, schema: ObjectSchema): ExactJson {
  const value: unknown = JSON.parse(text)
  const open: Open[] = []
  let stringStart = 0
  let stringEnd = 0
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (character === quote) {
      stringStart = index
      stringEnd = endOfString(text, index)
      index = stringEnd
    } else if (character === colon) {
      const object = open.at(-1)
      const name = nameOf(text.slice(stringStart, stringEnd + 1))
      if (object?.names?.has(name)) return { ok: false, duplicateName: name }
      if (object !== undefined) addMember(object, name, text, index + 1)
    } else if (character === openBrace) open.push(innerObject(open.at(-1), schema, value))
    else if (character === openBracket) open.push(array)
    else if (character === closeBrace || character === closeBracket) open.pop()
  }
  return { ok: true, value }
}

// Arrays share one object: a colon inside an array belongs to an inner object.
const array: Open = { schema: undefined, value: {}, names: undefined, name: '', field: undefined }

function innerObject(outer: Open | undefined, wholeSchema: ObjectSchema, whole: unknown): Open {
  const schema = outer === undefined ? wholeSchema : outer.field && objectSchemaOf(outer.field)
  const value = outer === undefined ? whole : schema && outer.value[outer.name]
  // If the name is repeated, the parser may have kept a member that is not an object.
  const described = isObject(value) ? { schema, value } : { schema: undefined, value: array.value }
  return { ...described, names: undefined, name: '', field: undefined }
}

// Not readonly: the parsed value may still be changed.
const isObject = (value: unknown): value is Record<string, unknown> => isPlainObject(value)

// More than any schema has fields. An object with more names has unknown fields, which are refused.
const maxNames = 100

function addMember(object: Open, name: string, text: string, valueStart: number): void {
  object.names ??= new Set()
  if (object.names.size < maxNames) object.names.add(name)
  object.name = name
  const { schema, value } = object
  if (schema === undefined) return
  object.field = Object.hasOwn(schema.entries, name) ? schema.entries[name] : undefined
  if (object.field === undefined) return
  maybeInexact.lastIndex = valueStart
  const literal = maybeInexact.exec(text)?.[1]
  if (literal !== undefined && !isExact(literal)) value[name] = Number.NaN
}

// A double keeps fifteen significant digits. More digits, or an exponent, may be inexact.
const maybeInexact = /\s*(-?(?:[\d.]{16,}|[\d.]+e)[\d.e+-]*)/iy

/** The name in a string literal, without escapes. */
const nameOf = (literal: string): string =>
  literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1)

/** The index of the closing quotation mark of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0
  while (text[index - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
