import type { JsonSchema } from '@valibot/to-json-schema'

export type { JsonSchema }

// The part of OpenAPI 3.1 that the document uses.

export type PathItem = {
  readonly get?: OperationObject
  readonly post?: OperationObject
  readonly put?: OperationObject
  readonly patch?: OperationObject
}

export type OperationObject = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  /** Empty if no token is required; with an empty alternative if it is optional. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters: readonly (ParameterObject | Reference)[]
  readonly requestBody?: { readonly description: string; readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>
}

export type Reference = { readonly $ref: `#/components/${string}` }

export type ParameterObject = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
  readonly example?: unknown
}

export type HeaderObject = { readonly description: string; readonly required?: boolean; readonly schema: JsonSchema }

export type ResponseObject = {
  readonly description: string
  readonly headers: Readonly<Record<string, HeaderObject | Reference>>
  readonly content?: Content
  readonly links?: Readonly<Record<string, LinkObject>>
}

/** An operation that can follow. Its values are expressions for the response, such as `$response.body#/data/id`. */
export type LinkObject = {
  readonly operationId: string
  readonly parameters: Readonly<Record<string, string>>
}

type Content = Readonly<Record<string, MediaType>>

export type MediaType = {
  readonly schema: JsonSchema | Reference
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>
  /** A body that is not JSON. */
  readonly example?: string
}
