import * as v from 'valibot'
import { isPlainObject } from '../values/parsing.ts'
import { anyTextUpTo } from '../values/primitives.ts'
import { shortened } from '../values/validation.ts'
import { countRule, maxMembers, sizeErrorOf } from './metadata.ts'

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
