import { isPlainObject, type ObjectSchema, objectSchemaOf } from '@auction/domain/validation'
import type * as v from 'valibot'
import { isExact } from './exact-numbers.ts'

/** What a JSON text says, or the first name that one of its objects gives to two members. */
export type ExactJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly duplicateName: string }

/** An object or array whose end the scan has not reached. */
type Open = {
  /** Undefined where no schema describes it; its numbers are not read then. */
  readonly schema: ObjectSchema | undefined
  readonly value: Record<string, unknown>
  /** Created with the first of them: thousands of empty objects cost little. */
  names: Set<string> | undefined
  /** Of the last member: its name, and its schema where it is a field. */
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
 * Parses JSON and keeps what `JSON.parse` drops without an error. A number in a field of the schema becomes NaN, which no field accepts,
 * unless its double prints as the decimal that is written. A name that stands twice in one object is returned, since parsers keep the
 * last of its members or the first (RFC 8259, section 4), and others may have read another amount in the same bid.
 *
 * After the engine's parser it scans the text once. What is in no field of the schema is scanned for names only, so the time is linear
 * in the length of the text for every text.
 * @throws SyntaxError for text that is not JSON
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

// Nothing is added to it: within an array, a colon belongs to an inner object.
const array: Open = { schema: undefined, value: {}, names: undefined, name: '', field: undefined }

function innerObject(outer: Open | undefined, wholeSchema: ObjectSchema, whole: unknown): Open {
  const schema = outer === undefined ? wholeSchema : outer.field && objectSchemaOf(outer.field)
  const value = outer === undefined ? whole : schema && outer.value[outer.name]
  // Of a name that stands twice, the parser may have kept a member that is no object.
  const described = isObject(value) ? { schema, value } : { schema: undefined, value: array.value }
  return { ...described, names: undefined, name: '', field: undefined }
}

// What was just parsed may still be written to.
const isObject = (value: unknown): value is Record<string, unknown> => isPlainObject(value)

// More than any schema has fields: an object with more is refused for those that are unknown, whichever of them stand twice.
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

// Fifteen significant digits survive the way through a double; more, or an exponent, may not.
const maybeInexact = /\s*(-?(?:[\d.]{16,}|[\d.]+e)[\d.e+-]*)/iy

/** The name that a string literal writes. Two spellings of one name are one name. */
const nameOf = (literal: string): string =>
  literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1)

/** The index of the quotation mark that ends the string which begins at `start`. */
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
