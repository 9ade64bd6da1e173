import * as v from 'valibot'
import { accepted, type Result, refused } from './result.ts'
import {
  type FieldError,
  InvalidValueError,
  type Parsed,
  pointerTo,
  shortened,
  type UnknownFields,
  validationFailed,
  withUnknownFields,
} from './validation.ts'

const none: ReadonlySet<string> = new Set()

/** The schema of an object, with or without further actions. */
export type ObjectSchema = v.GenericSchema & { readonly entries: v.ObjectEntries }

const notAnObject = 'must be a JSON object'

/** The message for `v.object`, which reports a missing field as an issue whose `expected` is the quoted field name. */
export const missingField = (issue: v.ObjectIssue): string =>
  issue.expected.startsWith('"') ? 'is required' : notAnObject

/**
 * Parses an object strictly: values are not coerced, and unknown fields are errors unless they are in `ignored`.
 * Reports every invalid field once, known fields first.
 * @param moreErrorsOf - returns further errors of known fields, given the other errors
 */
export function parseObject<Schema extends ObjectSchema>(
  schema: Schema,
  input: unknown,
  ignored: ReadonlySet<string> = none,
  moreErrorsOf: (errors: readonly FieldError[]) => readonly FieldError[] = () => [],
): Parsed<v.InferOutput<Schema>> {
  if (!isPlainObject(input)) return refused(validationFailed({ pointer: '', message: notAnObject }))
  const judged = withoutArrays(schema, input)
  const unknown = unknownFields(schema, judged, ignored)
  const result = v.safeParse(schema, judged)
  if (result.success && unknown.length === 0) return accepted(result.output)
  const errors = firstPerField(result.issues ?? [])
  return refused(withUnknownFields([...errors, ...moreErrorsOf(errors)], unknown))
}

/**
 * Replaces arrays whose items need no judgement by a value that their schema refuses: those that should be objects,
 * because valibot accepts an array as an object without fields, and those with too many items, because it judges each
 * first.
 */
function withoutArrays({ entries }: ObjectSchema, input: Readonly<Record<string, unknown>>): typeof input {
  const judged = Object.entries(entries).flatMap(([name, entry]): readonly (readonly [string, unknown])[] => {
    const value = input[name]
    const inner = isPlainObject(value) ? objectSchemaOf(entry) : undefined
    if (inner !== undefined && isPlainObject(value)) {
      const judgedValue = withoutArrays(inner, value)
      return judgedValue === value ? [] : [[name, judgedValue]]
    }
    if (!Array.isArray(value)) return []
    if (isObjectSchema(entry) || value.length > maxItemsOf(entry)) return [[name, true]]
    const itemSchema = itemSchemaOf(entry)
    const items: readonly unknown[] = value
    if (itemSchema === undefined) return []
    return [[name, items.map((item) => (isPlainObject(item) ? withoutArrays(itemSchema, item) : item))]]
  })
  return judged.length === 0 ? input : { ...input, ...Object.fromEntries(judged) }
}

/**
 * The unknown fields of an object and its inner ones, also in arrays. Strict objects of valibot report one, and skip
 * `__proto__`.
 */
function unknownFields(
  schema: ObjectSchema,
  input: Readonly<Record<string, unknown>>,
  ignored: ReadonlySet<string>,
  path: readonly string[] = [],
): readonly UnknownFields[] {
  const { entries } = schema
  const names = Object.keys(input).filter((name) => !Object.hasOwn(entries, name) && !ignored.has(name))
  const rule = `is not a known field; known fields are ${Object.keys(entries).join(', ')}`
  const unknown: UnknownFields[] = names.length === 0 ? [] : [{ path, names, rule }]
  for (const [name, entry] of Object.entries(entries)) {
    const value = input[name]
    for (const { schema, value: object, key } of innerObjects(entry, value))
      unknown.push(...unknownFields(schema, object, none, [...path, name, ...key]))
  }
  return unknown
}

type InnerObject = {
  readonly schema: ObjectSchema
  readonly value: Readonly<Record<string, unknown>>
  /** Its index, if it is in an array. */
  readonly key: readonly string[]
}

/** The object of a field, or the objects of an array. */
function innerObjects(entry: v.ObjectEntries[string], value: unknown): readonly InnerObject[] {
  const schema = objectSchemaOf(entry)
  if (schema !== undefined) return isPlainObject(value) ? [{ schema, value, key: [] }] : []
  const itemSchema = itemSchemaOf(entry)
  if (itemSchema === undefined || !Array.isArray(value)) return []
  const items: readonly unknown[] = value
  return items.flatMap((item, index) =>
    isPlainObject(item) ? [{ schema: itemSchema, value: item, key: [`${index}`] }] : [],
  )
}

