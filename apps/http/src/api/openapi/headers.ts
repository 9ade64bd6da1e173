import type { HeaderObject, JsonSchema } from './openapi.ts'
import { integerFromZero } from './schemas.ts'

const text: JsonSchema = { type: 'string' }
const always = (description: string, schema = text) => ({ description, required: true, schema })
const sometimes = (description: string) => ({ description, schema: text })

export const headers = {
  'X-Request-Id': always('The id of the request in the log: the id that the client sent, if valid.'),
  Location: always('The URL of the created resource.', { type: 'string', format: 'uri-reference' }),
  'Idempotency-Replayed': sometimes(
    '`true` if an earlier request with the same `Idempotency-Key` created the resource.',
  ),
  'Content-Disposition': sometimes('The name of the file, for CSV.'),
  ETag: always('The entity tag of the response, for `If-None-Match` and `If-Match`.'),
  'RateLimit-Policy': sometimes(
    'The quota that the request counts toward, and the seconds in which all of it refills, for example `"reads";q=300;w=60`.',
  ),
  RateLimit: sometimes('The remaining quota and the seconds until it has one more, for example `"reads";r=299;t=1`.'),
  'Retry-After': always('The seconds to wait before the next request.', integerFromZero),
  'WWW-Authenticate': sometimes(
    'The problem with the token (RFC 6750, section 3). Every 401 has it, and a 403 for a missing permission.',
  ),
  Accept: sometimes('The supported media types.'),
  'Accept-Patch': sometimes('The media type that PATCH supports (RFC 5789).'),
  'Accept-Encoding': sometimes('`identity`: the body must not be compressed.'),
  Allow: sometimes('The methods that the path supports.'),
} satisfies Readonly<Record<string, HeaderObject>>
