import { expect, test } from 'vitest'
import { clientOf } from './support/client.ts'
import { rawConnection, requestBytes } from './support/raw-connection.ts'
import { startServer, type TestServer } from './support/server.ts'

const linesOf = ({ log }: TestServer) => log.map((line) => JSON.parse(line))
const ours = /^[\w-]{12}\.\d+$/

test.each(['1', '7f1c0e6a-0b1d-4d56-9a53-2f0d5c9e8b7a', 'Root=1-67891233-abcdef012345678912345678', 'x'.repeat(128)])(
  'a request is known by the id that it brings: %s',
  async (id) => {
    const server = await startServer()
    const told = await clientOf(server).send('GET', '/api/Auctions', { headers: { 'x-request-id': id } })
    expect(told.headers.get('x-request-id')).toBe(id)
    expect(linesOf(server)).toMatchObject([{ requestId: id }])
  },
)

test.each(['', 'x'.repeat(129), 'two words', '<b>', 'a"b', 'a,b', '$(jndi)', 'caf\u00e9', 'a;b', "a'b", '\\n'])(
  'an id that could mean something else is not taken: %j',
  async (id) => {
    const server = await startServer()
    const told = await clientOf(server).send('GET', '/api/Auctions', { headers: { 'x-request-id': id } })
    expect(told.headers.get('x-request-id')).toMatch(ours)
    expect(linesOf(server)).toMatchObject([{ requestId: expect.stringMatching(ours) }])
  },
)

test('of two ids, none is taken', async () => {
  const server = await startServer()
  const connection = await rawConnection(server.port)
  const request = requestBytes('GET', '/api/Auctions', { 'x-request-id': 'a', connection: 'close' })
  connection.write(request.replace('x-request-id: a', 'x-request-id: a\r\nx-request-id: b'))
  expect(await connection.ended()).toMatch(/x-request-id: [\w-]{12}\.\d+\r\n/)
})

test('what goes wrong inside is logged and told under the id that the request brings, with its trace', async () => {
  const server = await startServer({
    replaceInStore: () => ({ findAuction: () => Promise.reject(new Error('a bug')) }),
  })
  const headers = { 'x-request-id': 'mine', traceparent: valid }
  const failed = await clientOf(server).send('GET', '/api/Auctions/1', { headers })
  expect(failed).toMatchObject({ status: 500, body: { requestId: 'mine' } })
  expect(linesOf(server)).toMatchObject([
    { level: 50, requestId: 'mine', traceId: '4bf92f3577b34da6a3ce929d0e0e4736' },
    { level: 30, requestId: 'mine', traceId: '4bf92f3577b34da6a3ce929d0e0e4736' },
  ])
})

const valid = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

test.each([
  ['of this version', valid],
  ['of a later one', `${valid.replace('00-', 'cc-')}-what-the-future-brings`],
])('the trace of a request is logged: %s', async (_what, traceparent) => {
  const server = await startServer()
  await clientOf(server).send('GET', '/api/Auctions', { headers: { traceparent } })
  expect(linesOf(server)).toMatchObject([
    { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', parentSpanId: '00f067aa0ba902b7' },
  ])
})

test.each([
  ['none', ''],
  ['a version that is invalid', valid.replace('00-', 'ff-')],
  ['a trace of zeros', valid.replace('4bf92f3577b34da6a3ce929d0e0e4736', '0'.repeat(32))],
  ['a span of zeros', valid.replace('00f067aa0ba902b7', '0'.repeat(16))],
  ['capitals', valid.toUpperCase()],
  ['more than its version has', `${valid}-more`],
  ['something behind it', `${valid} `.repeat(2)],
  ['too little', valid.slice(0, -1)],
])('a trace that is not valid counts as not sent: %s', async (_what, traceparent) => {
  const server = await startServer()
  await clientOf(server).send('GET', '/api/Auctions', { headers: { traceparent } })
  const [line] = linesOf(server)
  expect(Object.keys(line)).not.toContain('traceId')
  expect(Object.keys(line)).not.toContain('parentSpanId')
})
