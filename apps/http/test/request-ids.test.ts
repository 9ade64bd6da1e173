import { expect, test } from 'vitest'
import { clientOf } from './support/client.ts'
import { exchange, requestBytes } from './support/raw-connection.ts'
import { serverOfFile, startServer } from './support/server.ts'

const server = await serverOfFile()

/** Sends a request with these headers. Returns the response and the lines that the request adds to the log. */
async function list(headers: Readonly<Record<string, string>>) {
  const logged = server.log.length
  const response = await clientOf(server).send('GET', '/api/Auctions', { headers })
  return { response, lines: server.log.slice(logged).map((line) => JSON.parse(line)) }
}

const assigned = /^[\w-]{12}\.\d+$/

test.each(['1', '7f1c0e6a-0b1d-4d56-9a53-2f0d5c9e8b7a', 'Root=1-67891233-abcdef012345678912345678', 'x'.repeat(128)])(
  'the X-Request-Id of a client is used: %s',
  async (id) => {
    const { response, lines } = await list({ 'x-request-id': id })
    expect(response.headers.get('x-request-id')).toBe(id)
    expect(lines).toMatchObject([{ requestId: id }])
  },
)

test.each(['', 'x'.repeat(129), 'two words', '<b>', 'a"b', 'a,b', '$(jndi)', 'caf\u00e9', 'a;b', "a'b", '\\n'])(
  'an X-Request-Id with other characters is replaced: %j',
  async (id) => {
    const { response, lines } = await list({ 'x-request-id': id })
    expect(response.headers.get('x-request-id')).toMatch(assigned)
    expect(lines).toMatchObject([{ requestId: expect.stringMatching(assigned) }])
  },
)

test('two X-Request-Ids are replaced', async () => {
  const one = requestBytes('GET', '/api/Auctions', { 'x-request-id': 'a', connection: 'close' })
  const request = one.replace('x-request-id: a', 'x-request-id: a\r\nx-request-id: b')
  expect(await exchange(server.port, request)).toMatch(/x-request-id: [\w-]{12}\.\d+\r\n/)
})

test('an internal error has the X-Request-Id of the client, in the log and the response, and its trace in the log', async () => {
  const failing = await startServer({
    replaceInStore: () => ({ findAuction: () => Promise.reject(new Error('a bug')) }),
  })
  const headers = { 'x-request-id': 'mine', traceparent: valid }
  const failed = await clientOf(failing).send('GET', '/api/Auctions/1', { headers })
  expect(failed).toMatchObject({ status: 500, body: { requestId: 'mine' } })
  expect(failing.log.map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, requestId: 'mine', traceId: '4bf92f3577b34da6a3ce929d0e0e4736' },
    { level: 30, requestId: 'mine', traceId: '4bf92f3577b34da6a3ce929d0e0e4736' },
  ])
})

const valid = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

test.each([
  ['of this version', valid],
  ['of a later version', `${valid.replace('00-', 'cc-')}-what-the-future-brings`],
])('the trace of a request is logged: %s', async (_what, traceparent) => {
  const { lines } = await list({ traceparent })
  expect(lines).toMatchObject([{ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', parentSpanId: '00f067aa0ba902b7' }])
})

test.each([
  ['none', ''],
  ['a version that is invalid', valid.replace('00-', 'ff-')],
  ['a trace of zeros', valid.replace('4bf92f3577b34da6a3ce929d0e0e4736', '0'.repeat(32))],
  ['a span of zeros', valid.replace('00f067aa0ba902b7', '0'.repeat(16))],
  ['upper case', valid.toUpperCase()],
  ['more fields than its version has', `${valid}-more`],
  ['a second one', `${valid} `.repeat(2)],
  ['too few digits', valid.slice(0, -1)],
])('an invalid trace is ignored: %s', async (_what, traceparent) => {
  const [line] = (await list({ traceparent })).lines
  expect(Object.keys(line)).not.toContain('traceId')
  expect(Object.keys(line)).not.toContain('parentSpanId')
})
