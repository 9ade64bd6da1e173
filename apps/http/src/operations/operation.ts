import type { Clock } from '@auction/domain/clock'
import type { UserId } from '@auction/domain/ids'
import type { Permission } from '@auction/domain/permissions'
import type { RetryKey } from '@auction/domain/request-key'
import type { Result } from '@auction/domain/result'
import type { AuctionService } from '@auction/domain/service'
import type { CallSignal } from '@auction/domain/store'
import type { ObjectSchema, Parsed } from '@auction/domain/validation'
import type { FastifyRequest } from 'fastify'
import type * as v from 'valibot'
import type { Problem } from '../answers/problem.ts'
import type { ProblemCode, Refusal, RefusalOf, ToldAs } from '../answers/problem-types.ts'
import type { Success } from '../answers/success.ts'
import type { Viewer } from '../answers/viewer.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { UserBinding } from '../security/user-binding.ts'
import type { Readiness } from '../server/health.ts'
import type { Lifecycle } from '../server/lifecycle.ts'
import type { Example } from './example.ts'

/** The use case that an operation calls. Its name is the operation's own. */
export type UseCaseName = Exclude<keyof AuctionService, 'close' | 'closeDue' | 'backlog'>

/** What a server calls of a service. */
export type ServedService = Pick<AuctionService, UseCaseName | 'closeDue'>

/** Refusals that no operation has to explain, as they mean the same everywhere. */
type CommonRefusal = 'validation-failed' | 'idempotency-key-reused' | 'overloaded'

type OwnRefusal<Name extends UseCaseName> = Exclude<
  ToldAs<Extract<RefusalOf<AuctionService[Name]>, Refusal>['code']>,
  CommonRefusal
>

/** What all of the server knows of an operation, whatever its types. */
type Description = {
  readonly method: 'GET' | 'POST'
  /** As OpenAPI writes it, with `{id}` for a parameter. */
  readonly path: `/${string}`
  readonly tag: 'Auctions' | 'Bids' | 'Health'
  readonly summary: string
  /** In Markdown. */
  readonly description: string
  readonly success: {
    readonly status: 200 | 201
    readonly description: string
    readonly data: DataSchema
    /** Whether the answer carries an entity tag: whoever has seen that already is answered 304. */
    readonly tagged?: boolean
  }
  readonly examples: readonly Example[]
}

/** What an answer holds: a resource, or a page of them. */
export type DataSchema = v.GenericSchema<object>

/** The JSON object that a request brings. */
type Body<Fields> = {
  readonly schema: ObjectSchema
  /** Names that may stand there beside its own, and are dropped. */
  readonly ignored: ReadonlySet<string>
  readonly parse: (input: unknown, nowMs: number) => Parsed<Fields>
  /** Whether a request without any body is one with an empty object. */
  readonly isOptional?: boolean
  /** How many bytes it may have, where that is less than the server's limit. */
  readonly maxBytes?: number
}

/** What a request says, parsed, and who sends it. Of what its operation does not declare, there is nothing. */
export type Input<Parameters extends v.ObjectEntries, Query extends ObjectSchema, Fields> = {
  readonly parameters: { readonly [Name in keyof Parameters]: v.InferOutput<Parameters[Name]> }
  readonly query: v.InferOutput<Query>
  readonly fields: Fields
  readonly retry: RetryKey | undefined
  /** For whom the answer is. */
  readonly viewer: Viewer
  /** Whether the client has left. */
  readonly signal: CallSignal
  /** The user for whom the caller acts, where the operation asks for that and callers are bound to their users. */
  readonly requesterId: UserId | undefined
}

export type Definition<
  Name extends UseCaseName,
  Parameters extends v.ObjectEntries,
  Query extends ObjectSchema,
  Fields,
  Data extends DataSchema,
> = Description & {
  readonly name: Name
  readonly permission: Permission
  readonly parameters?: Parameters
  readonly query?: Query
  readonly body?: Body<Fields>
  /** The field with the user for whom the caller acts, where callers are bound to their users. */
  readonly actingUser?: keyof Fields & ('ownerId' | 'bidderId' | 'buyerId')
  /** Whether the use case decides by the user for whom the caller acts, which no field names. */
  readonly needsRequester?: boolean
  /** Whether requests that arrive in one tick of the event loop are carried out together. */
  readonly gathered?: boolean
  readonly success: { readonly data: Data }
  /** When each refusal of the use case comes. */
  readonly refusals: Readonly<Record<OwnRefusal<Name>, string>>
  readonly run: (
    useCase: ServedService[Name],
    input: Input<Parameters, Query, Fields>,
  ) => Promise<Result<Success<v.InferInput<Data>>, Refusal>>
}

/** What operations are connected to. */
export type OperationParts = {
  readonly service: ServedService
  readonly clock: Clock
  readonly userBinding: UserBinding
  readonly permissionValues: Configuration['permissionValues']
  readonly endOfTick: () => Promise<void>
  readonly readiness: Readiness
  readonly lifecycle: Pick<Lifecycle, 'isDraining'>
}

/** Carries out a request that was admitted. */
export type Carry = (request: FastifyRequest) => Promise<Result<Success, Problem>>

/** An operation as routes, admission and documents see it. */
export type Operation = Description & {
  readonly name: string
  /** None for what anybody may ask, without a token. */
  readonly permission?: Permission
  readonly parameters?: v.ObjectEntries
  readonly query?: ObjectSchema
  readonly body?: Pick<Body<unknown>, 'schema' | 'ignored' | 'isOptional' | 'maxBytes'>
  readonly refusals: Readonly<Partial<Record<ProblemCode, string>>>
  readonly connect: (parts: OperationParts) => Carry
}

/** A question about the server itself. It needs no token, counts against no limit, and is answered whatever else is refused. */
export type Probe = Description & {
  readonly name: string
  readonly refusals: Readonly<Partial<Record<ProblemCode, string>>>
  readonly run: (parts: Pick<OperationParts, 'readiness' | 'lifecycle'>) => Promise<Result<Success, Problem>>
}
