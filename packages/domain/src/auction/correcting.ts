import { defined } from '../values/defined.ts'
import { isoOf } from '../values/moment.ts'
import type { Currency } from '../values/money.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { type FieldError, validationFailed } from '../values/validation.ts'
import { type CorrectableTerms, isCorrectable, type Terms } from './auction.ts'
import { errorsOfFields, pastEndError } from './auction-rules.ts'
import type { CorrectCommand } from './commands.ts'
import type { CorrectedField, Correction } from './correction.ts'
import type { Corrected } from './events.ts'
import { patched, sizeErrorOf } from './metadata.ts'
import type { Fields } from './new-auction-fields.ts'
import type { CorrectRefusal } from './refusals.ts'
import { roleOf } from './repairing.ts'
import { type AuctionState, hasHadBids } from './state.ts'
import { isCancelled, refusalIfEnded } from './status.ts'
import { fieldsOf, storedFieldsOf } from './stored-fields.ts'

/**
 * How many corrections an auction may have before another one by its owner, or by staff. Each is kept. Owners cannot use
 * up the 20 of staff.
 */
const maxCorrections = { owner: 20, staff: 40 }

/** An auction may be corrected until the first bid and the end: bidders must know what they bid for. */
export function decideCorrection(
  terms: Terms,
  state: AuctionState,
  command: CorrectCommand,
  nowMs: number,
): Result<Corrected, CorrectRefusal> {
  const { correction, editor, requesterId, mayCorrectAny, expectedCorrections, isUnprepared } = command
  if (requesterId !== undefined && requesterId !== terms.ownerId && mayCorrectAny !== true) {
    return refused({ code: 'not-the-owner', prevents: 'correction' })
  }
  if (isCancelled(state)) return refused({ code: 'auction-cancelled' })
  const ended = refusalIfEnded(terms, state, nowMs)
  if (ended !== undefined) return refused(ended)
  if (hasHadBids(state)) return refused({ code: 'auction-has-bids', prevents: 'correction' })
  if (isRepaired(state) && termNames(correction).length > 0) return refused({ code: 'auction-repaired' })
  const { count = 0 } = state.corrections ?? {}
  const by = roleOf(terms, command)
  if (count >= maxCorrections[by ?? 'staff']) return refused({ code: 'too-many-corrections', limits: maxCorrections })
  if (expectedCorrections !== undefined && expectedCorrections !== count) {
    return refused({ code: 'precondition-failed' })
  }
  const fields = { ...fieldsOf(terms), ...correction } as Fields // The fields of the auction that rules need.
  const errors = errorsOf(terms, command, fields, nowMs)
  if (errors.length > 0) return refused(validationFailed(...errors))
  if (isUnprepared === true) return refused({ code: 'precondition-failed' })
  const { title, description } = correction
  const parts = { metadata: correctedMetadata(terms, correction), terms: correctedTerms(correction, fields) }
  return accepted(defined({ type: 'corrected', title, description, ...parts, editor, by } as const))
}

/** Whether repairs have changed terms, which corrections then keep. A block changes none. */
const isRepaired = ({ extendedEndMs, repairs }: AuctionState): boolean =>
  extendedEndMs !== undefined || repairs?.reservePriceMinor !== undefined

/** The names of the corrected terms. The cast: a parsed correction has no other members. */
const termNames = ({ title: _, description: __, metadata: ___, ...terms }: Correction) =>
  Object.keys(terms) as readonly CorrectedField[]

function correctedTerms(correction: Correction, fields: Fields): Corrected['terms'] {
  const names = termNames(correction)
  if (names.length === 0) return undefined
  const result = Object.entries(storedFieldsOf(fields)).filter(([name]) => isCorrectable(name))
  return { fields: [...names], result: Object.fromEntries(result) as CorrectableTerms } // All of them.
}

function correctedMetadata({ metadata }: Terms, { metadata: patch }: Correction): Corrected['metadata'] {
  return patch === undefined ? undefined : { patch, result: patched(metadata, patch) ?? null }
}

/** The errors of the auction after the correction. What a correction does not name is not checked on its own. */
function errorsOf(
  terms: Terms,
  { correction, requesterId, mayReadReserve }: CorrectCommand,
  fields: Fields,
  nowMs: number,
): readonly FieldError[] {
  const { startTime, endTime, metadata } = correction
  const isHidden = mayReadReserve === false && requesterId !== terms.ownerId
  const hidden = isHidden ? hiddenReserveError(terms, correction) : undefined
  if (hidden !== undefined) return [hidden]
  const sizeError = metadata == null ? undefined : sizeErrorOf(patched(terms.metadata, metadata) ?? {})
  const errors = [
    ...(termNames(correction).length > 0 ? errorsOfFields(fields) : []),
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

/** A reserve limits other prices, so an error of one would tell a caller something of a reserve that is kept. */
function hiddenReserveError({ reservePriceMinor }: Terms, correction: Correction): FieldError | undefined {
  const { startingPrice, buyNowPrice, reservePrice } = correction
  const isLimited = startingPrice !== undefined || buyNowPrice != null
  if (reservePriceMinor === undefined || reservePrice !== undefined || !isLimited) return undefined
  return {
    pointer: '/reservePrice',
    message: 'must be sent with startingPrice or buyNowPrice by a caller who may not read the reserve of the auction',
  }
}

/** Whether an event is the result of the same correction. */
export const isSameCorrection = (event: Corrected, correction: Correction, currency: Currency): boolean =>
  canonicalJson(correctionOf(event, currency)) === canonicalJson(correction)

/** The correction that an event is the result of. Decimals are as sent. */
export function correctionOf({ title, description, metadata, terms }: Corrected, currency: Currency): Correction {
  const fields: Readonly<Record<string, unknown>> = terms ? fieldsOf({ ...terms.result, currency }) : {}
  const ofTerms = terms?.fields.map((name) => [name, fields[name] ?? null]) ?? []
  // The cast: `fields` names members of a correction.
  return defined({ title, description, metadata: metadata?.patch, ...Object.fromEntries(ofTerms) }) as Correction
}

/** The JSON of data, with members sorted by name. */
const canonicalJson = (data: object): string => JSON.stringify(data, withSortedMembers)

const withSortedMembers = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
