import type { IncomingMessage } from 'node:http'
import type { Problem } from '../answers/problem.ts'
import { isRepeated } from '../requests/repeated-header.ts'

// A host and a port, as RFC 3986 has them, but for their order. It may be empty.
const hostForm = /^[\w.~!$&'()*+,;=%:[\]-]*$/

/** What is wrong with a request as HTTP/1.1 has it, and Node's parser lets through. */
export function framingFault({ headers, rawHeaders, httpVersion }: IncomingMessage): Problem | undefined {
  const { host, 'transfer-encoding': coding } = headers
  // RFC 9112, section 3.2. Node would refuse a missing one itself, with an empty answer.
  if (host === undefined) return httpVersion === '1.1' ? hostMissing : undefined
  if (isRepeated(rawHeaders, 'host') || !hostForm.test(host)) return hostWrong
  // Node takes off the chunks only. What is left would be read as what it is not (RFC 9112, section 6.1).
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return otherCoding
  return undefined
}

const hostMissing: Problem = { code: 'bad-request', message: 'The header Host is missing.' }
const hostWrong: Problem = {
  code: 'bad-request',
  message: 'There must be one header Host, with one host and its port.',
}
const otherCoding: Problem = {
  code: 'bad-request',
  message:
    'The body is compressed on its way; send it with a Content-Length, or with Transfer-Encoding: chunked alone.',
}
