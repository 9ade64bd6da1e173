import * as v from 'valibot'
import { NonNegativeDecimal } from '../values/amount.ts'
import { type Checked, createMark } from '../values/checked.ts'
import { UserId } from '../values/ids.ts'
import { type Moment, MomentText } from '../values/moment.ts'
import type { Decimal } from '../values/money.ts'
import { missingField, parseObject } from '../values/parsing.ts'
import { textUpTo } from '../values/primitives.ts'
import { accepted } from '../values/result.ts'
import type { Parsed } from '../values/validation.ts'

/** A reason that all readers of an auction see: a string of 1 to 500 code points. */
export const Reason = textUpTo(500)

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

export const EarlyEndFields = v.object({ reason }, missingField)

export type EarlyEnd = { readonly reason: string }

const checkedEarlyEnd = createMark<EarlyEnd>('parseEarlyEnd')

/** Parses the JSON of an early end strictly, and reports every error. */
export function parseEarlyEnd(input: unknown): Parsed<Checked<EarlyEnd>> {
  const parsed = parseObject(EarlyEndFields, input)
  return parsed.ok ? accepted(checkedEarlyEnd(parsed.value)) : parsed
}

export const ReserveReductionFields = v.object(
  {
    reservePrice: v.pipe(NonNegativeDecimal, v.description('The new reserve, below the current one; 0 removes it.')),
    reason: v.nullish(
      v.pipe(Reason, v.description('The reason, visible to all readers of the auction. Only the owner may omit it.')),
    ),
  },
  missingField,
)

export type ReserveReduction = { readonly reservePrice: Decimal; readonly reason?: string }

const checkedReduction = createMark<ReserveReduction>('parseReserveReduction')

/** Parses the JSON of a lower reserve strictly, and reports every error that does not depend on the auction. */
export function parseReserveReduction(input: unknown): Parsed<Checked<ReserveReduction>> {
  const parsed = parseObject(ReserveReductionFields, input)
  if (!parsed.ok) return parsed
  const { reservePrice, reason } = parsed.value
  return accepted(checkedReduction(reason == null ? { reservePrice } : { reservePrice, reason }))
}
