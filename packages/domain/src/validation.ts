import * as v from 'valibot'
import { accepted, type Result, refused } from './result.ts'

/** One thing that is wrong with an input: where it stands, and what would have been right. */
export type Fault = {
  /** An RFC 6901 JSON Pointer into the input; `""` is the input as a whole. */
  readonly pointer: string
  readonly message: string
}

/** The refusal of an input that is faulty, with all its faults. */
export type ValidationFailed = { readonly code: 'validation-failed'; readonly faults: readonly Fault[] }

export const validationFailed = (...faults: readonly Fault[]): ValidationFailed => ({
  code: 'validation-failed',
  faults,
})

export type Parsed<Value> = Result<Value, ValidationFailed>

/** The faults of what was parsed; none when it is right. */
export const faultsOf = (parsed: Parsed<unknown>): readonly Fault[] => (parsed.ok ? [] : parsed.refusal.faults)

type ObjectSchema = v.GenericSchema & { readonly entries: v.ObjectEntries }

/** Message for `v.object`, which reports a missing field as an issue of its own whose `expected` is the quoted field name. */
export const missingField = (issue: v.ObjectIssue): string =>
  issue.expected.startsWith('"') ? 'is required' : 'must be a JSON object'

/**
 * Parses an object strictly: nothing is coerced, and a field that the schema does not know is a fault, unless it is one of
 * the `ignored`, which are dropped. Every faulty field is reported, each once.
 */
export function parseObject<Schema extends ObjectSchema>(
  schema: Schema,
  input: unknown,
  ignored: ReadonlySet<string>,
): Parsed<v.InferOutput<Schema>> {
  if (!isPlainObject(input)) return refused(validationFailed({ pointer: '', message: 'must be a JSON object' }))
  const faults = unknownFields(schema.entries, input, ignored)
  const result = v.safeParse(schema, input)
  if (result.success && faults.length === 0) return accepted(result.output)
  return refused(validationFailed(...firstPerField(result.issues ?? []), ...faults))
}

/** Whether the input is an object with fields: neither null nor an array. */
export const isPlainObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

// valibot's own strict objects stop at the first unknown key, and skip keys such as `__proto__`.
function unknownFields(known: v.ObjectEntries, input: object, ignored: ReadonlySet<string>): Fault[] {
  const faults: Fault[] = []
  for (const name of Object.keys(input)) {
    if (Object.hasOwn(known, name) || ignored.has(name)) continue
    const expected = Object.keys(known).join(', ')
    faults.push({ pointer: pointerTo([name]), message: `is not a known field; the fields are ${expected}` })
  }
  return faults
}

function firstPerField(issues: readonly v.BaseIssue<unknown>[]): Fault[] {
  const byPointer = new Map<string, Fault>()
  for (const issue of issues) {
    const pointer = pointerTo(issue.path?.map((item) => String(item.key)) ?? [])
    if (!byPointer.has(pointer)) byPointer.set(pointer, { pointer, message: issue.message })
  }
  return [...byPointer.values()]
}

/** RFC 6901: each reference token behind a slash, with `~` written `~0` and `/` written `~1`. */
export const pointerTo = (path: readonly string[]): string =>
  path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
