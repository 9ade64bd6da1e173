import type { HeaderObject } from './openapi.ts'

/** The response headers. */
export const headers = {
  'X-Request-Id': {
    description: 'The id of the request in the log: the id that the client sent, if valid.',
    required: true,
    schema: { type: 'string' },
  },
  Location: {
    description: 'The URL of the created resource.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  ETag: {
    description: 'The entity tag of the response, for `If-None-Match`.',
    required: true,
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The quota of the caller and its window in seconds, for example `"default";q=300;w=60`.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'The remaining quota and the seconds until it resets, for example `"default";r=299;t=60`.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'The seconds to wait before the next request.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': {
    description: 'The error of the token (RFC 6750, section 3).',
    required: true,
    schema: { type: 'string' },
  },
  Accept: { description: 'The supported media type.', schema: { type: 'string' } },
  'Accept-Encoding': {
    description: '`identity`: the body must not be compressed.',
    schema: { type: 'string' },
  },
  Allow: { description: 'The methods that the path supports.', schema: { type: 'string' } },
} as const satisfies Readonly<Record<string, HeaderObject>>