const isObjectSchema = (schema: v.ObjectEntries[string]): boolean => objectSchemaOf(schema) !== undefined

/** The number of items that an array may have. */
function maxItemsOf(schema: v.ObjectEntries[string]): number {
  // The schema may have no pipe.
  const { pipe = [] } = unwrap(schema) as Partial<v.SchemaWithPipe<readonly [v.GenericSchema]>>
  const limit = pipe.find(({ type }: { readonly type: string }) => type === 'max_length')
  return limit !== undefined && 'requirement' in limit ? Number(limit.requirement) : Number.POSITIVE_INFINITY
}

/** The schema of a value that may be absent or null. */
function unwrap(schema: v.ObjectEntries[string]): unknown {
  let unwrapped: unknown = schema
  while (typeof unwrapped === 'object' && unwrapped !== null && 'wrapped' in unwrapped) unwrapped = unwrapped.wrapped
  return unwrapped
}

/** The schema of the objects in an array, optional or not; undefined for other schemas. */
function itemSchemaOf(schema: v.ObjectEntries[string]): ObjectSchema | undefined {
  const unwrapped = unwrap(schema)
  // The cast: only valibot's array schemas have this member.
  return typeof unwrapped === 'object' && unwrapped !== null && 'item' in unwrapped
    ? objectSchemaOf(unwrapped.item as v.ObjectEntries[string])
    : undefined
}

/** The schema of an object, optional or not; undefined for other schemas. */
export function objectSchemaOf(schema: v.ObjectEntries[string]): ObjectSchema | undefined {
  const unwrapped = unwrap(schema)
  // The cast: only valibot's object schemas have this member, and no schema is asynchronous.
  return typeof unwrapped === 'object' && unwrapped !== null && 'entries' in unwrapped
    ? (unwrapped as ObjectSchema)
    : undefined
}

/**
 * Parses a value that does not come from a request.
 * @param what the name of the value in a sentence, such as "a user id"
 * @throws InvalidValueError with the rule that the value breaks
 */
export function checkedValue<Schema extends v.GenericSchema>(
  schema: Schema,
  input: v.InferInput<Schema>,
  what: string,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input, { abortEarly: true })
  if (result.success) return result.output
  const shown = typeof input === 'string' ? JSON.stringify(shortened(input)) : String(input)
  throw new InvalidValueError(`${what} ${result.issues[0].message}; got ${shown}`)
}

/** The first error of a value that does not come from a request, for an error message and the log. */
export type FirstError = {
  /** The path of the field, such as `softClose.windowSeconds`; undefined for the whole value. */
  readonly field: string | undefined
  /** The rule that the value breaks. It never contains the value, which may be secret. */
  readonly rule: string
}

/** Parses a value, or returns its first error. */
export function parseFirst<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): Result<v.InferOutput<Schema>, FirstError> {
  const result = v.safeParse(schema, value, { abortEarly: true, message: ruleWithoutValue })
  if (result.success) return accepted(result.output)
  const [issue] = result.issues
  return refused({ field: v.getDotPath(issue) ?? undefined, rule: issue.message })
}

/** The message for schemas without one. valibot's own messages contain the value. */
const ruleWithoutValue = ({ type, expected, received }: v.BaseIssue<unknown>): string =>
  received === 'undefined' ? 'it is missing' : `expected ${expected ?? type.replaceAll('_', ' ')}`

/** Whether the input is an object, not null or an array. */
export const isPlainObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

function firstPerField(issues: readonly v.BaseIssue<unknown>[]): FieldError[] {
  const byPointer = new Map<string, FieldError>()
  for (const issue of issues) {
    const error = fieldErrorOf(issue)
    if (!byPointer.has(error.pointer)) byPointer.set(error.pointer, error)
  }
  return [...byPointer.values()]
}

function fieldErrorOf({ path, message }: v.BaseIssue<unknown>): FieldError {
  const items = path ?? []
  const pointerBefore = (count?: number) => pointerTo(items.slice(0, count).map(({ key }) => String(key)))
  // valibot accepts an array as an object without fields.
  const inArray = items.findIndex(({ type, input }) => type === 'object' && Array.isArray(input))
  return inArray === -1
    ? { pointer: pointerBefore(), message }
    : { pointer: pointerBefore(inArray), message: notAnObject }
}
