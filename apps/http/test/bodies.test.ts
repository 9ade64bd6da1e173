import { describe, expect, test } from 'vitest'
import {
  type ApiResponse,
  clientOf,
  newAuction,
  newCaller,
  openAuction,
  pointersOf,
  problem,
} from './support/client.ts'
import { rawConnection, requestBytes, statusesIn } from './support/raw-connection.ts'
import { serverOfFile } from './support/server.ts'
import { stored, unchanged } from './support/stored.ts'

const auctionText = JSON.stringify(newAuction)
const bidWith = (amount: string, auctionId = 1) => `{"auctionId":${auctionId},"bidderId":2,"amount":${amount}}`
const nested = (depth: number, inner = '') => '['.repeat(depth) + inner + ']'.repeat(depth)

const server = await serverOfFile()
const anna = clientOf(server)

/** Sends a body that is refused. */
const post = (body: string | Uint8Array, path = '/api/Bids'): Promise<ApiResponse> =>
  unchanged(server, () => anna.post(path, body))

test.each<[what: string, body: string | Uint8Array, message: RegExp]>([
  ['an empty body', '', /is empty/],
  ['blanks', '  \n', /ends unexpectedly/],
  ['half an object', '{"auctionId":1', /at line 1, column 15/],
  ['a bare word', '{"auctionId":one}', /is not valid JSON/],
  ['a trailing comma', '{"auctionId":1,}', /line 1, column 16/],
  ['two objects', '{}\n{}', /line 2, column 1/],
  ['a comment', '{/* hello */}', /is not valid JSON/],
  ['a leading zero', bidWith('0100'), /is not valid JSON/],
  ['NaN', bidWith('NaN'), /is not valid JSON/],
  ['a byte order mark', `\uFEFF${bidWith('100')}`, /byte order mark/],
  ['bytes that are not UTF-8', Buffer.from('{"auctionId":1,"title":"caf\xe9"}', 'latin1'), /is not UTF-8/],
  ['an overlong encoding', Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]), /is not UTF-8/],
  ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /is not UTF-8/],
  ['UTF-16', Buffer.from(bidWith('100'), 'utf16le'), /is not valid JSON/],
  ['a repeated name', '{"auctionId":1,"bidderId":2,"amount":500,"amount":100}', /repeats the member name "amount"/],
  ['a repeated __proto__', '{"__proto__":1,"__proto__":2}', /repeats the member name "__proto__"/],
])('%s is malformed JSON', async (_what, body, message) => {
  const response = await post(body)
  expect(response).toMatchObject(problem(400, 'malformed-json'))
  expect(response.body.message).toMatch(message)
})

// The numbers that are exact are in `numbers-and-names.test.ts`.
test.each<{ readonly what: string; readonly body: string; readonly pointers: readonly string[] }>([
  { what: 'null', body: 'null', pointers: [''] },
  { what: 'an array', body: `[${bidWith('100')}]`, pointers: [''] },
  { what: 'a number', body: '12', pointers: [''] },
  { what: '1e400', body: bidWith('1e400'), pointers: ['/amount'] },
  { what: 'more digits than a double has', body: bidWith('1.00000000000000001'), pointers: ['/amount'] },
  {
    what: 'an id above 2^53',
    body: bidWith('100').replace('"auctionId":1', '"auctionId":9007199254740993'),
    pointers: ['/auctionId'],
  },
  {
    what: 'only __proto__',
    body: '{"__proto__":{"auctionId":1,"bidderId":2,"amount":100}}',
    pointers: ['/auctionId', '/bidderId', '/amount', '/__proto__'],
  },
  {
    what: 'a name with a slash and a tilde',
    body: '{"auctionId":1,"bidderId":2,"amount":100,"a/b~c":1}',
    pointers: ['/a~1b~0c'],
  },
])('$what is an invalid field', async ({ body, pointers }) => {
  const response = await post(body)
  expect(response).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(response)).toEqual(pointers)
})

test.each([1_000, 30_000])('a value that is nested %d deep is an invalid field', async (depth) => {
  const deep = nested(depth, '1e5')
  const title = await post(auctionText.replace('"Walnut desk"', deep), '/api/Auctions')
  expect(title).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(title)).toEqual(['/title'])
  expect(pointersOf(await post(deep, '/api/Auctions'))).toEqual([''])
})

test('text is stored and returned as sent', async () => {
  const title = 'é e\u0301 🏺 \u2028 "quoted" \\ \u0000 end'
  const created = await anna.createAuction({ title })
  expect(created).toMatchObject({ status: 201, body: { data: { title } } })
})

const padded = (text: string, bytes: number) => `${text}${' '.repeat(bytes - text.length)}`

const limits: readonly [path: string, text: (auctionId: number) => string, maxBytes: number][] = [
  ['/api/Auctions', () => auctionText, 65_536],
  ['/api/Bids', (auctionId) => bidWith('100', auctionId), 4_096],
]

