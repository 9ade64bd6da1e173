/** The headers that answers carry, as OpenAPI describes them. */
export const headers = {
  'X-Request-Id': {
    description: 'The id of the request, under which the log has it: the one that was sent, where that is sane.',
    required: true,
    schema: { type: 'string' },
  },
  Location: {
    description: 'The address of what was created.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  ETag: {
    description: 'The entity tag of the answer, to be sent back as `If-None-Match`.',
    required: true,
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The budget of the caller and its window in seconds, for example `"default";q=300;w=60`.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'What is left of the budget, and in how many seconds it is whole again: `"default";r=299;t=60`.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'In how many seconds to send the request again.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': {
    description: 'What is wrong with the token (RFC 6750, section 3).',
    required: true,
    schema: { type: 'string' },
  },
  Accept: { description: 'The media type that is taken.', schema: { type: 'string' } },
  Allow: { description: 'The methods that the path takes.', required: true, schema: { type: 'string' } },
} as const

/** The headers that requests may carry. */
export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      "The caller's own name for this request: sent again with the same body, it is answered the first 201 again, and done once.",
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags that the caller has seen: one of them is answered 304.',
    schema: { type: 'string' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'An id of the caller for this request; one that is not sane is replaced.',
    schema: { type: 'string' },
  },
  TraceParent: {
    name: 'traceparent',
    in: 'header',
    description: 'The trace that this request belongs to (W3C Trace Context); one that is not valid is ignored.',
    schema: { type: 'string' },
  },
} as const
