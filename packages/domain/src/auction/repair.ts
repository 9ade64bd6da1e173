import * as v from 'valibot'
import { type Checked, createMark } from '../values/checked.ts'
import { defined } from '../values/defined.ts'
import { UserId } from '../values/ids.ts'
import { isoOf, latestMs as latestMomentMs, type Moment, MomentText } from '../values/moment.ts'
import { missingField, parseObject } from '../values/parsing.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { type FieldError, type Parsed, validationFailed } from '../values/validation.ts'
import type { Terms } from './auction.ts'
import type { Withdrawn } from './events.ts'
import { formatOf, type StandingOffers } from './formats/formats.ts'
import { isBlocked } from './life.ts'
import type { EndedEarly, Extended } from './life-events.ts'
import type { EndRefusal, ExtendRefusal, WithdrawRefusal } from './life-refusals.ts'
import { type Edited, Reason } from './offers.ts'
import type { AuctionState } from './state.ts'
import { effectiveEndMs, refusalIfNotRepairable } from './status.ts'

const reason = v.pipe(
  Reason,
  v.description('The reason, visible to all readers of the auction. Well-formed Unicode, counted in code points.'),
)

export const ExtensionFields = v.object(
  {
    endTime: v.pipe(
      MomentText,
      v.description(
        'The new end, in UTC: after the current end and in the future, by at most 30 days after the current end.',
      ),
    ),
    reason,
  },
  missingField,
)

export type Extension = { readonly endTime: Moment; readonly reason: string }

const checkedExtension = createMark<Extension>('parseExtension')

/** Parses the JSON of an extension strictly, and reports every error that does not depend on the auction. */
export function parseExtension(input: unknown): Parsed<Checked<Extension>> {
  const parsed = parseObject(ExtensionFields, input)
  return parsed.ok ? accepted(checkedExtension(parsed.value)) : parsed
}

/** The new end, or by how much the current end moves, as a sale moves the ends of its lots. */
type NewEnd =
  | { readonly endMs: number; readonly byMs?: undefined }
  | { readonly byMs: number; readonly endMs?: undefined }

export type ExtendCommand = Edited & { readonly type: 'extend'; readonly reason: string } & NewEnd

/** The maximum time from the end to the new end: 30 days. */
const maxExtensionMs = 30 * 24 * 60 * 60 * 1000

/** Staff give an auction a later end, even after its end, until the result is recorded. */
export function decideExtension(
  terms: Terms,
  state: AuctionState,
  { reason, editor, ...command }: ExtendCommand,
  nowMs: number,
): Result<Extended, ExtendRefusal> {
  const refusal = refusalIfNotRepairable(terms, state, formatOf(state).hasOwnersRepair?.(state))
  if (refusal !== undefined) return refused(refusal)
  const previousEndMs = effectiveEndMs(terms, state)
  const endMs = command.byMs === undefined ? command.endMs : previousEndMs + command.byMs
  const errorIn = command.byMs === undefined ? errorInEnd : errorInSeconds
  const error = errorIn(endMs, previousEndMs, nowMs)
  if (error !== undefined) return refused(validationFailed(error))
  return accepted({ type: 'extended', endMs, previousEndMs, reason, editor })
}

function errorInEnd(endMs: number, previousEndMs: number, nowMs: number): FieldError | undefined {
  const pointer = '/endTime'
  const latestMs = previousEndMs + maxExtensionMs
  if (endMs <= previousEndMs || endMs > latestMs) {
    const message = `must be after ${isoOf(previousEndMs)}, the current end, and no later than ${isoOf(latestMs)}, 30 days after it`
    return { pointer, message }
  }
  if (endMs > nowMs) return undefined
  return { pointer, message: `must be in the future; the current time is ${isoOf(nowMs)}` }
}

function errorInSeconds(endMs: number, previousEndMs: number, nowMs: number): FieldError | undefined {
  const pointer = '/seconds'
  const latestMs = Math.min(previousEndMs + maxExtensionMs, latestMomentMs)
  if (endMs <= previousEndMs || endMs > latestMs) {
    const message = `must move the end, which is ${isoOf(previousEndMs)}, to a later one, up to ${isoOf(latestMs)}`
    return { pointer, message }
  }
  if (endMs > nowMs) return undefined
  const message = `must move the end, which is ${isoOf(previousEndMs)}, into the future; the current time is ${isoOf(nowMs)}`
  return { pointer, message }
}

export const EarlyEndFields = v.object({ reason }, missingField)

