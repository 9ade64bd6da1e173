import { describe, expect, test } from 'vitest'
import { type Answer, clientOf, newAuction, pointersOf, problem } from './support/client.ts'
import { startServer } from './support/server.ts'
import { stored, unchanged } from './support/stored.ts'
import { tokenOf } from './support/tokens.ts'

const auctionText = JSON.stringify(newAuction)
const bidWith = (amount: string) => `{"auctionId":1,"bidderId":2,"amount":${amount}}`
const nested = (depth: number, inner = '') => '['.repeat(depth) + inner + ']'.repeat(depth)

async function post(body: string | Uint8Array, path = '/api/Bids'): Promise<Answer> {
  const server = await startServer()
  const anna = clientOf(server)
  await anna.createAuction()
  return unchanged(server, () => anna.post(path, body))
}

test.each<[what: string, body: string | Uint8Array, message: RegExp]>([
  ['an empty body', '', /is empty/],
  ['blanks', '  \n', /ends too early/],
  ['half an object', '{"auctionId":1', /goes wrong in line 1, at character 15/],
  ['a stray word', '{"auctionId":one}', /is not JSON/],
  ['a trailing comma', '{"auctionId":1,}', /line 1, at character 16/],
  ['two objects', '{}\n{}', /line 2, at character 1/],
  ['a comment', '{/* hello */}', /is not JSON/],
  ['a leading zero', bidWith('0100'), /is not JSON/],
  ['NaN', bidWith('NaN'), /is not JSON/],
  ['a byte order mark', `\uFEFF${bidWith('100')}`, /byte order mark/],
  ['bytes that are not UTF-8', Buffer.from('{"auctionId":1,"title":"caf\xe9"}', 'latin1'), /is not UTF-8/],
  ['an overlong encoding', Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]), /is not UTF-8/],
  ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /is not UTF-8/],
  ['UTF-16', Buffer.from(bidWith('100'), 'utf16le'), /is not JSON/],
  [
    'a name that is given twice',
    '{"auctionId":1,"bidderId":2,"amount":500,"amount":100}',
    /names "amount" more than once/,
  ],
  [
    'a name in two spellings',
    '{"auctionId":1,"bidderId":2,"\\u0061mount":500,"amount":100}',
    /names "amount" more than once/,
  ],
  [
    'a name twice in an inner object',
    '{"auctionId":1,"bidderId":2,"amount":{"a":1,"a":2}}',
    /names "a" more than once/,
  ],
  ['__proto__ twice', '{"__proto__":1,"__proto__":2}', /names "__proto__" more than once/],
])('%s is malformed JSON, and changes nothing', async (_what, body, message) => {
  const answer = await post(body)
  expect(answer).toMatchObject(problem(400, 'malformed-json'))
  expect(answer.body.message).toMatch(message)
})

test.each<[what: string, body: string, pointers: readonly string[]]>([
  ['null', 'null', ['']],
  ['an array', `[${bidWith('100')}]`, ['']],
  ['a number', '12', ['']],
  ['a text', '"bid"', ['']],
  ['1e400', bidWith('1e400'), ['/amount']],
  ['-1e400', bidWith('-1e400'), ['/amount']],
  ['1e-400', bidWith('1e-400'), ['/amount']],
  ['a digit that a double loses', bidWith('1.00000000000000001'), ['/amount']],
  ['an amount of 20 digits', bidWith('12345678901234567890'), ['/amount']],
  ['an id of 20 digits', bidWith('100').replace('"auctionId":1', '"auctionId":10000000000000000001'), ['/auctionId']],
  ['an id past 2^53', bidWith('100').replace('"auctionId":1', '"auctionId":9007199254740993'), ['/auctionId']],
  ['2^53', bidWith('100').replace('"auctionId":1', '"auctionId":9007199254740992'), ['/auctionId']],
  ['__proto__', '{"auctionId":1,"bidderId":2,"amount":100,"__proto__":{"amount":1}}', ['/__proto__']],
  ['constructor', '{"auctionId":1,"bidderId":2,"amount":100,"constructor":{}}', ['/constructor']],
  [
    'only __proto__',
    '{"__proto__":{"auctionId":1,"bidderId":2,"amount":100}}',
    ['/auctionId', '/bidderId', '/amount', '/__proto__'],
  ],
  ['a name with a slash and a tilde', '{"auctionId":1,"bidderId":2,"amount":100,"a/b~c":1}', ['/a~1b~0c']],
])('%s is a fault of a field, and changes nothing', async (_what, body, pointers) => {
  const answer = await post(body)
  expect(answer).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(answer)).toEqual(pointers)
})

test.each([1_000, 30_000])('what is nested %d deep is a fault of a field, and changes nothing', async (depth) => {
  const deep = nested(depth, '1e5')
  const title = await post(auctionText.replace('"Walnut desk"', deep), '/api/Auctions')
  expect(title).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(title)).toEqual(['/title'])
  expect(pointersOf(await post(deep, '/api/Auctions'))).toEqual([''])
})

