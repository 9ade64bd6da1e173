import * as v from 'valibot'
import { type Checked, createMark } from '../values/checked.ts'
import { defined } from '../values/defined.ts'
import { isoOf } from '../values/moment.ts'
import type { Currency } from '../values/money.ts'
import { parseObject } from '../values/parsing.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { type FieldError, type Parsed, validationFailed } from '../values/validation.ts'
import type { Terms } from './auction.ts'
import { metadata, texts } from './common-fields.ts'
import type { Corrected } from './events.ts'
import { type AnyFields, type AnyTypes, formatOf, formats, type Named } from './formats/formats.ts'
import type { CorrectRefusal } from './life-refusals.ts'
import { MetadataPatchFields, patched, sizeErrorOf } from './metadata.ts'
import type { Edited, Sent } from './offers.ts'
import { errorsOfFields, pastEndError } from './rules.ts'
import { type AuctionState, refusalIfFixed } from './state.ts'
import { isCancelled, refusalIfEnded } from './status.ts'

type Correctable = typeof texts | AnyTypes['correctable']

type Names<Entries> = Entries extends unknown ? keyof Entries : never
type EntryOf<Entries, Name> = Entries extends unknown ? (Name extends keyof Entries ? Entries[Name] : never) : never

type Patched<Entry> =
  Entry extends v.NullishSchema<infer Given, undefined>
    ? v.ExactOptionalSchema<v.NullableSchema<Given, undefined>, undefined>
    : Entry extends v.GenericSchema
      ? v.ExactOptionalSchema<Entry, undefined>
      : never

/** Each field may be absent, and null removes one that a new auction of some format need not have. */
function patchEntries() {
  const patched: Record<string, v.GenericSchema> = {}
  for (const correctable of [texts, ...Object.values(formats).map((format) => format.correctable)])
    for (const [name, entry] of Object.entries<v.GenericSchema>(correctable)) {
      const given = givenIn(entry)
      const earlier = patched[name]
      if (earlier !== undefined && givenIn(earlier) !== given) throw new Error(`two formats have a different ${name}`)
      if (earlier === undefined || given !== entry) patched[name] = given === entry ? given : v.nullable(given)
    }
  const entries = Object.entries(patched).map(([name, entry]) => [name, v.exactOptional(entry)])
  // The cast: `Patched` does that to a type.
  return Object.fromEntries(entries) as { readonly [Name in Names<Correctable>]: Patched<EntryOf<Correctable, Name>> }
}

/** The schema of a value that is not null. */
const givenIn = (entry: v.GenericSchema): v.GenericSchema =>
  entry.type === 'nullish' || entry.type === 'nullable'
    ? v.unwrap(entry as v.NullableSchema<v.GenericSchema, undefined>)
    : entry // By its type.

/** The JSON of a correction: a merge patch (RFC 7396), in which null removes a member. A soft close is replaced. */
export const CorrectionFields = v.pipe(
  v.object({
    ...patchEntries(),
    metadata: v.exactOptional(
      v.nullable(v.pipe(MetadataPatchFields, v.description(v.getDescription(v.unwrap(metadata)) ?? ''))),
    ),
  }),
  v.minEntries(1, 'must contain at least one field of an auction'),
)

/** The JSON before validation. */
export type CorrectionJson = v.InferInput<typeof CorrectionFields>

/** A correction of some fields. Null removes a field; an absent one is kept. */
export type Correction = Readonly<v.InferOutput<typeof CorrectionFields>>

export type CorrectedField = keyof Correction

/** The fields that can be corrected, in their order. The cast: they are the keys. */
export const correctedFields = Object.keys(CorrectionFields.entries) as readonly CorrectedField[]

const checkedCorrection = createMark<Correction>('parseCorrection')

/** Parses the JSON of a correction strictly, and reports every error that does not depend on the auction. */
export function parseCorrection(input: unknown): Parsed<Checked<Correction>> {
  const parsed = parseObject(CorrectionFields, input)
  return parsed.ok ? accepted(checkedCorrection(parsed.value)) : parsed
}

export type CorrectCommand = Edited & Sent & { readonly type: 'correct'; readonly correction: Correction }

/**
 * How many corrections an auction may have before another one by its owner, or by staff. Each is kept. Owners cannot
 * use up the 20 of staff.
 */
const maxCorrections = { owner: 20, staff: 40 }

