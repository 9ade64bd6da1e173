import type { components, operations } from './api.ts'

// The types of requests and responses, from the OpenAPI document of the service.

export type Schemas = components['schemas']

/** The webhooks of the document are operations, too, which the service sends. */
type Received = { readonly responses: { readonly '2XX': unknown } }
/** The names of the operations, each of which has a method. */
export type OperationName = {
  [Name in keyof operations]: operations[Name] extends Received ? never : Name
}[keyof operations]

type Content<Message, MediaType extends string> = Message extends {
  readonly content: { readonly [Type in MediaType]: infer Value }
}
  ? Value
  : never
type Responses<Name extends OperationName> = operations[Name]['responses']

/** The `data` of a success. */
export type Data<Name extends OperationName> =
  Content<Responses<Name>[keyof Responses<Name> & (200 | 201)], 'application/json'> extends {
    readonly data: infer Value
  }
    ? Value
    : never

type Failure = 408 | 429 | 500 | 503
/** A problem that a retry does not change. `code` identifies it and its members. Later versions may add codes. */
export type Refusal<Name extends OperationName> = Content<
  Responses<Name>[Exclude<keyof Responses<Name>, 200 | 201 | Failure>],
  'application/problem+json'
>

/** The body of a request. */
export type Body<Name extends OperationName> = operations[Name] extends { readonly requestBody?: infer Message }
  ? Content<Message, 'application/json'> | Content<Message, 'application/merge-patch+json'>
  : never

type Parameters<Name extends OperationName> = operations[Name]['parameters'] extends { readonly query?: infer Query }
  ? NonNullable<Query>
  : never
/** The parameters in the URL. Optional ones may be undefined, and are not sent then. */
export type Query<Name extends OperationName> = {
  readonly [Parameter in keyof Parameters<Name>]: Parameter extends 'ids'
    ? readonly number[] | undefined
    : Parameters<Name>[Parameter] | (Record<never, never> extends Pick<Parameters<Name>, Parameter> ? undefined : never)
}

/** What an operation returns: its data, or the reason why the service refused it. */
export type Result<Value, Reason> = Success<Value> | { readonly ok: false; readonly refusal: Reason }
export type Success<Value> = {
  readonly ok: true
  readonly data: Value
  /** When the service sent the response to a read, by its clock. */
  readonly now?: string
  /** The entity tag of an auction or a bidder, for `ifMatch`. */
  readonly etag?: string
}
export type ResultOf<Name extends OperationName> =
  | (Success<Data<Name>> & (Name extends Tagged ? { readonly etag: string } : unknown))
  | { readonly ok: false; readonly refusal: Refusal<Name> }
type Tagged = 'readAuction' | 'correctAuction' | 'readBidder' | 'readRegister' | 'setBidder'
