import type { Permission } from '@auction/adapters/jwt'
import type { AuctionService, Clock } from '@auction/domain'
import type { UserId } from '@auction/domain/ids'
import type { ObjectSchema, Parsed } from '@auction/domain/parsing'
import type { RetryKey } from '@auction/domain/request-key'
import type { Result } from '@auction/domain/result'
import type { CallSignal } from '@auction/domain/store'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as v from 'valibot'
import type { Problem } from '../../host/answers/problem.ts'
import type { Success } from '../../host/answers/success.ts'
import type { Caller } from '../../host/security/callers.ts'
import type { Lifecycle } from '../../host/server/lifecycle.ts'
import type { AnsweredAs, ProblemCode, Refusal, RefusalOf, UseCaseName } from '../answers/refusals.ts'
import type { RequesterOf } from '../callers/user-binding.ts'
import type { Viewer } from '../callers/viewer.ts'
import type { Live } from '../live/live.ts'
import type { Readiness } from '../readiness.ts'
import type { MediaType } from '../requests/json-body.ts'
import type { IfMatch } from '../requests/parameters.ts'
import type { Example } from './example.ts'

/** The methods of the service that the server calls. */
export type ServedService = Pick<AuctionService, UseCaseName | 'watchAuction' | 'subscribe' | 'closeDue'>

/** Refusals with the same description for every operation. */
type CommonRefusal = 'validation-failed' | 'idempotency-key-reused' | 'overloaded'

type OwnRefusal<Name extends UseCaseName> = Exclude<
  AnsweredAs<Extract<RefusalOf<AuctionService[Name]>, Refusal>['code']>,
  CommonRefusal
>

/** The part of an operation that does not depend on its types. */
type Description = {
  /** Whether it needs no token if the service lets anyone read. */
  readonly isPublic?: boolean
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** In OpenAPI form, such as `/api/Bids/{id}`. */
  readonly path: `/${string}`
  readonly tag: 'Auctions' | 'Bids' | 'Health'
  readonly summary: string
  readonly description: string
  readonly success: {
    readonly status: 200 | 201
    readonly description: string
    readonly data: DataSchema
    /** Whether the response has an entity tag; a GET then supports `If-None-Match`. */
    readonly tagged?: boolean
    /** The event stream that is the response if the client requests one. */
    readonly stream?: {
      /** The events, in Markdown. */
      readonly events: string
      /** Whether a client that reconnects continues after `Last-Event-ID`. */
      readonly isResumable: boolean
    }
  }
  /** Requests, by what each shows. */
  readonly examples: Readonly<Record<string, Example>>
  /** A permission that admits in place of the other one. */
  readonly staffPermission?: Permission
  /** A permission that is required in addition. */
  readonly secondPermission?: Permission
  readonly isConditional?: boolean
}

export type DataSchema = v.GenericSchema<object>

type Body<Fields> = {
  readonly schema: ObjectSchema
  /** The names of fields that the server ignores. */
  readonly ignored: ReadonlySet<string>
  readonly parse: (input: unknown, arrivedAtMs: number) => Parsed<Fields>
  /** By default `application/json`. */
  readonly mediaType?: MediaType
  /** Whether a missing body counts as an empty object. */
  readonly isOptional?: boolean
  readonly maxBytes?: number
}

type Input<Parameters extends ObjectSchema, Query extends ObjectSchema, Fields> = {
  readonly parameters: v.InferOutput<Parameters>
  readonly query: v.InferOutput<Query>
  readonly fields: Fields
  readonly retry: RetryKey | undefined
  /** When the request had arrived whole, in milliseconds since 1970. */
  readonly arrivedAtMs: number
  readonly viewer: Viewer
  readonly signal: CallSignal
  /** The user of the caller, if callers are bound to users. */
  readonly requesterId: UserId | undefined
  /** The caller, as it is stored with the data that it changes. */
  readonly storedCaller: string
  /** The `If-Match` of a conditional operation. */
  readonly ifMatch: IfMatch
}

export type Definition<
  Name extends UseCaseName,
  Parameters extends ObjectSchema,
  Query extends ObjectSchema,
  Fields,
  Data extends DataSchema,
> = Description & {
  readonly name: Name
  /** The id of the operation, if it differs from the name of the use case. */
  readonly operationId?: string
  readonly permission: Permission
  readonly parameters?: Parameters
  readonly query?: Query
  readonly body?: Body<Fields>
  /** The field that must equal the user of the caller, if callers are bound to users. */
  readonly actingUser?: keyof Fields & ('ownerId' | 'bidderId' | 'buyerId')
  /** Replaces the user of the caller, or the problem of a caller whose token identifies no user: staff need none. */
  readonly requester?: (bound: ReturnType<RequesterOf>, fields: Fields, viewer: Viewer) => ReturnType<RequesterOf>
  /** The bidder whose bids the query asks for. If viewers see pseudonyms, the caller must be allowed to see which bids are theirs. */
  readonly askedBidder?: (query: v.InferOutput<Query>) => UserId
  /** Whether requests that arrive in one tick of the event loop run together. */
  readonly batched?: boolean
  readonly success: { readonly data: Data }
  /** Describes each refusal of the use case. */
  readonly refusals: Readonly<Record<OwnRefusal<Name>, string>>
  readonly call: (
    useCase: ServedService[Name],
    input: Input<Parameters, Query, Fields>,
  ) => Promise<Result<ValueOf<ServedService[Name]>, Refusal>>
  /** Responds with the stream of events, or returns the problem that prevents it. */
  readonly follow?: (
    live: Live,
    input: Pick<Input<Parameters, Query, Fields>, 'parameters' | 'query'>,
    lastEventId: number | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<Problem | undefined>
  /** Creates the response for the value of the use case. */
  readonly answer: (
    value: ValueOf<ServedService[Name]>,
    input: Input<Parameters, Query, Fields>,
  ) => Success<v.InferInput<Data>>
}

type ValueOf<UseCase extends (...input: never[]) => Promise<unknown>> =
  Extract<Awaited<ReturnType<UseCase>>, { readonly ok: true }> extends { readonly value: infer Value } ? Value : never

export type OperationParts = {
  readonly service: ServedService | Promise<ServedService>
  readonly clock: Clock
  readonly live: Live
  readonly requesterOf: RequesterOf
  readonly viewerOf: (caller: Caller) => Viewer
  readonly readiness: Readiness
  readonly lifecycle: Pick<Lifecycle, 'isDraining'>
}

/** Handles an authorized request. `answered`: the response is sent, or is a stream. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<Result<Success, Problem> | 'answered'>

export type Operation = Description & {
  readonly name: string
  /** Undefined if no token is required. */
  readonly permission?: Permission
  readonly parameters?: ObjectSchema
  readonly query?: ObjectSchema
  readonly body?: Body<unknown>
  readonly refusals: Readonly<Partial<Record<ProblemCode, string>>>
  readonly connect: (parts: OperationParts) => Handler
}
