import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Receiver, startReceiver, withStatus } from '../../../tools/vitest/receiver.ts'
import { stopTime } from '../../../tools/vitest/time.ts'
import { createPoster, createSigner } from '../src/signed-posts.ts'

function posterFor({ url }: Pick<Receiver, 'url'>, maxConnections = 4) {
  const poster = createPoster(new URL(url), maxConnections)
  onTestFinished(() => poster.close())
  return poster
}

test('posts JSON with its headers, and uses a connection again', async () => {
  const receiver = await startReceiver()
  const { post } = posterFor(receiver)
  for (const body of ['{"number":1}', '{"text":"ü"}']) {
    expect(await post(body, { 'webhook-id': 'evt_1_1' })).toEqual({ ok: true })
  }
  expect(receiver.messages).toMatchObject([
    { body: '{"number":1}', headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1_1' } },
    { body: '{"text":"ü"}' },
  ])
  expect(receiver.connections()).toBe(1)
})

test('opens at most the given number of connections', async () => {
  const receiver = await startReceiver()
  const waiting: ServerResponse[] = []
  receiver.respondWith((response) => void waiting.push(response))
  const { post } = posterFor(receiver, 2)
  const posts = Promise.all([1, 2, 3].map((number) => post(String(number), {})))
  await receiver.received(2)
  receiver.respondWith(withStatus(200))
  for (const response of waiting) response.end()
  expect(await posts).toEqual([{ ok: true }, { ok: true }, { ok: true }])
  expect(receiver.connections()).toBe(2)
})

describe('a response', () => {
  test.each([200, 201, 202, 204, 299])('with %i counts as received', async (status) => {
    const receiver = await startReceiver()
    receiver.respondWith(withStatus(status))
    expect(await posterFor(receiver).post('{}', {})).toEqual({ ok: true })
  })

  test.each([300, 301, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503])(
    'with %i does not, and no redirect is followed',
    async (status) => {
      const receiver = await startReceiver()
      receiver.respondWith(withStatus(status, { location: receiver.url }))
      expect(await posterFor(receiver).post('{}', {})).toEqual({ ok: false, reason: `status ${status}` })
      expect(receiver.messages).toHaveLength(1)
    },
  )

  test.each([
    { retryAfter: '120', ms: 120_000 },
    { retryAfter: '0', ms: 0 },
    { retryAfter: new Date(Date.now() + 3_600_000).toUTCString(), ms: expect.closeTo(3_600_000, -5) },
    { retryAfter: new Date(Date.now() - 3_600_000).toUTCString(), ms: undefined },
    { retryAfter: 'soon', ms: undefined },
    { retryAfter: '-5', ms: undefined },
  ])('with Retry-After: $retryAfter asks for this pause in milliseconds: $ms', async ({ retryAfter, ms }) => {
    const receiver = await startReceiver()
    receiver.respondWith(withStatus(503, { 'retry-after': retryAfter }))
    const posting = await posterFor(receiver).post('{}', {})
    expect(posting).toEqual({ ok: false, reason: 'status 503', ...(ms !== undefined && { retryAfterMs: ms }) })
  })

  const tooLarge = { ok: false, reason: 'a response of more than 16 KiB' }
  const closed = { ok: false, reason: 'the connection was closed' }
  test.each<readonly [title: string, respond: (response: ServerResponse) => void, posting: object]>([
    ['of 16 KiB', (response) => void response.end('x'.repeat(16 * 1024)), { ok: true }],
    ['of more than 16 KiB', (response) => void response.end('x'.repeat(16 * 1024 + 1)), tooLarge],
    ['without an end, read no further than the limit', writeForever, tooLarge],
    ['that breaks off', breakOff, closed],
    ['of HTTP/1.0, which ends with its connection', ({ socket }) => void socket?.end(http10), { ok: true }],
    ['that changes the protocol', ({ socket }) => void socket?.write(switching), closed],
  ])('%s', async (_, respond, posting) => {
    const receiver = await startReceiver()
    receiver.respondWith(respond)
    expect(await posterFor(receiver).post('{}', {})).toEqual(posting)
  })
})

const http10 = 'HTTP/1.0 200 OK\r\n\r\nReceived.'
const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'

function writeForever(response: ServerResponse): void {
  const more = () => {
    while (response.write('x'.repeat(1_000)));
  }
  response.on('drain', more)
  more()
}

function breakOff(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': '10' }).write('half')
  setImmediate(() => response.destroy())
}

describe('within 15 seconds', () => {
  test.each<{ readonly title: string; readonly response: (response: ServerResponse) => void }>([
    { title: 'no response', response: () => undefined },
    { title: 'a response without an end', response: (response) => void response.writeHead(200).write('…') },
  ])('$title is a failure', async ({ response }) => {
    const receiver = await startReceiver()
    receiver.respondWith(response)
    const time = stopTime()
    const posting = posterFor(receiver).post('{}', {})
    await receiver.received(1)
    time.pass(15)
    expect(await posting).toEqual({ ok: false, reason: 'no complete response within 15 seconds' })
  })
})

test('an endpoint that cannot be reached is a failure', async () => {
  const receiver = await startReceiver()
  await receiver.stop()
  const posting = await posterFor(receiver).post('{}', {})
  expect(posting).toEqual({ ok: false, reason: expect.stringContaining('ECONNREFUSED') })
})

test('bytes that are not HTTP are a failure', async () => {
  const server = createServer()
  server.on('connection', (socket) => socket.end('220 mail.example ESMTP\r\n'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  // The cast: it listens on a port.
  const { port } = server.address() as AddressInfo
  const posting = await posterFor({ url: `http://127.0.0.1:${port}/` }).post('{}', {})
  expect(posting).toEqual({ ok: false, reason: expect.stringMatching(/^Parse Error/) })
})

test('close ends posts in flight, which are failures as later ones are', async () => {
  const receiver = await startReceiver()
  receiver.respondWith(() => undefined)
  const poster = posterFor(receiver, 1)
  const posts = [poster.post('1', {}), poster.post('2', {})]
  await receiver.received(1)
  poster.close()
  const failure = { ok: false, reason: 'the service is shutting down' }
  expect(await Promise.all([...posts, poster.post('3', {})])).toEqual([failure, failure, failure])
})

const [current, next, other] = [24, 32, 64].map((length) => randomBytes(length)) as [Buffer, Buffer, Buffer]
const verifierOf = (secret: Buffer) => new Webhook(`whsec_${secret.toString('base64')}`)
const message = { id: 'evt_1_0', body: '{"title":"Für Elise 🎹"}' }

test('the library of the standard verifies a message, by each of its secrets and by no other', () => {
  const headers = createSigner([current, next])(message, Date.now())
  for (const secret of [current, next]) {
    expect(verifierOf(secret).verify(message.body, headers)).toEqual(JSON.parse(message.body))
  }
  expect(() => verifierOf(other).verify(message.body, headers)).toThrow('No matching signature')
  expect(() => verifierOf(current).verify(`${message.body} `, headers)).toThrow('No matching signature')
})

test('the signature is that of the specification', () => {
  // From https://github.com/standard-webhooks/standard-webhooks, libraries/javascript/src/webhook.test.ts.
  const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
  const known = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' }
  expect(createSigner([secret])(known, 1_614_265_330_999)).toEqual({
    'webhook-id': known.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})