test.each([
  ['a lone surrogate', '"\\ud800"'],
  ['a lone low surrogate', '"\\udc00 x"'],
  ['an empty title', '""'],
  ['a number', '7'],
])('%s as a title is a fault, and changes nothing', async (_what, title) => {
  const answer = await post(auctionText.replace('"Walnut desk"', title), '/api/Auctions')
  expect(answer).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(answer)).toEqual(['/title'])
})

test.each([
  ['1.0e2', 100],
  ['100.00', 100],
  ['1e2', 100],
  ['10050e-2', 100.5],
  ['1000000000000000000000e-19', 100],
  ['100.50000000000000000000', 100.5],
])('%s is the exact amount %d', async (written, amount) => {
  const server = await startServer()
  const anna = clientOf(server)
  await anna.createAuction()
  const placed = await anna.post('/api/Bids', bidWith(written))
  expect(placed).toMatchObject({ status: 201, body: { data: { amount } } })
})

test('text is stored and answered as it was sent', async () => {
  const server = await startServer()
  const title = 'é e\u0301 🏺 \u2028 "quoted" \\ \u0000 end'
  const created = await clientOf(server).createAuction({ title })
  expect(created).toMatchObject({ status: 201, body: { data: { title } } })
})

const padded = (text: string, bytes: number) => `${text}${' '.repeat(bytes - text.length)}`

const limits: readonly [path: string, text: string, maxBytes: number][] = [
  ['/api/Auctions', auctionText, 65_536],
  ['/api/Bids', bidWith('100'), 4_096],
]

describe.each(limits)('a body for %s', (path, text, maxBytes) => {
  const send = async (bytes: number) => {
    const server = await startServer()
    const anna = clientOf(server)
    await anna.createAuction()
    return anna.post(path, padded(text, bytes))
  }

  test('is read up to its limit', async () => {
    expect((await send(maxBytes)).status).toBe(201)
  })

  test.each([
    ['one byte more than its limit', maxBytes + 1],
    ['twenty megabytes', 20_000_000],
  ])('of %s is 413, and changes nothing', async (_what, bytes) => {
    const answer = await post(padded(text, bytes), path)
    expect(answer).toMatchObject(problem(413, 'payload-too-large'))
    expect(answer.body.message).toBe(`The body is larger than ${maxBytes} bytes.`)
    // A connection that is cut while the client still sends may lose it the answer.
    expect(answer.headers.get('connection')).not.toBe('close')
  })

  test.each([
    [maxBytes, 201],
    [maxBytes + 1, 413],
  ])('of %d bytes that does not tell its length is %d', async (bytes, status) => {
    const server = await startServer()
    await clientOf(server).createAuction()
    const before = await stored(server)
    // A stream goes out in chunks. Node's fetch asks for `duplex` with it, which its types do not know.
    const streamed: RequestInit & { readonly duplex: 'half' } = {
      method: 'POST',
      headers: { authorization: `Bearer ${tokenOf('anna')}`, 'content-type': 'application/json' },
      body: new Blob([padded(text, bytes)]).stream(),
      duplex: 'half',
    }
    expect((await fetch(server.url + path, streamed)).status).toBe(status)
    const made = Object.values(await stored(server)).reduce((sum, count) => sum + count, 0)
    expect(made).toBe(Object.values(before).reduce((sum, count) => sum + count, 0) + (status === 201 ? 1 : 0))
  })
})

test.each([
  ['text/plain'],
  ['application/jsonp'],
  ['application/vnd.api+json'],
  ['application/x-www-form-urlencoded'],
  ['multipart/form-data; boundary=x'],
  ['nonsense'],
])('the media type %s is 415, and changes nothing', async (type) => {
  const server = await startServer()
  const anna = clientOf(server)
  const answer = await unchanged(server, () => anna.post('/api/Auctions', auctionText, { 'content-type': type }))
  expect(answer).toMatchObject(problem(415, 'unsupported-media-type'))
})

test.each([['application/json'], ['application/json; charset=utf-8'], ['Application/JSON;charset="UTF-8"']])(
  'the media type %s is read',
  async (type) => {
    const anna = clientOf(await startServer())
    expect((await anna.post('/api/Auctions', auctionText, { 'content-type': type })).status).toBe(201)
  },
)

test('a body without a media type is 415, no body at all is malformed JSON', async () => {
  const server = await startServer()
  const anna = clientOf(server)
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
  const anna = clientOf(await startServer())
  expect((await anna.post('/api/Auctions', auctionText, { 'content-encoding': encoding })).status).toBe(status)
})

test('a refused body leaves the connection open for the next request', async () => {
  const server = await startServer()
  const anna = clientOf(server)
  const answer = await anna.post('/api/Auctions', '{')
  expect(answer.headers.get('connection')).toBe('keep-alive')
})
