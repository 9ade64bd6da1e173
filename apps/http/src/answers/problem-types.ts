import { MomentText } from '@auction/domain/moment'
import type { AuctionService } from '@auction/domain/service'
import * as v from 'valibot'
import { MinimumNextBid, Price } from './resources.ts'

/** What a use case refuses. */
export type RefusalOf<UseCase extends (...input: never[]) => Promise<unknown>> =
  Extract<Awaited<ReturnType<UseCase>>, { readonly ok: false }> extends { readonly refusal: infer Refusal }
    ? Refusal
    : never

/** Everything that the use cases refuse. */
export type Refusal = RefusalOf<AuctionService[Exclude<keyof AuctionService, 'close' | 'closeDue' | 'backlog'>]>

/** The problem as which a refusal is told: a code of its own, but for what is told as something that there is anyhow. */
export type ToldAs<Code> = Code extends 'not-the-owner' ? 'forbidden' : Code

/** What goes wrong before a use case is asked, or while it is. */
type HttpFault =
  | 'bad-request'
  | 'malformed-json'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'request-timeout'
  | 'payload-too-large'
  | 'unsupported-media-type'
  | 'headers-too-large'
  | 'rate-limited'
  | 'internal'
  | 'store-unavailable'
  | 'issuer-unavailable'

type ProblemType = {
  readonly status: number
  /** RFC 9457: a summary that is the same for every problem of the type. */
  readonly title: string
  /** For documents: when it is answered. */
  readonly when: string
  /** What clients see, where it is not the name under which the problem stands here. */
  readonly code?: HttpFault
  readonly retryAfterSeconds?: number
  /** What stands beside the members that every problem has. */
  readonly members?: v.ObjectEntries
  /** Headers that come with it, beside those of every answer. */
  readonly headers?: readonly ProblemHeader[]
}
export type ProblemHeader = 'Retry-After' | 'WWW-Authenticate' | 'Allow' | 'Accept' | 'Accept-Encoding'

/** One thing that is wrong with a request. */
export const FaultResource = v.object({
  pointer: v.pipe(
    v.string(),
    v.description('An RFC 6901 JSON Pointer to the field, parameter or header; "" is the body.'),
  ),
  message: v.pipe(v.string(), v.description('What would have been right.')),
})

/** What bidding takes at the moment. */
const prices = { currentPrice: Price, minimumNextBid: MinimumNextBid, currency: v.string() }

/** Every way to fail, with its HTTP status. A refusal that is new in the domain does not compile until it has one. */
const problemTypes = {
  'bad-request': { status: 400, title: 'Bad request', when: 'The request is not right as HTTP.' },
  'malformed-json': {
    status: 400,
    title: 'Malformed JSON',
    when: 'The body is no JSON text in UTF-8, or names a member twice.',
  },
  'validation-failed': {
    status: 400,
    title: 'Validation failed',
    when: 'A field, parameter or header is missing or invalid.',
    members: {
      errors: v.pipe(v.array(FaultResource), v.minLength(1), v.maxLength(20), v.description('The first 20 faults.')),
      moreErrors: v.optional(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.description('How many faults there are beside them.')),
      ),
    },
  },
  unauthenticated: {
    status: 401,
    title: 'Unauthenticated',
    when: 'There is no token, or it is not valid.',
    headers: ['WWW-Authenticate'],
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    when: 'The permission is missing, or the caller acts for another user than it may.',
    headers: ['WWW-Authenticate'],
  },
  'not-found': { status: 404, title: 'Not found', when: 'There is no such path.' },
  'auction-not-found': { status: 404, title: 'Auction not found', when: 'There is no such auction.' },
  'bid-not-found': { status: 404, title: 'Bid not found', when: 'There is no such bid.' },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    when: 'The path takes other methods.',
    headers: ['Allow'],
  },
  'request-timeout': {
    status: 408,
    title: 'Bad request',
    when: 'The request takes too long to arrive.',
    code: 'bad-request',
  },
  'auction-not-started': {
    status: 409,
    title: 'Auction not started',
    when: 'The bid or the purchase comes too early.',
    members: { startTime: MomentText },
  },
  'auction-ended': {
    status: 409,
    title: 'Auction ended',
    when: 'The auction is over: its time is, or it was bought.',
    members: { endTime: v.pipe(MomentText, v.description('When it ended, in UTC.')) },
  },
  'auction-cancelled': { status: 409, title: 'Auction cancelled', when: 'The auction was cancelled.' },
  'auction-has-bids': {
    status: 409,
    title: 'Auction has bids',
    when: 'The auction has bids, and was not created with `cancellableUntilEnd`.',
  },
  'owner-cannot-bid': { status: 409, title: 'Owner cannot bid', when: 'The bidder owns the auction.' },
  'bid-too-low': {
    status: 409,
    title: 'Bid too low',
    when: 'The amount is below the least next bid.',
    members: prices,
  },
  'maximum-not-raised': {
    status: 409,
    title: 'Maximum not raised',
    when: 'The bidder leads, and `maximumAmount` is not above its maximum, or its bid where it has none.',
  },
  'owner-cannot-buy': { status: 409, title: 'Owner cannot buy', when: 'The buyer owns the auction.' },
  'buy-now-not-offered': {
    status: 409,
    title: 'Buy now not offered',
    when: 'The auction has no buy-now price, or bids have ended that offer.',
    members: prices,
  },
  'payload-too-large': {
    status: 413,
    title: 'Payload too large',
    when: 'The body is over 64 KiB, or that of a bid over 4 KiB.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    when: 'The body is not `application/json`, or is compressed.',
    headers: ['Accept', 'Accept-Encoding'],
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency key reused',
    when: 'The key has made another resource.',
  },
  'rate-limited': {
    status: 429,
    title: 'Rate limited',
    when: 'The budget of the caller is used up.',
    headers: ['Retry-After'],
  },
  'headers-too-large': {
    status: 431,
    title: 'Bad request',
    when: 'The request line and its headers are over 16 KiB.',
    code: 'bad-request',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    when: 'A fault of the service; nothing of it is told.',
    members: { requestId: v.string() },
  },
  'store-unavailable': {
    status: 503,
    title: 'Store unavailable',
    when: 'The store could not be asked; `message` says whether the outcome is unknown.',
    retryAfterSeconds: 2,
    headers: ['Retry-After'],
  },
  'issuer-unavailable': {
    status: 503,
    title: 'Issuer unavailable',
    when: "The issuer's keys can't be had, so the token can't be judged; nothing was done.",
    headers: ['Retry-After'],
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    when: 'Too much is waiting, as `message` says, or the server closes; nothing was done.',
    retryAfterSeconds: 1,
    headers: ['Retry-After'],
  },
} as const satisfies Readonly<Record<ToldAs<Refusal['code']> | HttpFault, ProblemType>>

export type ProblemCode = keyof typeof problemTypes

export const problemType = (code: ProblemCode): ProblemType => problemTypes[code]

/** All of them, in the order of their status. */
export const problemCodes = Object.keys(problemTypes) as readonly ProblemCode[] // The table's own keys.
