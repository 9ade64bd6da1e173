import fc from 'fast-check'
import type { JsonSchema } from '../../src/api/openapi/openapi.ts'
import { document } from '../contract/document.ts'
import { requestCheck } from '../contract/schema-check.ts'

type Schema = JsonSchema | boolean

/** Values that match a request schema; half of them come from the pool of examples. */
export function validValues(schema: Schema): fc.Arbitrary<unknown> {
  const isValid = validity(schema)
  const plausible = pool.filter(isValid)
  const generated = ofSchema(schema).filter(isValid)
  return plausible.length === 0 ? generated : fc.oneof(fc.constantFrom(...plausible), generated)
}

/** Values that do not match it, if any. */
export function invalidValues(schema: Schema): readonly unknown[] {
  const isValid = validity(schema)
  return pool.filter((value) => !isValid(value))
}

/** URL texts that do not match it, whether they are read as numbers or as texts. */
export function invalidTexts(schema: Schema): readonly string[] {
  const isValid = validity(schema)
  const texts = pool.filter((value) => typeof value !== 'object').map(String)
  return texts.filter((text) => text.isWellFormed() && text.length < 1_000 && ![text, readText(text)].some(isValid))
}

/** The JSON value of a URL text. */
const readText = (text: string): unknown => (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : text)

function validity(schema: Schema): (value: unknown) => boolean {
  const check = requestCheck(typeof schema === 'boolean' ? {} : schema)
  return (value) => check(value).length === 0
}

function ofSchema(schema: Schema): fc.Arbitrary<unknown> {
  if (typeof schema === 'boolean' || schema.type === undefined) return fc.jsonValue()
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  return fc.oneof(...[schema.type].flat().map((type) => ofType(type, schema)))
}

function ofType(type: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer': {
      const { minimum: min = 1, maximum: max = Number.MAX_SAFE_INTEGER } = schema
      // Small ids exist. A filter of any integers would look long for one in a narrow range.
      return fc.oneof(fc.integer({ min, max: Math.min(max, min + 5) }), fc.integer({ min, max }))
    }
    case 'number':
      return fc.oneof(
        fc.maxSafeInteger().map((minor) => minor / 100),
        fc.double({
          noNaN: true,
          noDefaultInfinity: true,
          min: schema.minimum ?? 0,
          max: schema.exclusiveMaximum ?? 1e15,
        }),
      )
    case 'string':
      return schema.pattern === undefined
        ? fc.string({ unit: 'binary', maxLength: Math.min(schema.maxLength ?? 300, 300) })
        : fc.stringMatching(new RegExp(schema.pattern))
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, property]) => [name, validValues(property)]),
        ),
        { requiredKeys: schema.required ?? [] },
      )
    case 'array':
      return fc.array(validValues(itemsOf(schema)), {
        minLength: schema.minItems ?? 0,
        maxLength: schema.maxItems ?? 10,
      })
    default:
      throw new Error(`requests have no ${type} yet: say here how one is made`)
  }
}

/** The schema of all items. No request has a tuple. */
const itemsOf = ({ items = true }: JsonSchema): Schema => (Array.isArray(items) ? true : items)

/** All values in the examples of the document, and typical edge cases. */
const pool: readonly unknown[] = [
  ...new Set(leavesOf(Object.values(document.paths))),
  ...[null, true, false, 0, -1, 1.5, 0.01, 0.1, 0.001, 1e15, 1e300, -1e300, 2 ** 53, 2 ** 53 - 1],
  ...['', ' ', 'x', '0', '1', '01', '-1', '1.5', '101', 'null', '\u0000', '\ud800', '__proto__', '../1', '1 or 1=1'],
  ...['é'.repeat(200), '😀'.repeat(200), 'x'.repeat(201), 'x'.repeat(10_000), 'x'.repeat(10_001)],
  ...['2030-02-30T00:00:00Z', '2030-01-31T12:00:00+00:00', '2030-01-31t12:00:00z', '2030-01-31T12:00:00.1234567891Z'],
  ...['2030-01-31T12:00:00.123456789Z', '9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z', 'usd', 'XXX', 'JPY', 'KWD'],
  ...[[], {}, [1], { id: 1 }],
]

function leavesOf(part: unknown): readonly unknown[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, value]) => (name === 'value' ? scalarsOf(value) : leavesOf(value)))
}

function scalarsOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalarsOf) : [value]
}
