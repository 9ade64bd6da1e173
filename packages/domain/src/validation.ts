import * as v from 'valibot'
import { InvalidValueError } from './invalid-value.ts'
import { accepted, type Result, refused } from './result.ts'

/** One thing that is wrong with an input: where it stands, and what would have been right. */
export type Fault = {
  /** An RFC 6901 JSON Pointer into the input; `""` is the input as a whole. */
  readonly pointer: string
  readonly message: string
}

/** The refusal of an input that is faulty, with its first faults: no answer is a multiple of what was sent. */
export type ValidationFailed = {
  readonly code: 'validation-failed'
  /** Up to `maxFaults`. */
  readonly faults: readonly Fault[]
  /** How many there are beside them. */
  readonly moreFaults: number
}

/** How many faults of one input are told; beyond that they are counted. */
export const maxFaults = 20

export const validationFailed = (...faults: readonly Fault[]): ValidationFailed => failedWith(faults, 0)

const failedWith = (faults: readonly Fault[], uncounted: number): ValidationFailed => ({
  code: 'validation-failed',
  faults: faults.slice(0, maxFaults),
  moreFaults: Math.max(0, faults.length - maxFaults) + uncounted,
})

export type Parsed<Value> = Result<Value, ValidationFailed>

/** The refusals of several parts of one input as one. */
export function allFaultsOf(...parts: readonly Parsed<unknown>[]): ValidationFailed {
  const refusals = parts.flatMap((part) => (part.ok ? [] : [part.refusal]))
  const uncounted = refusals.reduce((count, { moreFaults }) => count + moreFaults, 0)
  return failedWith(
    refusals.flatMap(({ faults }) => faults),
    uncounted,
  )
}

const none: ReadonlySet<string> = new Set()

/** The schema of an object, whatever is done to it afterwards. */
export type ObjectSchema = v.GenericSchema & { readonly entries: v.ObjectEntries }

const noObject = 'must be a JSON object'

/** Message for `v.object`, which reports a missing field as an issue of its own whose `expected` is the quoted field name. */
export const missingField = (issue: v.ObjectIssue): string =>
  issue.expected.startsWith('"') ? 'is required' : noObject

/**
 * Parses an object strictly: nothing is coerced, and a field that the schema does not know is a fault, unless it is one of
 * the `ignored`, which are dropped. Every faulty field is reported, each once, and those that the schema knows first.
 * @param alsoFaulty - what is told of known fields beside other faults, given the faults that these have
 */
export function parseObject<Schema extends ObjectSchema>(
  schema: Schema,
  input: unknown,
  ignored: ReadonlySet<string> = none,
  alsoFaulty: (faults: readonly Fault[]) => readonly Fault[] = () => [],
): Parsed<v.InferOutput<Schema>> {
  if (!isPlainObject(input)) return refused(validationFailed({ pointer: '', message: noObject }))
  const unknown = unknownFields(schema, input, ignored)
  const result = v.safeParse(schema, withoutArrays(schema, input))
  if (result.success && unknown.length === 0) return accepted(result.output)
  const faults = firstPerField(result.issues ?? [])
  return refused(withUnknownFields([...faults, ...alsoFaulty(faults)], unknown))
}

/** The input without arrays where objects belong: valibot takes them for objects, of which every field is missing. */
function withoutArrays({ entries }: ObjectSchema, input: Readonly<Record<string, unknown>>): typeof input {
  const names = Object.keys(entries).filter((name) => Array.isArray(input[name]) && isObjectSchema(entries[name]))
  return names.length === 0 ? input : { ...input, ...Object.fromEntries(names.map((name) => [name, true])) }
}

/** Names that stand in an object and are no fields of it. */
type UnknownFields = { readonly path: readonly string[]; readonly names: readonly string[]; readonly rule: string }

/**
 * What is not known of an object and of those in it. valibot's own strict objects stop at the first unknown key, and skip keys such
 * as `__proto__`.
 */