export type EarlyEnd = { readonly reason: string }

const checkedEarlyEnd = createMark<EarlyEnd>('parseEarlyEnd')

/** Parses the JSON of an early end strictly, and reports every error. */
export function parseEarlyEnd(input: unknown): Parsed<Checked<EarlyEnd>> {
  const parsed = parseObject(EarlyEndFields, input)
  return parsed.ok ? accepted(checkedEarlyEnd(parsed.value)) : parsed
}

export type EndAuctionCommand = EarlyEnd & Edited & { readonly type: 'end-auction' }

/**
 * Staff end an auction now. A bid that arrived before counts, even if it is recorded later: its time is then that of
 * this entry, so the end is a millisecond after it. The result is recorded after a margin, as after any end.
 */
export function decideEarlyEnd(
  terms: Terms,
  state: AuctionState,
  { reason, editor }: EndAuctionCommand,
  nowMs: number,
): Result<EndedEarly, EndRefusal> {
  const refusal = refusalIfNotRepairable(terms, state, formatOf(state).hasOwnersRepair?.(state))
  if (refusal !== undefined) return refused(refusal)
  const { startTime } = terms
  if (nowMs < startTime.epochMs) return refused({ code: 'auction-not-started', startTime })
  const previousEndMs = effectiveEndMs(terms, state)
  const endMs = Math.min(nowMs + 1, previousEndMs)
  return accepted({ type: 'ended-early', endMs, previousEndMs, reason, editor })
}

export const WithdrawalFields = v.object(
  {
    bidderId: v.pipe(
      UserId,
      v.description('The user whose bids are withdrawn, all of them, or who is blocked or unblocked.'),
    ),
    reason,
    block: v.nullish(
      v.pipe(
        v.boolean('must be true or false'),
        v.description(
          'Whether the user may not bid on this auction again, nor buy it. With true, the user need not have bids. False lets a blocked user bid again, and withdraws no bids. If omitted, only bids are withdrawn.',
        ),
      ),
    ),
  },
  missingField,
)

export type Withdrawal = { readonly bidderId: UserId; readonly reason: string; readonly isBlocked?: boolean }

const checkedWithdrawal = createMark<Withdrawal>('parseWithdrawal')

/** Parses the JSON of a withdrawal strictly, and reports every error. */
export function parseWithdrawal(input: unknown): Parsed<Checked<Withdrawal>> {
  const parsed = parseObject(WithdrawalFields, input)
  if (!parsed.ok) return parsed
  const { bidderId, reason, block } = parsed.value
  return accepted(checkedWithdrawal({ bidderId, reason, ...(block != null && { isBlocked: block }) }))
}

export type WithdrawCommand = Withdrawal &
  Edited & {
    readonly type: 'withdraw'
    /**
     * What stands without the bids of the bidder, in the state in which it is decided. Undefined if none of the bids
     * that count is theirs.
     */
    readonly without: StandingOffers | undefined
  }

/**
 * Staff withdraw all bids of a bidder, even after the end, until the result is recorded. They may block the bidder, or
 * let a blocked one bid again, even if the bidder has no bids. Letting a bidder bid again withdraws no bids.
 */
export function decideWithdrawal(
  terms: Terms,
  state: AuctionState,
  { bidderId, reason, isBlocked: wanted, editor, without }: WithdrawCommand,
): Result<Withdrawn, WithdrawRefusal> {
  const refusal = refusalIfNotRepairable(terms, state, formatOf(state).hasOwnersRepair?.(state))
  if (refusal !== undefined) return refused(refusal)
  const wasBlocked = isBlocked(state, bidderId)
  const isUnblocked = wanted === false
  // The service has bid only for bidders who have bid themselves.
  const { keepsBidsApart, standingIn } = formatOf(state)
  const mayHaveBids = without !== undefined || keepsBidsApart === true
  const hasEffect = isUnblocked ? wasBlocked : mayHaveBids || (wanted === true && !wasBlocked)
  if (!hasEffect) return refused({ code: 'no-bids-of-bidder' })
  const standing = standingIn(isUnblocked ? state : (without ?? state))
  const block = { isBlocked: wanted || undefined, isUnblocked: isUnblocked || undefined }
  const event = defined({ type: 'withdrawn', bidderId, ...block, ...standing, reason, editor } as const)
  return accepted(event as Withdrawn) // What stands is that of the format.
}

export type RepairCommand = ExtendCommand | WithdrawCommand | EndAuctionCommand
