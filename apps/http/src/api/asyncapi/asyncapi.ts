import type { JsonSchema } from '@valibot/to-json-schema'

// The part of AsyncAPI 3.0 that the document uses.

export type Reference = { readonly $ref: `#/${string}` }

export type MessageObject = {
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly contentType: 'application/json'
  /** The fields of a server-sent event, or the headers of a request. */
  readonly headers: JsonSchema
  readonly payload: Reference
  readonly examples?: readonly { readonly name: string; readonly headers?: object; readonly payload: object }[]
}

export type ChannelObject = {
  /** Null if it is not known: the URL of an endpoint. */
  readonly address: string | null
  readonly title: string
  readonly description: string
  readonly servers: readonly Reference[]
  readonly parameters?: Readonly<Record<string, { readonly description: string }>>
  readonly messages: Readonly<Record<string, Reference>>
}

export type OperationObject = {
  readonly action: 'send'
  readonly channel: Reference
  readonly title: string
  readonly summary: string
  readonly description: string
  readonly bindings: { readonly http: { readonly method: string; readonly query?: JsonSchema } }
  readonly messages: readonly Reference[]
}
