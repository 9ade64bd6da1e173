import * as v from 'valibot'
import { isPlainObject } from '../values/parsing.ts'
import { anyTextUpTo } from '../values/primitives.ts'
import { shortened } from '../values/validation.ts'

/** Data of clients about an auction, such as the URL of a picture. The service stores it and never interprets it. */
export type Metadata = Readonly<Record<string, string>>

/** A merge patch (RFC 7396) of metadata: null removes a member. */
export type MetadataPatch = Readonly<Record<string, string | null>>

const maxMembers = 20
const maxBytes = 4096

const countRule = (maxCount: number): string => `must have at most ${maxCount} members`

/** The rule of sizes that metadata breaks, if it breaks one. */
export function sizeErrorOf(metadata: Metadata): string | undefined {
  const members = Object.entries(metadata)
  if (members.length > maxMembers) return countRule(maxMembers)
  const bytes = members.reduce((sum, [key, value]) => sum + key.length + utf8Length(value), 0)
  return bytes > maxBytes ? `must have at most ${maxBytes} bytes of names and values in UTF-8` : undefined
}

/** The number of bytes of a well-formed text in UTF-8. A pair of surrogates has four. */
function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 0x80) bytes += unit < 0x800 || isSurrogate(unit) ? 1 : 2
  }
  return bytes
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/** The metadata after a merge patch; undefined without members. A patch of null removes all. */
export function patched(metadata: Metadata | undefined, patch: MetadataPatch | null): Metadata | undefined {
  if (patch === null) return undefined
  const members = Object.entries({ ...metadata, ...patch }).filter(([, value]) => value !== null)
  return members.length === 0 ? undefined : (Object.fromEntries(members) as Metadata) // Without the nulls.
}

const isRecordOf =
  (isValue: (value: unknown) => boolean) =>
  (input: unknown): boolean =>
    isPlainObject(input) && Object.values(input).every(isValue)

const isString = (value: unknown): boolean => typeof value === 'string'

export const StoredMetadata = v.custom<Metadata>(isRecordOf(isString), 'it is not an object of strings')
export const StoredMetadataPatch = v.custom<MetadataPatch>(
  isRecordOf((value) => value === null || isString(value)),
  'it is not an object of strings and nulls',
)

const maxValueCharacters = 500
/** `__proto__` is not a name, because programs in JavaScript lose it. */
const name = /^(?!__proto__$)[A-Za-z0-9_.-]{1,40}$/

const objectRule = 'must be a JSON object'
const nameRule = 'must have a name of 1 to 40 characters from A-Z, a-z, 0-9, _, . and -, and not __proto__'
const Value = anyTextUpTo(maxValueCharacters)

// Schemas of records of valibot skip members with names such as `constructor`.

/** Counts the members, then checks each, and copies them. */
const membersOf = <Value extends string | null>(
  value: v.GenericSchema<Value, Value>,
  maxProperties: number,
  valueJsonSchema: Readonly<Record<string, unknown>>,
) =>
  v.pipe(
    v.custom<Readonly<Record<string, Value>>>(isPlainObject, objectRule),
    v.metadata({
      type: 'object',
      maxProperties,
      propertyNames: { pattern: name.source },
      additionalProperties: { maxLength: maxValueCharacters, ...valueJsonSchema },
    }),
    v.rawTransform(({ dataset: { value: input }, addIssue, NEVER }) => {
      const members = Object.entries(input)
      if (members.length > maxProperties) {
        addIssue({ message: countRule(maxProperties) })
        return NEVER
      }
      let isValid = true
      for (const [key, member] of members) {
        const result = name.test(key) ? v.safeParse(value, member) : { success: false, issues: [{ message: nameRule }] }
        if (result.success) continue
        isValid = false
        const path = { type: 'object', origin: 'value', input, key: shortened(key), value: member } as const
        addIssue({ message: result.issues[0]?.message ?? objectRule, path: [path] })
      }
      return isValid ? { ...input } : NEVER
    }),
  )

/** The metadata of a new auction. */
export const MetadataFields = v.pipe(
  membersOf(Value, maxMembers, { type: 'string' }),
  v.check(
    (metadata) => sizeErrorOf(metadata) === undefined,
    ({ input }) => sizeErrorOf(input) ?? objectRule,
  ),
)

/** A patch can replace all members by others. */
const maxPatched = 2 * maxMembers

/** The metadata of a correction. The size of the result depends on the auction. */
export const MetadataPatchFields = membersOf(v.nullable(Value), maxPatched, { type: ['string', 'null'] })
