import { expect } from 'vitest'
import { problemBreaches } from './breaches.ts'

type Received = { readonly status: number; readonly headers: Headers; readonly text: string }

/** Fails the test if a failure among the answers that a connection has received, as latin1, is none that the document declares. */
export function expectProblemsAsDocumented(received: string): void {
  for (const answer of answersIn(received)) {
    const { status, headers, text } = answer
    if (headers.get('content-type') !== 'application/problem+json' || text === '') continue
    expect(problemBreaches(answer), `against the OpenAPI document: ${status} ${text}`).toEqual([])
  }
}

/** The answers that have come whole. One to HEAD tells the length of a body that does not come. */
function answersIn(received: string): readonly Received[] {
  const answers: Received[] = []
  let rest = received
  for (;;) {
    const head = /^HTTP\/1\.1 (?<status>\d{3}) [^\r]*\r\n(?<lines>(?:[^\r]+\r\n)*)\r\n/.exec(rest)
    if (head === null) return answers
    const headers = new Headers(headerLines(head.groups?.['lines'] ?? ''))
    const length = Number(headers.get('content-length') ?? 0)
    rest = rest.slice(head[0].length)
    const hasBody = rest !== '' && !rest.startsWith('HTTP/1.1 ')
    const text = hasBody ? Buffer.from(rest.slice(0, length), 'latin1').toString() : ''
    if (hasBody && rest.length < length) return answers
    answers.push({ status: Number(head.groups?.['status']), headers, text })
    rest = hasBody ? rest.slice(length) : rest
  }
}

const headerLines = (lines: string): [string, string][] =>
  lines
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
