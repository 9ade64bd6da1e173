import { METHODS } from 'node:http'
import fc from 'fast-check'
import { newAuction } from '../support/client.ts'
import { requestBytes } from '../support/raw-connection.ts'
import { tokenOf } from '../support/tokens.ts'

/** The data that a client sends on one connection, and the way in which it stops in the middle. */
export type CutConnection = {
  /** In Latin-1; each piece is sent separately. */
  readonly pieces: readonly string[]
  /**
   * Reset, closed, closed for sending only, silent until the server ends it, or silent without reading.
   */
  readonly leave: 'reset' | 'close' | 'half-close' | 'stall' | 'abandon'
}

const json = JSON.stringify(newAuction)
const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

const header = <Value extends string>(name: string, ...values: readonly Value[]) =>
  fc.option(
    fc.constantFrom(...values).map((value) => ({ [name]: value })),
    { nil: {} },
  )

const headers = fc
  .tuple(
    header('authorization', `Bearer ${tokenOf('anna')}`, 'Bearer x.y.z'),
    header('content-type', 'application/json', 'text/plain'),
    header('connection', 'close', 'keep-alive', 'Upgrade', 'Upgrade, HTTP2-Settings'),
    header('upgrade', 'websocket', 'h2c'),
    header('expect', '100-continue', 'a miracle'),
  )
  .map((all): Readonly<Record<string, string>> => Object.assign({}, ...all))

const path = fc.constantFrom('/api/Auctions', '/api/Auctions?limit=100', '/api/Bids', '/nowhere', '*', 'localhost:80')
const method = fc.constantFrom(...METHODS)
const likelyMethod = fc.oneof(method, fc.constantFrom('CONNECT', 'POST', 'GET'))

const request = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(likelyMethod, path, headers).map((parts) => requestBytes(...parts)) },
  { weight: 4, arbitrary: fc.tuple(likelyMethod, path, headers).map((parts) => requestBytes(...parts, json)) },
  {
    weight: 2,
    arbitrary: fc.tuple(likelyMethod, path, headers).map(([method, path, headers]) => {
      return requestBytes(method, path, { ...headers, 'transfer-encoding': 'chunked' }) + chunked(json)
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'garbage\r\n\r\n',
      'GET / HTTP/1.0\r\n\r\n',
      requestBytes('POST', '/api/Auctions', { 'content-length': '70000' }),
      requestBytes('GET', `/${'x'.repeat(17_000)}`, {}),
    ),
  },
)

export const cutConnection: fc.Arbitrary<CutConnection> = fc
  .record({
    requests: fc.oneof(
      { weight: 9, arbitrary: fc.array(request, { minLength: 1, maxLength: 5 }) },
      { weight: 1, arbitrary: request.map((bytes) => Array.from({ length: 50 }, () => bytes)) },
    ),
    // The position of the cut, and the split of the preceding text into pieces, as fractions.
    cut: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
    seams: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
    leave: fc.constantFrom('reset', 'close', 'half-close', 'stall', 'abandon'),
  })
  .map(({ requests, cut, seams, leave }) => {
    const whole = requests.join('')
    const sent = whole.slice(0, Math.round(whole.length * cut))
    const cuts = [0, ...seams.map((seam) => Math.round(sent.length * seam)), sent.length].sort((a, b) => a - b)
    const pieces = cuts.slice(1).map((end, index) => sent.slice(cuts[index], end))
    return { pieces: pieces.filter((piece) => piece !== ''), leave }
  })
