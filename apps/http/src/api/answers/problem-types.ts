import type { AuctionService } from '@auction/domain'
import { MomentText } from '@auction/domain/moment'
import * as v from 'valibot'
import { type HostProblemCode, hostProblemTypes, type ProblemType } from '../../host/answers/problem-types.ts'
import { MinimumNextBid, Price } from './resources.ts'

export type RefusalOf<UseCase extends (...input: never[]) => Promise<unknown>> =
  Extract<Awaited<ReturnType<UseCase>>, { readonly ok: false }> extends { readonly refusal: infer Refusal }
    ? Refusal
    : never

export type UseCaseName = Exclude<
  keyof AuctionService,
  'close' | 'closeDue' | 'backlog' | 'watchAuction' | 'subscribe' | 'replay'
>

export type Refusal = RefusalOf<AuctionService[UseCaseName]>

/** The problem code for a refusal code. They are equal except for `not-the-owner`. */
export type AnsweredAs<Code> = Code extends 'not-the-owner' ? 'forbidden' : Code

const prices = { currentPrice: Price, minimumNextBid: MinimumNextBid, currency: v.string() }

/** The refusals of the domain. A new refusal does not compile until it has an HTTP status. */
const refusalTypes = {
  'auction-not-found': { status: 404, when: 'The auction does not exist.' },
  'bid-not-found': { status: 404, when: 'The bid does not exist.' },
  'auction-not-started': { status: 409, when: 'The auction has not started.', members: { startTime: MomentText } },
  'auction-ended': {
    status: 409,
    when: 'The auction has ended: its time is over, or it was bought.',
    members: { endTime: v.pipe(MomentText, v.description('When the auction ended, in UTC.')) },
  },
  'auction-cancelled': { status: 409, when: 'The auction was cancelled.' },
  'auction-has-bids': {
    status: 409,
    when: 'The auction has bids, so it cannot be corrected, or, without `cancellableUntilEnd`, cancelled.',
  },
  'too-many-corrections': { status: 409, when: 'The auction was corrected 20 times.' },
  'owner-cannot-bid': { status: 409, when: 'The bidder owns the auction.' },
  'bid-too-low': { status: 409, when: 'The amount is below the minimum next bid.', members: prices },
  'buy-now-is-lower': {
    status: 409,
    when: 'The amount is at or above the `buyNowPrice`, at which the auction can be bought.',
    members: { buyNowPrice: Price, ...prices },
  },
  'maximum-not-raised': {
    status: 409,
    when: 'The bidder leads, and `maximumAmount` is below their current maximum or bid, or the same with an `amount` below the minimum next bid.',
  },
  'owner-cannot-buy': { status: 409, when: 'The buyer owns the auction.' },
  'buy-now-not-offered': {
    status: 409,
    when: 'The auction has no buy-now price, or bids have ended the offer.',
    members: prices,
  },
  'precondition-failed': {
    status: 412,
    when: '`If-Match` does not contain the entity tag that a read returns to the caller.',
  },
  'idempotency-key-reused': { status: 422, when: 'The key was used for a different request.' },
} as const satisfies Readonly<Record<Exclude<AnsweredAs<Refusal['code']>, HostProblemCode>, ProblemType>>

const problemTypes = { ...hostProblemTypes, ...refusalTypes }

export type ProblemCode = keyof typeof problemTypes

export const problemType = (code: ProblemCode): ProblemType => problemTypes[code]

export const problemCodes: readonly ProblemCode[] = (Object.keys(problemTypes) as ProblemCode[]) // The table's own keys.
  .sort((one, other) => problemTypes[one].status - problemTypes[other].status)

/** The descriptions of refusals in the table, for operations that need no other. */
export const reasonsOf = <const Code extends ProblemCode>(...codes: readonly Code[]) =>
  Object.fromEntries(codes.map((code) => [code, problemTypes[code].when])) as Readonly<Record<Code, string>> // These codes.

export const clientCode = (code: ProblemCode): string => problemType(code).code ?? code
