import * as v from 'valibot'
import { InvalidValueError } from './invalid-value.ts'
import { accepted, type Result, refused } from './result.ts'

/** An error of an input: its position and the rule that it breaks. */
export type FieldError = {
  /** A JSON Pointer (RFC 6901); `""` is the whole input. */
  readonly pointer: string
  readonly message: string
}

/** The refusal of an invalid input. It lists only the first errors, to limit the size of the response. */
export type ValidationFailed = {
  readonly code: 'validation-failed'
  /** Up to `maxErrors`. */
  readonly errors: readonly FieldError[]
  /** The number of errors that are not listed. */
  readonly moreErrors: number
}

/** The maximum number of listed errors. */
const maxErrors = 20

export const validationFailed = (...errors: readonly FieldError[]): ValidationFailed => failedWith(errors, 0)

const failedWith = (errors: readonly FieldError[], uncounted: number): ValidationFailed => ({
  code: 'validation-failed',
  errors: errors.slice(0, maxErrors),
  moreErrors: Math.max(0, errors.length - maxErrors) + uncounted,
})

export type Parsed<Value> = Result<Value, ValidationFailed>

/** Combines the refusals of several parts of one input. */
export function allErrorsOf(...parts: readonly Parsed<unknown>[]): ValidationFailed {
  const refusals = parts.flatMap((part) => (part.ok ? [] : [part.refusal]))
  const uncounted = refusals.reduce((count, { moreErrors }) => count + moreErrors, 0)
  return failedWith(
    refusals.flatMap(({ errors }) => errors),
    uncounted,
  )
}

const none: ReadonlySet<string> = new Set()

/** The schema of an object, with or without further actions. */
export type ObjectSchema = v.GenericSchema & { readonly entries: v.ObjectEntries }

const notAnObject = 'must be a JSON object'

/** The message for `v.object`, which reports a missing field as an issue whose `expected` is the quoted field name. */
export const missingField = (issue: v.ObjectIssue): string =>
  issue.expected.startsWith('"') ? 'is required' : notAnObject

/**
 * Parses an object strictly: values are not coerced, and unknown fields are errors unless they are in `ignored`. Reports every invalid
 * field once, known fields first.
 * @param moreErrorsOf - returns further errors of known fields, given the other errors
 */
export function parseObject<Schema extends ObjectSchema>(
  schema: Schema,
  input: unknown,
  ignored: ReadonlySet<string> = none,
  moreErrorsOf: (errors: readonly FieldError[]) => readonly FieldError[] = () => [],
): Parsed<v.InferOutput<Schema>> {
  if (!isPlainObject(input)) return refused(validationFailed({ pointer: '', message: notAnObject }))
  const unknown = unknownFields(schema, input, ignored)
  const result = v.safeParse(schema, withoutArrays(schema, input))
  if (result.success && unknown.length === 0) return accepted(result.output)
  const errors = firstPerField(result.issues ?? [])
  return refused(withUnknownFields([...errors, ...moreErrorsOf(errors)], unknown))
}

/** Replaces arrays that should be objects, because valibot accepts an array as an object without fields. */
function withoutArrays({ entries }: ObjectSchema, input: Readonly<Record<string, unknown>>): typeof input {
  const names = Object.keys(entries).filter((name) => Array.isArray(input[name]) && isObjectSchema(entries[name]))
  return names.length === 0 ? input : { ...input, ...Object.fromEntries(names.map((name) => [name, true])) }
}

/** Unknown fields of an object. */
type UnknownFields = { readonly path: readonly string[]; readonly names: readonly string[]; readonly rule: string }

/** The unknown fields of an object and its inner objects. valibot's strict objects stop at the first, and skip keys such as `__proto__`. */
function unknownFields(
  schema: ObjectSchema,
  input: Readonly<Record<string, unknown>>,
  ignored: ReadonlySet<string>,
  path: readonly string[] = [],
): readonly UnknownFields[] {
  const { entries } = schema
  const names = Object.keys(input).filter((name) => !Object.hasOwn(entries, name) && !ignored.has(name))
  const rule = `is not a known field; known fields are ${Object.keys(entries).join(', ')}`
  const found: UnknownFields[] = names.length === 0 ? [] : [{ path, names, rule }]
  for (const [name, entry] of Object.entries(entries)) {
    const inner = objectSchemaOf(entry)
    const value = input[name]
    if (inner !== undefined && isPlainObject(value)) found.push(...unknownFields(inner, value, none, [...path, name]))
  }
  return found
}

const isObjectSchema = (schema: v.ObjectEntries[string] | undefined): boolean =>
  schema !== undefined && objectSchemaOf(schema) !== undefined

/** The schema of an object, optional or not; undefined for other schemas. */
export function objectSchemaOf(schema: v.ObjectEntries[string]): ObjectSchema | undefined {
  const unwrapped = 'wrapped' in schema ? schema.wrapped : schema
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

/** A refusal with errors and unknown names, of which a request may have thousands. */
export const withUnknownNames = (
  errors: readonly FieldError[],
  names: readonly string[],
  rule: string,
): ValidationFailed => withUnknownFields(errors, [{ path: [], names, rule }])

function withUnknownFields(errors: readonly FieldError[], unknown: readonly UnknownFields[]): ValidationFailed {
  const listed = [...errors]
  let unlisted = 0
  for (const { path, names, rule } of unknown) {
    const some = names.slice(0, Math.max(0, maxErrors - listed.length))
    listed.push(...some.map((name) => ({ pointer: pointerTo([...path, shortened(name)]), message: rule })))
    unlisted += names.length - some.length
  }
  return failedWith(listed, unlisted)
}

const maxNameLength = 100

/** Shortens a name of the client for a message: up to 100 UTF-16 units, without splitting a surrogate pair. */
export const shortened = (name: string): string =>
  name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength).replace(/[\ud800-\udbff]$/, '')}…`

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

/** A JSON Pointer (RFC 6901): a slash before each token, with `~0` for `~` and `~1` for `/`. */
export const pointerTo = (path: readonly string[]): string =>
  path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