describe.each(limits)('the body of %s', (path, text, maxBytes) => {
  test('may have as many bytes as the limit', async () => {
    const auction = await openAuction(server)
    expect((await auction.post(path, padded(text(auction.id), maxBytes))).status).toBe(201)
  })

  test.each([
    ['one more byte than the limit', maxBytes + 1],
    ['twenty megabytes', 20_000_000],
  ])('is 413 with %s', async (_what, bytes) => {
    const response = await post(padded(text(1), bytes), path)
    expect(response).toMatchObject(problem(413, 'payload-too-large'))
    expect(response.body.message).toBe(`The body is larger than ${maxBytes} bytes.`)
    // A client that still sends may lose the response if the connection closes.
    expect(response.headers.get('connection')).not.toBe('close')
  })

  test.each([
    [maxBytes, 201],
    [maxBytes + 1, 413],
  ])('of %d bytes in chunks is %d', async (bytes, status) => {
    const { id } = await openAuction(server)
    const before = await stored(server)
    // `fetch` sends a stream in chunks and requires `duplex`, which its types lack.
    const streamed: RequestInit & { readonly duplex: 'half' } = {
      method: 'POST',
      headers: { authorization: `Bearer ${newCaller()}`, 'content-type': 'application/json' },
      body: new Blob([padded(text(id), bytes)]).stream(),
      duplex: 'half',
    }
    expect((await fetch(server.url + path, streamed)).status).toBe(status)
    const made = Object.values(await stored(server)).reduce((sum, count) => sum + count, 0)
    expect(made).toBe(Object.values(before).reduce((sum, count) => sum + count, 0) + (status === 201 ? 1 : 0))
  })
})

test.each([
  { parts: 4_096, status: 201, message: /was created/ },
  { parts: 4_097, status: 413, message: /in more than 4096 parts/ },
])('a body in $parts chunks of one byte is $status', async ({ parts, status, message }) => {
  const headers = { authorization: `Bearer ${newCaller()}`, 'content-type': 'application/json', connection: 'close' }
  const connection = await rawConnection(server.port)
  connection.write(requestBytes('POST', '/api/Auctions', { ...headers, 'transfer-encoding': 'chunked' }))
  connection.write(`${padded(auctionText, parts).replaceAll(/./gs, '1\r\n$&\r\n')}0\r\n\r\n`)
  const response = await connection.ended()
  expect(statusesIn(response)).toEqual([status])
  expect(response).toMatch(message)
})

test.each([
  ['text/plain'],
  ['application/jsonp'],
  ['application/vnd.api+json'],
  ['application/x-www-form-urlencoded'],
  ['multipart/form-data; boundary=x'],
  ['nonsense'],
])('the media type %s is 415', async (type) => {
  const response = await unchanged(server, () => anna.post('/api/Auctions', auctionText, { 'content-type': type }))
  expect(response).toMatchObject(problem(415, 'unsupported-media-type'))
})

test.each([['application/json'], ['application/json; charset=utf-8'], ['Application/JSON;charset="UTF-8"']])(
  'the media type %s is accepted',
  async (type) => {
    expect((await anna.post('/api/Auctions', auctionText, { 'content-type': type })).status).toBe(201)
  },
)

test('a body without a media type is 415, and no body is malformed JSON', async () => {
  const bytes = Buffer.from(auctionText)
  expect(await anna.send('POST', '/api/Auctions', { body: bytes })).toMatchObject(
    problem(415, 'unsupported-media-type'),
  )
  expect(await anna.send('POST', '/api/Auctions')).toMatchObject(problem(400, 'malformed-json'))
})

test.each([
  ['gzip', 415],
  ['br', 415],
  ['identity', 201],
])('Content-Encoding: %s is %d', async (encoding, status) => {
  expect((await anna.post('/api/Auctions', auctionText, { 'content-encoding': encoding })).status).toBe(status)
})

test('a refused body leaves the connection open for the next request', async () => {
  const response = await anna.post('/api/Auctions', '{')
  expect(response.headers.get('connection')).toBe('keep-alive')
})

describe('the optional body of a cancellation', () => {
  const path = (id: number) => `/api/Auctions/${id}/Cancellation`

  test.each<[what: string, body: string | undefined]>([
    ['missing', undefined],
    ['empty', ''],
    ['an empty object', '{}'],
    ['a null reason', '{"reason":null}'],
  ])('may be %s', async (_what, body) => {
    const auction = await openAuction(server)
    const response = await (body === undefined ? auction.cancelAuction() : auction.post(path(auction.id), body))
    expect(response).toMatchObject({ status: 201, body: { data: { result: { outcome: 'cancelled' } } } })
    expect(response.body.data.result).not.toHaveProperty('reason')
  })

  test('may be empty in chunks', async () => {
    const auction = await openAuction(server)
    const connection = await rawConnection(server.port)
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked', connection: 'close' }
    const authorization = `Bearer ${newCaller()}`
    connection.write(requestBytes('POST', path(auction.id), { ...headers, authorization }))
    connection.write('0\r\n\r\n')
    expect(statusesIn(await connection.ended())).toEqual([201])
    expect((await auction.read()).result).toEqual({ outcome: 'cancelled' })
  })

  test.each(['{', ' ', '{"reason":"a","reason":"b"}'])('%j is malformed JSON', async (body) => {
    const { id } = await openAuction(server)
    expect(await anna.post(path(id), body)).toMatchObject(problem(400, 'malformed-json'))
  })

  test('is 415 with another media type, even if it is empty', async () => {
    const { id, read } = await openAuction(server)
    const unsupported = problem(415, 'unsupported-media-type')
    expect(await anna.post(path(id), '', { 'content-type': 'text/plain' })).toMatchObject(unsupported)
    expect(await anna.send('POST', path(id), { body: 'x' })).toMatchObject(unsupported)
    expect((await read()).result).toBeNull()
  })
})
