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
import { errorsOfPatch, patchEntriesOf } from './patch.ts'
import { errorsOfFields, pastEndError } from './rules.ts'
import { type AuctionState, refusalIfFixed } from './state.ts'
import { isCancelled, refusalIfEnded } from './status.ts'

type Correctable = typeof texts | AnyTypes['correctable']

/** The JSON of a correction: a merge patch (RFC 7396), in which null removes a member. A soft close is replaced. */
export const CorrectionFields = v.pipe(
  v.object({
    ...patchEntriesOf<Correctable>([texts, ...Object.values(formats).map((format) => format.correctable)]),
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

const termsOf = ({ title: _, description: __, metadata: ___, ...terms }: Correction) => terms

/** The names of the corrected terms. The cast: a parsed correction has no other members. */
const termNames = (correction: Correction) => Object.keys(termsOf(correction)) as readonly CorrectedField[]

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
  const ofPatch = errorsOfPatch(format.correctable, termsOf(correction))
  // The rules need the fields that the format needs.
  const hasRules = ofPatch.length === 0 && termNames(correction).length > 0
  const errors = [
    ...ofPatch,
    ...(hasRules ? errorsOfFields(format.rules(), fields) : []),
    startTime && startedError(terms, nowMs),
    endTime && pastEndError(endTime, nowMs),
    sizeError === undefined ? undefined : { pointer: '/metadata', message: sizeError },
  ].filter((error) => error !== undefined)
  const first = new Map(errors.toReversed().map((error) => [error.pointer, error]))
  return errors.filter((error) => first.get(error.pointer) === error)
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
