import * as v from 'valibot'
import { type Checked, createMark } from '../values/checked.ts'
import { MomentText } from '../values/moment.ts'
import { isPlainObject, missingField, type ObjectSchema, parseObject } from '../values/parsing.ts'
import { accepted, refused } from '../values/result.ts'
import { type FieldError, type Parsed, validationFailed } from '../values/validation.ts'
import type { NewAuction } from './auction.ts'
import { type AnyTypes, type FormatName, formatOf, formats, type Named } from './formats/formats.ts'
import { checkedBy, pastEndError } from './rules.ts'

const names = Object.keys(formats) as readonly FormatName[] // Of a literal.

const nameRule = `must be ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
export const FormatField = v.nullish(
  v.pipe(
    v.picklist(names, nameRule),
    v.description(
      'How the auction is won. If omitted, `english`: bids rise in public, and the highest wins. `sealed`: bids stay secret until the end, and the highest wins. `falling`: the price falls until a buyer takes it.',
    ),
  ),
)

export const NewAuctionFields = v.pipe(
  v.object({ ...formats.english.fields.entries, format: FormatField }, missingField),
  checkedBy(formats.english.rules()),
)

type AnySchema = ObjectSchema & v.GenericSchema<unknown, v.InferOutput<AnyTypes['fields']> & Named>

/** The cast: they are made of the names. */
const schemas = Object.fromEntries(
  names.map((name) => {
    const format = formatOf({ format: name })
    if (name === 'english') return [name, NewAuctionFields]
    // The cast: the fields are those of the format.
    const object = v.object({ ...format.fields.entries, format: FormatField }, missingField) as AnySchema
    return [name, v.pipe(object, checkedBy(format.rules()))]
  }),
) as Readonly<Record<string, AnySchema>> as Readonly<Record<FormatName, AnySchema>>

/** The schemas of the fields of each format, without the rules that concern several fields. */
export const newAuctionFields = {
  english: formats.english.fields,
  sealed: formats.sealed.fields,
  falling: formats.falling.fields,
} as const

/** The JSON before validation. */
export type NewAuctionJson = v.InferInput<typeof NewAuctionFields>

/** Fields that the service assigns. The parser ignores them, so that clients can send a resource back. */
export const assignedToAuctions = new Set(Object.values(formats).flatMap((format) => format.assigned))

/**
 * Parses the JSON of a new auction strictly, and reports every error. An end in the past is reported only with other
 * errors. If it is the only error, the use case refuses it, because a retry with a key must return the created auction
 * even after its end.
 */
export function parseNewAuction(input: unknown, nowMs: number): Parsed<Checked<NewAuction>> {
  const format = formatIn(input)
  if (format === undefined) return refused(validationFailed({ pointer: '/format', message: nameRule }))
  const parsed = parseObject(schemas[format], input, assignedToAuctions, (errors) => lateEnd(errors, input, nowMs))
  if (!parsed.ok) return parsed
  const { format: _, ...fields } = parsed.value
  // The cast: the fields are those of the format.
  const stored = formatOf({ format }).toStored(fields)
  return accepted(checked((format === 'english' ? stored : { ...stored, format }) as NewAuction))
}

/** The format that an input names, and English if it names none. Undefined if it is unknown: so are its other fields. */
function formatIn(input: unknown): FormatName | undefined {
  const name = (isPlainObject(input) ? input['format'] : undefined) ?? 'english'
  return names.find((each) => each === name)
}

function lateEnd(errors: readonly FieldError[], input: unknown, nowMs: number): readonly FieldError[] {
  if (errors.some(({ pointer }) => pointer === '/endTime')) return []
  // The cast: the input is an object, or the only error would be that of the whole body.
  const { endTime } = input as { readonly endTime: unknown }
  const late = pastEndError(v.parse(MomentText, endTime), nowMs) // Valid, by the check above.
  return late === undefined ? [] : [late]
}

const checked = createMark<NewAuction>('parseNewAuction')