/** An auction may be corrected until the first bid and the end: bidders must know what they bid for. */
export function decideCorrection(
  terms: Terms,
  state: AuctionState,
  { correction, editor, by }: CorrectCommand,
  nowMs: number,
): Result<Corrected, CorrectRefusal> {
  if (isCancelled(state)) return refused({ code: 'auction-cancelled' })
  const ended = refusalIfEnded(terms, state, nowMs)
  if (ended !== undefined) return refused(ended)
  const fixed = refusalIfFixed(terms, state, nowMs)
  if (fixed !== undefined) return refused({ code: fixed, prevents: 'correction' })
  if (isRepaired(state) && termNames(correction).length > 0) return refused({ code: 'auction-repaired' })
  const { count = 0 } = state.corrections ?? {}
  if (count >= maxCorrections[by ?? 'staff']) return refused({ code: 'too-many-corrections', limits: maxCorrections })
  // The fields of the auction that rules need.
  const fields = { ...formatOf(terms).toFields(terms), ...correction } as AnyFields
  const errors = errorsOf(terms, correction, fields, nowMs)
  if (errors.length > 0) return refused(validationFailed(...errors))
  const { title, description } = correction
  const parts = { metadata: correctedMetadata(terms, correction), terms: correctedTerms(terms, correction, fields) }
  // The cast: the terms are those of the format.
  return accepted(defined({ type: 'corrected', title, description, ...parts, editor, by } as const) as Corrected)
}

/** Whether repairs have changed terms, which corrections then keep. A block changes none. */
const isRepaired = (state: AuctionState): boolean =>
  state.extendedEndMs !== undefined || formatOf(state).hasOwnersRepair?.(state) === true

/** The names of the corrected terms. The cast: a parsed correction has no other members. */
const termNames = ({ title: _, description: __, metadata: ___, ...terms }: Correction) =>
  Object.keys(terms) as readonly CorrectedField[]

function correctedTerms(terms: Terms, correction: Correction, fields: AnyFields): Corrected['terms'] {
  const names = termNames(correction)
  if (names.length === 0) return undefined
  const { toStored, stored } = formatOf(terms)
  const result = Object.entries(toStored(fields)).filter(([name]) => Object.hasOwn(stored.correctable, name))
  // The cast: these are all of them.
  return { fields: [...names], result: Object.fromEntries(result) } as unknown as Corrected['terms']
}

function correctedMetadata({ metadata }: Terms, { metadata: patch }: Correction): Corrected['metadata'] {
  return patch === undefined ? undefined : { patch, result: patched(metadata, patch) ?? null }
}

/** The errors of the auction after the correction. What a correction does not name is not checked on its own. */
function errorsOf(terms: Terms, correction: Correction, fields: AnyFields, nowMs: number): readonly FieldError[] {
  const { startTime, endTime, metadata } = correction
  const format = formatOf(terms)
  const sizeError = metadata == null ? undefined : sizeErrorOf(patched(terms.metadata, metadata) ?? {})
  const errors = [
    ...ownErrors(terms, correction),
    ...(termNames(correction).length > 0 ? errorsOfFields(format.rules(), fields) : []),
    startTime && startedError(terms, nowMs),
    endTime && pastEndError(endTime, nowMs),
    sizeError === undefined ? undefined : { pointer: '/metadata', message: sizeError },
  ].filter((error) => error !== undefined)
  const first = new Map(errors.toReversed().map((error) => [error.pointer, error]))
  return errors.filter((error) => first.get(error.pointer) === error)
}

/** The errors of terms that the format does not have, or that it needs. */
function ownErrors(format: Named, correction: Correction): readonly FieldError[] {
  const entries: Readonly<Record<string, v.GenericSchema | undefined>> = formatOf(format).correctable
  return termNames(correction).flatMap((name) => {
    const entry = entries[name]
    const pointer = `/${name}`
    if (entry === undefined) return { pointer, message: 'is not a field of this auction' }
    const error = correction[name] === null ? v.safeParse(entry, null).issues?.[0].message : undefined
    return error === undefined ? [] : { pointer, message: error }
  })
}

function startedError({ startTime }: Terms, nowMs: number): FieldError | undefined {
  if (nowMs < startTime.epochMs) return undefined
  const message = `can be corrected only before it has passed; the auction started at ${startTime.iso}, and the current time is ${isoOf(nowMs)}`
  return { pointer: '/startTime', message }
}

/** The correction that an event is the result of. Decimals are as sent. */
export function correctionOf(
  format: Named,
  { title, description, metadata, terms }: Corrected,
  currency: Currency,
): Correction {
  const fields: Readonly<Record<string, unknown>> = terms
    ? formatOf(format).toFields({ ...terms.result, currency })
    : {}
  const ofTerms = terms?.fields.map((name) => [name, fields[name] ?? null]) ?? []
  // The cast: `fields` names members of a correction.
  return defined({ title, description, metadata: metadata?.patch, ...Object.fromEntries(ofTerms) }) as Correction
}
