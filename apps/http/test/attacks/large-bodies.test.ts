import { beforeAll, expect, test } from 'vitest'
import { isLong, sampleOf } from '../../../../tools/vitest/size.ts'
import { operations } from '../../src/api/operations/table.ts'
import { clientOf, pointersOf } from '../support/client.ts'
import { serverOfFile } from '../support/server.ts'
import { correcting, managing, permissions, registering, saleManaging, tokenOf } from '../support/tokens.ts'
import { crowdsOf, filled, nested } from './crowds.ts'

// The long form sends each body more often.
const times = isLong ? 10 : 2

const bodyBytes = 64 * 1024

const full = (open: string, part: (index: number) => string, close: string) => filled(open, part, close, bodyBytes)
const deep = (open: string, inner: string, close: string) => nested(open, inner, close, bodyBytes - 30)
const array = (item: string) => full('{"startingPrice":[', () => item, ']}')
const members = (value: string, open = '{', close = '}') =>
  full(open, (index) => `"${index.toString(36)}":${value}`, close)

const bodies: readonly [what: string, body: string][] = [
  ['an exponent of many digits', `{"startingPrice":1e${'9'.repeat(65_000)}}`],
  ['zeros and an exponent', full('{"x":[1e1,', () => '0', ']}')],
  ['zeros and an exponent in a known field', full('{"startingPrice":[1e1,', () => '0', ']}')],
  ['exponents', array('1e1')],
  ['long numbers', array('1234567890.1234567890')],
  ['empty objects', array('{}')],
  ['empty arrays', array('[]')],
  ['objects with members', array('{"a":1e1,"b":":"}')],
  ['escaped texts', array('"\\""')],
  ['members', members('1')],
  ['members with exponents', members('1e1')],
  ['members after a text with a colon', members('1', '{"title":":",')],
  ['members with integers for names', full('{', (index) => `"${index}":1e1`, '}')],
  ['members with escaped names', full('{', (index) => `"\\u0061${index}":1`, '}')],
  ['members of one name', full('{', () => '"startingPrice":1e1', '}')],
  ['arrays in arrays', `{"startingPrice":${deep('[', '1e1', ']')}}`],
  ['objects in objects', `{"startingPrice":${deep('{"a":', '1e1', '}')}}`],
  ['a text of escapes', `{"title":"${'\\\\'.repeat(32_000)}"}`],
  ['a text of escaped quotation marks', `{"title":"${'\\"'.repeat(32_000)}"}`],
  ['a text of colons', `{"title":"${':'.repeat(65_000)}"}`],
  ['a name of escapes', `{"${'\\u0061'.repeat(10_900)}":1}`],
  ['digits', `{"startingPrice":${'1'.repeat(65_000)}}`],
  ['zeros and a negative exponent', `{"startingPrice":1${'0'.repeat(65_000)}e-65000}`],
  ['blanks before a number', `{"startingPrice":${' '.repeat(65_000)}1e1}`],
  ['an error at the end', array('1e1').slice(0, -1)],
]

/** Processor time of this thread, so that other processes do not count. */
async function cpuMicrosOf(step: () => unknown, repetitions: number): Promise<number> {
  const start = process.threadCpuUsage()
  for (let repetition = 0; repetition < repetitions; repetition++) await step()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / repetitions
}

const zeros = array('0')
const parse = (body: string) => {
  try {
    JSON.parse(body)
  } catch {
    // Invalid JSON takes time as well.
  }
}

// Measured on several busy machines: 1 to 13 on Node.js 24, and up to 19 on 26, whose JSON.parse takes half of that time. With a callback for
// each value of the body: 20 to 44 for the first three on 24, and 57 to 96 times JSON.parse alone on 26.
const mostTimes = Number.parseInt(process.versions.node, 10) >= 26 ? 24 : 16

const server = await serverOfFile()
const caller = clientOf(server)
const staff = clientOf(
  server,
  tokenOf('staff', { permissions: [...permissions, ...registering, correcting, managing, saleManaging] }),
)

async function create(body: string): Promise<void> {
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(bodyBytes)
  expect((await caller.post('/api/Auctions', body)).status).toBe(400)
}

type Send = (text: string) => Promise<unknown>

let zerosMicros = 0

async function measure(send: Send, text: string): Promise<number> {
  const micros = await cpuMicrosOf(() => send(text), times)
  // The cost to parse the text takes longer to measure than a request that is cheap anyway.
  if (micros < mostTimes * zerosMicros) return micros / zerosMicros
  return micros / (zerosMicros + (await cpuMicrosOf(() => parse(text), 40)))
}

