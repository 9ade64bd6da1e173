import * as v from 'valibot'
import { StoredAmountMinor } from '../values/amount.ts'
import type { UserId } from '../values/ids.ts'
import type { AmountMinor, Currency } from '../values/money.ts'
import { StoredCount } from '../values/primitives.ts'
import type { CommonTerms } from './common-terms.ts'
import { isBlocked, type Life } from './life.ts'
import type { BidderBlocked } from './life-refusals.ts'

/** How the register of an auction admitted a bidder. Events record it, so that `--verify` can read the register again. */
const AdmissionFields = v.object({
  /** The sequence of the last entry of the register that was known. */
  registerSequence: StoredCount,
  /** Set if a claim of the token admitted the bidder, and not the register. */
  byClaim: v.exactOptional(v.literal(true)),
  /** The most that the bidder may risk. Never next to a sealed bid, of which it would tell something. */
  limitMinor: v.exactOptional(StoredAmountMinor),
  /** Only if the auction shows paddles, so that it is public. */
  paddle: v.exactOptional(v.string()),
})
export type RecordedAdmission = Readonly<v.InferOutput<typeof AdmissionFields>>

/** The member of an event. */
export const admission = v.exactOptional(AdmissionFields)

/** Why a register does not admit a bidder: it does not list them, or lists them as this. */
export type Registration = 'none' | 'pending' | 'refused'

/** What the register of an auction says of a bidder, read after their request had arrived. */
export type Admission = RecordedAdmission & {
  /** Absent: the bidder is admitted. */
  readonly registration?: Registration
}

/** A command of a bidder, with what the register says of them. Absent without a register. */
export type WithAdmission = { readonly admission?: Admission }

export type NotAdmitted = {
  readonly code: 'not-admitted'
  readonly bidderId: UserId
  /** Only for the bidder, and for staff. */
  readonly registration?: Registration
}

export type AboveLimit = {
  readonly code: 'above-limit'
  readonly bidderId: UserId
  /** Only for the bidder, and for staff. */
  readonly limitMinor?: AmountMinor
  readonly currency: Currency
}

export type BarredRefusal = BidderBlocked | NotAdmitted | AboveLimit

type Admitting = Pick<CommonTerms, 'registerId' | 'offeredTo' | 'currency'>

/**
 * The reason why a user may not bid or buy, whatever the price.
 * @param riskMinor the most that the request can cost; undefined without a price
 */
export function refusalIfBarred(
  { registerId, offeredTo, currency }: Admitting,
  state: Life,
  bidderId: UserId,
  { admission }: WithAdmission,
  riskMinor: AmountMinor | undefined,
): BarredRefusal | undefined {
  if (isBlocked(state, bidderId)) return { code: 'bidder-blocked' }
  if (offeredTo !== undefined && offeredTo !== bidderId) return { code: 'not-admitted', bidderId }
  if (registerId === undefined) return undefined
  // Without an answer of the register, the auction is not open to everyone.
  const registration = admission === undefined ? 'none' : admission.registration
  if (registration !== undefined) return { code: 'not-admitted', bidderId, registration }
  const limitMinor = admission?.limitMinor
  if (limitMinor === undefined || riskMinor === undefined || riskMinor <= limitMinor) return undefined
  return { code: 'above-limit', bidderId, limitMinor, currency }
}

/** The member of an event that records the admission of its command, if there is one. */
export const recordedAdmission = ({ admission }: WithAdmission): { readonly admission?: RecordedAdmission } =>
  admission === undefined ? {} : { admission }

/** The paddle of the bidder of an event, if the auction shows paddles. */
export const paddleOf = ({ admission }: { readonly admission?: RecordedAdmission }): { readonly paddle?: string } =>
  admission?.paddle === undefined ? {} : { paddle: admission.paddle }
