import { expect, test } from 'vitest'
import { anonymousOf, clientOf } from './support/client.ts'
import { rawConnection, requestBytes } from './support/raw-connection.ts'
import { startServer } from './support/server.ts'

const common = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

test('every response has its media type, and only reads of one resource may be stored', async () => {
  const server = await startServer({ environment: { RATE_LIMIT_MAX: '6', RATE_LIMIT_WINDOW_SECONDS: '1000' } })
  const anna = clientOf(server)
  const answers = [
    await anna.createAuction(),
    await anna.get('/api/Auctions'),
    await anna.send('HEAD', '/api/Auctions'),
    await anna.get('/api/Auctions/2'),
    await anna.createAuction({ currency: 'XXX' }),
    await anna.post('/api/Auctions', '{'),
    await anna.post('/api/Auctions', 'x'.repeat(70_000)),
    await anna.post('/api/Auctions', 'x', { 'content-type': 'text/plain' }),
    await anna.placeBid({ bidderId: 1 }),
    await anna.placeBid(),
    await anonymousOf(server).get('/api/Auctions'),
    await anna.get('/nowhere'),
    await anna.get('/api/Auctions/%zz'),
    await anna.send('PATCH', '/api/Auctions'),
    await anna.send('OPTIONS', '/api/Auctions'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([
    201, 200, 200, 404, 400, 400, 413, 415, 409, 429, 401, 404, 400, 405, 204,
  ])
  for (const { headers } of answers) {
    expect(Object.fromEntries(headers)).toMatchObject(common)
    expect([headers.get('server'), headers.get('x-powered-by')]).toEqual([null, null])
  }
})

test.each([
  ['bytes that are not HTTP', 'hello\r\n\r\n'],
  ['headers that are too large', requestBytes('GET', `/${'x'.repeat(20_000)}`, {})],
  ['OPTIONS *', requestBytes('OPTIONS', '*', { connection: 'close' })],
  ['CONNECT', requestBytes('CONNECT', 'localhost:80', {})],
])('the response to %s has these headers, too', async (_what, bytes) => {
  const connection = await rawConnection((await startServer()).port)
  connection.write(bytes)
  const received = await connection.ended()
  for (const [name, value] of Object.entries(common)) expect(received).toContain(`\r\n${name}: ${value}\r\n`)
})