/**
 * The cost of a request with a text, including its client, as a multiple of the cost to parse the text and as many zeros. It is the
 * minimum of up to ten measurements: other processes, the garbage collector and code that V8 has not optimized yet add to some, but the
 * cost of the text is in all.
 */
async function costOf(text: string, send: Send = create): Promise<number> {
  let least = await measure(send, text)
  for (let more = 0; more < 9 && least >= mostTimes; more++) least = Math.min(least, await measure(send, text))
  return least
}

beforeAll(async () => {
  await cpuMicrosOf(() => create(zeros), 20)
  zerosMicros = await cpuMicrosOf(() => parse(zeros), 200)
})

test.each(sampleOf(bodies))(
  'a request with 64 KB of %s costs little more than parsing the body',
  async (_what, body) => {
    expect(await costOf(body)).toBeLessThan(mostTimes)
  },
)

const places = operations.flatMap((operation) =>
  crowdsOf(operation).map(([pointer, crowds]) => ({ name: operation.route.name, pointer, crowds, operation })),
)

test.each(sampleOf(places))(
  'the body of $name with a crowd at "$pointer" costs little more than parsing it',
  { timeout: 60_000 },
  async ({ crowds, operation: { route, schemas } }) => {
    const path = route.path.replaceAll(/\{\w+\}/g, '1')
    const headers = { 'content-type': schemas.body?.mediaType ?? '' }
    const send = (body: string) => staff.send(route.method, path, { body, headers })
    for (const { what, body, refusedAt } of sampleOf(crowds)) {
      const response = await send(body)
      expect(response.status, what).toBe(400)
      // The length of a list is judged before its parts.
      if (refusedAt !== undefined) {
        const within = pointersOf(response).filter((found) => found.startsWith(refusedAt))
        expect(within, what).toEqual([refusedAt])
      }
      expect(await costOf(body, send), what).toBeLessThan(mostTimes)
    }
  },
)

// Node.js reads up to 16 KiB of a request line and headers.
const longTexts = [
  '1',
  '1,2,3,',
  '9007199254740992,',
  'a ',
  'a,',
  '"a",',
  'W/"',
  '\t',
  ';q=0',
  '%F0%9F%8F%BA',
  'YXVj',
  '=&',
].map((part) => part.repeat(14_000 / part.length))

const inQueries = operations.flatMap(({ route, schemas: { parameters, query } }) => {
  const path = route.path.replaceAll(/\{\w+\}/g, '1')
  const withText = Object.keys(query?.entries ?? {}).map((name) => [`${name} of ${route.name}`, `${path}?${name}=`])
  const inPath = parameters === undefined ? [] : [[`the path of ${route.name}`, path]]
  return [...inPath, ...withText].map(([what = '', start = '']) => ({ what, start, method: route.method }))
})

test.each(sampleOf(inQueries))(
  'a long text in $what costs little more than parsing a body',
  async ({ start, method }) => {
    const names = Array.from({ length: 1_400 }, (_, index) => `k${index}=1`)
    const repeated = `1&${start.split('?')[1] ?? 'k='}`.repeat(500)
    const escaped = longTexts.map((text) => (/[%&]/.test(text) ? text : encodeURIComponent(text).slice(0, 14_000)))
    for (const text of [...escaped, `1&${names.join('&')}`, repeated]) {
      const send = async () => expect((await staff.send(method, start + text)).status).toBeLessThan(500)
      expect(await costOf('0', send), text.slice(0, 20)).toBeLessThan(mostTimes)
    }
  },
)

const headerNames = [
  ...['accept', 'accept-encoding', 'authorization', 'content-encoding', 'content-type', 'cookie', 'idempotency-key'],
  ...['if-match', 'if-none-match', 'last-event-id', 'origin', 'traceparent', 'x-forwarded-for', 'x-request-id'],
]

test.each(sampleOf(headerNames))('a long header %s costs little more than parsing a body', async (name) => {
  for (const text of longTexts) {
    const headers = { [name]: name === 'authorization' ? `Bearer ${text}` : text }
    const send = async () => {
      await staff.send('GET', '/api/Auctions/1', { headers })
      await staff.patch('/api/Auctions/1', {}, headers)
    }
    expect(await costOf('0', send), text.slice(0, 20)).toBeLessThan(mostTimes)
  }
})
