import type { HeaderObject } from './openapi.ts'

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
  Accept: { description: 'The media type that is taken, where another was sent.', schema: { type: 'string' } },
  'Accept-Encoding': {
    description: 'That a body is taken as it is, where it was compressed.',
    schema: { type: 'string' },
  },
  Allow: { description: 'The methods that the path takes; it comes with 405.', schema: { type: 'string' } },
} as const satisfies Readonly<Record<string, HeaderObject>>
