import type { CreateAuction } from '@auction/domain/use-cases/create-auction'
import type { ListBids } from '@auction/domain/use-cases/list-bids'
import type { PlaceBid } from '@auction/domain/use-cases/place-bid'
import type { ReadAuction } from '@auction/domain/use-cases/read-auction'
import type { ReadBid } from '@auction/domain/use-cases/read-bid'

type RefusalOf<UseCase extends (...input: never[]) => Promise<unknown>> =
  Extract<Awaited<ReturnType<UseCase>>, { readonly ok: false }> extends { readonly refusal: infer Refusal }
    ? Refusal
    : never

/** Everything that the use cases refuse. */
export type Refusal =
  | RefusalOf<CreateAuction>
  | RefusalOf<PlaceBid>
  | RefusalOf<ReadAuction>
  | RefusalOf<ReadBid>
  | RefusalOf<ListBids>

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
  /** What clients see, where it is not the name under which the problem stands here. */
  readonly code?: HttpFault
  readonly retryAfterSeconds?: number
}

/** Every way to fail, with its HTTP status. A refusal that is new in the domain does not compile until it has one. */
const problemTypes = {
  'bad-request': { status: 400, title: 'Bad request' },
  'malformed-json': { status: 400, title: 'Malformed JSON' },
  'validation-failed': { status: 400, title: 'Validation failed' },
  unauthenticated: { status: 401, title: 'Unauthenticated' },
  forbidden: { status: 403, title: 'Forbidden' },
  'not-found': { status: 404, title: 'Not found' },
  'auction-not-found': { status: 404, title: 'Auction not found' },
  'bid-not-found': { status: 404, title: 'Not found', code: 'not-found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'request-timeout': { status: 408, title: 'Bad request', code: 'bad-request' },
  'auction-not-started': { status: 409, title: 'Auction not started' },
  'auction-ended': { status: 409, title: 'Auction ended' },
  'owner-cannot-bid': { status: 409, title: 'Owner cannot bid' },
  'bid-too-low': { status: 409, title: 'Bid too low' },
  'payload-too-large': { status: 413, title: 'Payload too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  'idempotency-key-reused': { status: 422, title: 'Idempotency key reused' },
  'rate-limited': { status: 429, title: 'Rate limited' },
  'headers-too-large': { status: 431, title: 'Bad request', code: 'bad-request' },
  internal: { status: 500, title: 'Internal error' },
  'store-unavailable': { status: 503, title: 'Store unavailable', retryAfterSeconds: 2 },
  'issuer-unavailable': { status: 503, title: 'Issuer unavailable' },
  overloaded: { status: 503, title: 'Overloaded', retryAfterSeconds: 1 },
} as const satisfies Readonly<Record<Refusal['code'] | HttpFault, ProblemType>>

export type ProblemCode = keyof typeof problemTypes

export const problemType = (code: ProblemCode): ProblemType => problemTypes[code]