function unknownFields(
  schema: ObjectSchema,
  input: Readonly<Record<string, unknown>>,
  ignored: ReadonlySet<string>,
  path: readonly string[] = [],
): readonly UnknownFields[] {
  const { entries } = schema
  const names = Object.keys(input).filter((name) => !Object.hasOwn(entries, name) && !ignored.has(name))
  const rule = `is not a known field; the fields are ${Object.keys(entries).join(', ')}`
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

/** The schema of an object, whether it may be left out or not; undefined where the schema is of something else. */
export function objectSchemaOf(schema: v.ObjectEntries[string]): ObjectSchema | undefined {
  const unwrapped = 'wrapped' in schema ? schema.wrapped : schema
  // The cast: of valibot's schemas, those with this member are objects, and none here is asynchronous.
  return typeof unwrapped === 'object' && unwrapped !== null && 'entries' in unwrapped
    ? (unwrapped as ObjectSchema)
    : undefined
}

/**
 * The value that a schema makes of an input, for code that has it from elsewhere than a request.
 * @param what the value's name in a sentence, such as "a user id"
 * @throws InvalidValueError that says what would be right
 */
export function checkedValue<Schema extends v.GenericSchema>(
  schema: Schema,
  input: v.InferInput<Schema>,
  what: string,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input, { abortEarly: true })
  if (result.success) return result.output
  const shown = typeof input === 'string' ? JSON.stringify(shortened(input)) : String(input)
  throw new InvalidValueError(`${what} ${result.issues[0].message}, and is ${shown}`)
}

/** The first fault of a value that no client has sent: an error names it, and a log may have that. */
export type FirstFault = {
  /** The path of the field, such as `softClose.windowSeconds`; undefined for the value as a whole. */
  readonly field: string | undefined
  /** What would have been right. It never shows the value, which may be a secret, such as a reserve or a maximum. */
  readonly rule: string
}

/** What a schema makes of a value, or the first fault of that. */
export function parseFirst<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): Result<v.InferOutput<Schema>, FirstFault> {
  const result = v.safeParse(schema, value, { abortEarly: true, message: ruleWithoutValue })
  if (result.success) return accepted(result.output)
  const [issue] = result.issues
  return refused({ field: v.getDotPath(issue) ?? undefined, rule: issue.message })
}

/** For schemas without messages: valibot's own ones show what was received. */
const ruleWithoutValue = ({ type, expected, received }: v.BaseIssue<unknown>): string =>
  received === 'undefined' ? 'it is missing' : `it must be ${expected ?? type.replaceAll('_', ' ')}`

/** The refusal of faults and of names that nothing is known of, of which there may be thousands. */
export const withUnknownNames = (faults: readonly Fault[], names: readonly string[], rule: string): ValidationFailed =>
  withUnknownFields(faults, [{ path: [], names, rule }])

function withUnknownFields(faults: readonly Fault[], unknown: readonly UnknownFields[]): ValidationFailed {
  const told = [...faults]
  let untold = 0
  for (const { path, names, rule } of unknown) {
    const some = names.slice(0, Math.max(0, maxFaults - told.length))
    told.push(...some.map((name) => ({ pointer: pointerTo([...path, shortened(name)]), message: rule })))
    untold += names.length - some.length
  }
  return failedWith(told, untold)
}

const maxNameLength = 100

/** A name as it is repeated to whoever chose it: up to 100 UTF-16 units, and not cut within a surrogate pair. */
export const shortened = (name: string): string =>
  name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength).replace(/[\ud800-\udbff]$/, '')}…`

/** Whether the input is an object with fields: neither null nor an array. */
export const isPlainObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

function firstPerField(issues: readonly v.BaseIssue<unknown>[]): Fault[] {
  const byPointer = new Map<string, Fault>()
  for (const issue of issues) {
    const fault = faultOf(issue)
    if (!byPointer.has(fault.pointer)) byPointer.set(fault.pointer, fault)
  }
  return [...byPointer.values()]
}

function faultOf({ path, message }: v.BaseIssue<unknown>): Fault {
  const items = path ?? []
  const pointerBefore = (count?: number) => pointerTo(items.slice(0, count).map(({ key }) => String(key)))
  // To valibot an array is an object, of which all fields are missing.
  const inArray = items.findIndex(({ type, input }) => type === 'object' && Array.isArray(input))
  return inArray === -1 ? { pointer: pointerBefore(), message } : { pointer: pointerBefore(inArray), message: noObject }
}

/** RFC 6901: each reference token behind a slash, with `~` written `~0` and `/` written `~1`. */
export const pointerTo = (path: readonly string[]): string =>
  path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
