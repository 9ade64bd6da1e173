import * as v from 'valibot'

/** A schema with its description in the OpenAPI document. */
export const described = <const Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.pipe(schema, v.description(description))

/** An integer of a response, such as a count. */
export const integerFrom = (least: number, description: string) =>
  described(v.pipe(v.number(), v.integer(), v.minValue(least)), description)

export type ProblemType = {
  readonly status: number
  /** A fixed summary of the problem type (RFC 9457), if it is not the code in words. */
  readonly title?: string
  /** States in the documentation when the server returns it. */
  readonly when: string
  /** The code on the wire, if it differs from the key in the table. */
  readonly code?: string
  readonly retryAfterSeconds?: number
  /** Members in addition to those of every problem. */
  readonly members?: v.ObjectEntries
  /** Headers in addition to those of every response. */
  readonly headers?: readonly ProblemHeader[]
}
export type ProblemHeader = 'Retry-After' | 'WWW-Authenticate' | 'Allow' | 'Accept' | 'Accept-Patch' | 'Accept-Encoding'

export const FieldErrorResource = v.object({
  pointer: described(v.string(), 'JSON Pointer (RFC 6901) to the field, parameter or header. `""` is the whole body.'),
  message: described(v.string(), 'The rule that the value breaks.'),
})

/** The problems that any JSON API can return. */
export const hostProblemTypes = {
  'bad-request': { status: 400, when: 'The request is not valid HTTP.' },
  'malformed-json': {
    status: 400,
    title: 'Malformed JSON',
    when: 'The body is not valid JSON in UTF-8, or repeats a member name.',
  },
  'validation-failed': {
    status: 400,
    when: 'A field, parameter or header is missing or invalid.',
    members: {
      errors: described(v.pipe(v.array(FieldErrorResource), v.minLength(1), v.maxLength(20)), 'The first 20 errors.'),
      moreErrors: v.optional(
        integerFrom(
          1,
          'The number of errors that are not listed. A list with too many parts is one error, because its parts are not judged.',
        ),
      ),
    },
  },
  unauthenticated: { status: 401, when: 'The token is missing or invalid.', headers: ['WWW-Authenticate'] },
  forbidden: {
    status: 403,
    when: 'The token lacks the permission, or identifies another user.',
    headers: ['WWW-Authenticate'],
  },
  'not-found': { status: 404, when: 'The path does not exist.' },
  'method-not-allowed': { status: 405, when: 'The path does not support the method.', headers: ['Allow'] },
  'request-timeout': { status: 408, when: 'The request took too long to arrive.', code: 'bad-request' },
  'payload-too-large': { status: 413, when: 'The body is too large.' },
  'unsupported-media-type': {
    status: 415,
    when: 'The body does not have the media type of the operation, or is compressed.',
    headers: ['Accept', 'Accept-Patch', 'Accept-Encoding'],
  },
  'precondition-required': { status: 428, when: 'The request has no `If-Match`.' },
  'rate-limited': {
    status: 429,
    when: 'The quota of the caller, or of its address, is used up.',
    headers: ['Retry-After'],
  },
  'headers-too-large': {
    status: 431,
    when: 'The request line and headers are larger than 16 KiB.',
    code: 'bad-request',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    when: 'An internal error occurred. The log has the details.',
    members: { requestId: v.string() },
  },
  unsupported: { status: 501, when: 'The store of this service does not support it.' },
  'store-unavailable': {
    status: 503,
    when: 'The store does not respond. `message` states whether the outcome is unknown.',
    retryAfterSeconds: 2,
    headers: ['Retry-After'],
  },
  'issuer-unavailable': {
    status: 503,
    when: 'The keys of the issuer are unavailable, so the token cannot be verified. Nothing was changed.',
    headers: ['Retry-After'],
  },
  overloaded: {
    status: 503,
    when: 'Too many requests are waiting, or the server is shutting down. Nothing was changed.',
    retryAfterSeconds: 1,
    headers: ['Retry-After'],
  },
} as const satisfies Readonly<Record<string, ProblemType>>

export type HostProblemCode = keyof typeof hostProblemTypes

/** The summary of a problem type: `rate-limited` is "Rate limited". */
export const titleOf = ({ title }: ProblemType, code: string): string =>
  title ?? `${code.slice(0, 1).toUpperCase()}${code.slice(1).replaceAll('-', ' ')}`
