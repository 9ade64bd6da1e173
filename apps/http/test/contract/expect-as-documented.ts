import { expect } from 'vitest'
import { breachesOf, type Exchange, problemBreaches } from './breaches.ts'

/** Fails the test if the OpenAPI document does not declare the response. */
export function expectAsDocumented(exchange: Exchange): void {
  const { method, path, status, text } = exchange
  expect(breachesOf(exchange), `${method} ${path} against the OpenAPI document: ${status} ${text}`).toEqual([])
}

type Received = { readonly status: number; readonly headers: Headers; readonly text: string }

/** Fails the test if the document does not declare a failure among the responses that a connection received, as latin1. */
export function expectProblemsAsDocumented(received: string): void {
  for (const response of responsesIn(received)) {
    const { status, headers, text } = response
    if (headers.get('content-type') !== 'application/problem+json' || text === '') continue
    expect(problemBreaches(response), `against the OpenAPI document: ${status} ${text}`).toEqual([])
  }
}

/** The complete responses. A response to HEAD has a length without a body. */
function responsesIn(received: string): readonly Received[] {
  const responses: Received[] = []
  let rest = received
  for (;;) {
    const head = /^HTTP\/1\.1 (?<status>\d{3}) [^\r]*\r\n(?<lines>(?:[^\r]+\r\n)*)\r\n/.exec(rest)
    if (head === null) return responses
    const headers = new Headers(headerLines(head.groups?.['lines'] ?? ''))
    const length = Number(headers.get('content-length') ?? 0)
    rest = rest.slice(head[0].length)
    const hasBody = rest !== '' && !rest.startsWith('HTTP/1.1 ')
    const text = hasBody ? Buffer.from(rest.slice(0, length), 'latin1').toString() : ''
    if (hasBody && rest.length < length) return responses
    responses.push({ status: Number(head.groups?.['status']), headers, text })
    rest = hasBody ? rest.slice(length) : rest
  }
}

const headerLines = (lines: string): [string, string][] =>
  lines
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
