import type { IncomingMessage } from 'node:http'
import { badRequest, type Problem } from '../answers/problem.ts'

// The characters of a host and a port (RFC 3986). The header may be empty.
const hostForm = /^[\w.~!$&'()*+,;=%:[\]-]*$/

/** Returns the violation of HTTP/1.1 that Node's parser accepts, if the request has one. */
export function framingProblem({ headers, headersDistinct, httpVersion }: IncomingMessage): Problem | undefined {
  const { host, 'transfer-encoding': coding } = headers
  // RFC 9112, section 3.2. Node would refuse a missing header with an empty response.
  if (host === undefined) return httpVersion === '1.1' ? hostMissing : undefined
  if (headersDistinct['host']?.length !== 1 || !hostForm.test(host)) return hostWrong
  // Node decodes only chunked. The server would misread a body with another coding (RFC 9112, section 6.1).
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return otherCoding
  return undefined
}

const hostMissing = badRequest('The Host header is missing.')
const hostWrong = badRequest('The request must have exactly one Host header, with a host and an optional port.')
const otherCoding = badRequest(
  'The only supported Transfer-Encoding is chunked; send the body with that or with a Content-Length.',
)
