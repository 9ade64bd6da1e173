import type { Clock } from '@auction/domain'
import type { ObjectSchema } from '@auction/domain/parsing'
import type { RetryKey } from '@auction/domain/request-key'
import type { Result } from '@auction/domain/result'
import type { CallSignal } from '@auction/domain/store'
import type { Problem, Success } from '@auction/host/responses'
import type { Caller } from '@auction/host/security'
import type { Lifecycle } from '@auction/host/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as v from 'valibot'
import type { Permission } from '../../configuration/permissions.ts'
import type { Forbidden, UserBinding, Viewer } from '../callers/caller.ts'
import type { Live } from '../live/live.ts'
import type { Readiness } from '../readiness.ts'
import type { Body } from '../requests/json-body.ts'
import type { Header, preconditionRequired } from '../requests/parameters.ts'
import type { ProblemCode, Refusal, ShownAs } from '../responses/refusals.ts'
import type { ServedService } from '../served-service.ts'

/** The permissions that an operation requires of a token. */
export type Requirement = {
  readonly names: readonly Permission[]
  /** Whether all of them are required, or one. */
  readonly conjunction: 'and' | 'or'
  /** Returns a required permission that is not granted; undefined if the requirement is met. */
  readonly missingIn: (granted: ReadonlySet<string>) => Permission | undefined
}

/** How a request reaches the operation. */
type Route = {
  /** The `operationId`. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** The path in the form of OpenAPI, such as `/api/Bids/{id}`. */
  readonly path: `/${string}`
  /** Undefined if no token is required. */
  readonly permissions?: Requirement
  /** Whether it needs no token if the service lets anyone read. */
  readonly isPublic?: boolean
  /**
   * Whether a POST creates nothing that a `Location` could name: it then returns 200 instead of 201. A PUT always
   * returns 200.
   */
  readonly isRepair?: boolean
}

type Docs = {
  readonly tag: 'Auctions' | 'Bids' | 'Repairs' | 'Registers' | 'Sales' | 'Health'
  readonly summary: string
  readonly description: string
  /** Describes the successful response. */
  readonly success: string
}

export type DataSchema = v.GenericSchema<object>

/** The parts of the request and of the successful response. */
type Schemas<
  Parameters extends ObjectSchema = ObjectSchema,
  Query extends ObjectSchema = ObjectSchema,
  HeaderValue = unknown,
  Fields = unknown,
  Data extends DataSchema = DataSchema,
  Path = never,
> = {
  readonly parameters?: Parameters
  readonly query?: Query
  readonly header?: Header<HeaderValue>
  readonly body?: Body<Fields, Path>
  readonly data: Data
  /** Whether the response has an entity tag; a GET then supports `If-None-Match`. */
  readonly isTagged?: boolean
  /** The events of the stream that is the response if the client requests one, in Markdown. */
  readonly stream?: string
  /** The CSV that is the response if the client requests it, in Markdown. */
  readonly csv?: string
}

/** A parsed request of an admitted caller, and what handles it. */
export type Context<Parameters extends ObjectSchema, Query extends ObjectSchema, HeaderValue, Fields> = {
  readonly input: {
    readonly parameters: v.InferOutput<Parameters>
    readonly query: v.InferOutput<Query>
    readonly header: HeaderValue
    readonly body: Fields
    /** The `Idempotency-Key` of a request with a body. */
    readonly retry: RetryKey | undefined
  }
  readonly caller: Caller
  readonly viewer: Viewer
  readonly userBinding: UserBinding
  readonly service: ServedService
  readonly live: Live
  readonly signal: CallSignal
  /** When the request had arrived whole, in milliseconds since 1970. */
  readonly arrivedAtMs: number
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** What `handle` returns: a success or a refusal. `sent`: the response is sent, or is a stream. */
export type Handled<Returned extends Success = Success> =
  | Result<Returned, Refusal | Forbidden | typeof preconditionRequired>
  | 'sent'

/**
 * The success of an operation. One with a body also reports whether an earlier request with the same key created the
 * resource.
 */
export type ResponseOf<Fields, Data extends DataSchema> = Success<v.InferInput<Data>> &
  (Fields extends undefined ? unknown : { readonly isRepeated: true | undefined })

/** Codes with the same description for every operation. */
type CommonCode = 'validation-failed' | 'idempotency-key-reused' | 'overloaded' | Forbidden['code']

type RefusedCode<Returned> = Returned extends { readonly ok: false; readonly refusal: { readonly code: infer Code } }
  ? ShownAs<Exclude<Code, CommonCode>> & string
  : never

export type Definition<
  Parameters extends ObjectSchema,
  Query extends ObjectSchema,
  HeaderValue,
  Fields,
  Data extends DataSchema,
  Returned extends Handled,
> = {
  readonly route: Route & { readonly permissions: Requirement }
  readonly docs: Docs
  readonly schemas: Schemas<Parameters, Query, HeaderValue, Fields, Data, v.InferOutput<Parameters>>
  /** Describes each refusal that `handle` returns. */
  readonly refusals: Readonly<Record<RefusedCode<Returned>, string>>
  readonly handle: (context: Context<Parameters, Query, HeaderValue, Fields>) => Promise<Returned>
  /** Requests, by what each shows. */
  readonly examples: Readonly<Record<string, Example>>
}

export type OperationParts = {
  readonly service: ServedService | Promise<ServedService>
  readonly clock: Clock
  readonly live: Live
  readonly userBinding: UserBinding
  readonly viewerOf: (caller: Caller) => Viewer
  readonly readiness: Readiness
  readonly lifecycle: Pick<Lifecycle, 'isDraining'>
}

/** Handles an authorized request. `sent` is as for `Handled`. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<Result<Success, Problem> | 'sent'>

export type Operation = {
  readonly route: Route
  readonly docs: Docs
  readonly schemas: Schemas
  readonly refusals: Readonly<Partial<Record<ProblemCode, string>>>
  readonly examples: Readonly<Record<string, Example>>
  readonly connect: (parts: OperationParts) => Handler
}

/**
 * A request that the documentation shows. A test sends all of them, in the order of the table, to a new server, and
 * compares the responses with those in `openapi/example-responses.json`.
 */
export type Example = {
  readonly parameters?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** A text is CSV. */
  readonly body?: object | string
}
