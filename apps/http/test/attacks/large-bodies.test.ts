import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { isLong, sampleOf } from '../../../../tools/vitest/size.ts'
import { clientOf } from '../support/client.ts'
import { serverOfFile } from '../support/server.ts'

// The long form generates more bodies, and sends each more often.
const { madeUp, times } = isLong ? { madeUp: 1_000, times: 10 } : { madeUp: 4, times: 2 }
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31)

const bodyBytes = 64 * 1024

/** As many parts as fit in a body, separated by commas. */
function filled(open: string, part: (index: number) => string, close: string): string {
  let body = open + part(0)
  for (let index = 1; ; index++) {
    const next = `,${part(index)}`
    if (Buffer.byteLength(body) + next.length * 3 + close.length > bodyBytes) return body + close
    body += next
  }
}

function nested(open: string, inner: string, close: string): string {
  const levels = Math.floor((bodyBytes - inner.length - 30) / (open.length + close.length))
  return open.repeat(levels) + inner + close.repeat(levels)
}

const array = (item: string) => filled('{"startingPrice":[', () => item, ']}')
const members = (value: string, open = '{', close = '}') =>
  filled(open, (index) => `"${index.toString(36)}":${value}`, close)

const bodies: readonly [what: string, body: string][] = [
  ['an exponent of many digits', `{"startingPrice":1e${'9'.repeat(65_000)}}`],
  ['zeros and an exponent', filled('{"x":[1e1,', () => '0', ']}')],
  ['zeros and an exponent in a known field', filled('{"startingPrice":[1e1,', () => '0', ']}')],
  ['exponents', array('1e1')],
  ['long numbers', array('1234567890.1234567890')],
  ['empty objects', array('{}')],
  ['empty arrays', array('[]')],
  ['objects with members', array('{"a":1e1,"b":":"}')],
  ['escaped texts', array('"\\""')],
  ['members', members('1')],
  ['members with exponents', members('1e1')],
  ['members with exponents in an object that the schema has', members('1e1', '{"softClose":{', '}}')],
  ['members after a text with a colon', members('1', '{"title":":",')],
  ['members with integers for names', filled('{', (index) => `"${index}":1e1`, '}')],
  ['members with escaped names', filled('{', (index) => `"\\u0061${index}":1`, '}')],
  ['members of one name', filled('{', () => '"startingPrice":1e1', '}')],
  ['arrays in arrays', `{"startingPrice":${nested('[', '1e1', ']')}}`],
  ['objects in objects', `{"startingPrice":${nested('{"a":', '1e1', '}')}}`],
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

const caller = clientOf(await serverOfFile())

async function send(body: string): Promise<void> {
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(bodyBytes)
  expect((await caller.post('/api/Auctions', body)).status).toBe(400)
}

async function measure(body: string): Promise<number> {
  const parseMicros = (await cpuMicrosOf(() => parse(zeros), 40)) + (await cpuMicrosOf(() => parse(body), 40))
  return (await cpuMicrosOf(() => send(body), times)) / parseMicros
}

/**
 * The cost of a request with a body, including its client, as a multiple of the cost to parse the body and as many zeros. It is the
 * minimum of up to ten measurements: other processes, the garbage collector and code that V8 has not optimized yet add to some, but the
 * cost of the body is in all.
 */
async function costOf(body: string): Promise<number> {
  let least = await measure(body)
  for (let more = 0; more < 9 && least >= mostTimes; more++) least = Math.min(least, await measure(body))
  return least
}

beforeAll(() => cpuMicrosOf(() => send(zeros), 20))

test.each(sampleOf(bodies))(
  'a request with 64 KB of %s costs little more than parsing the body',
  async (_what, body) => {
    expect(await costOf(body)).toBeLessThan(mostTimes)
  },
)

const item = fc.oneof(
  fc.constantFrom(
    '0',
    '1e1',
    '-0',
    '1.50',
    '1E-2',
    '12345678901234567890',
    '""',
    '"\\""',
    '{}',
    '[]',
    '[[]]',
    '{"a":1}',
  ),
  fc.json({ maxDepth: 2 }).filter((text) => text.length < 1_000),
)
const madeUpBody = fc
  .record({
    items: fc.array(item, { minLength: 1, maxLength: 4 }),
    holder: fc.constantFrom('startingPrice', 'softClose', 'x'),
  })
  .chain(({ items, holder }) => {
    const part = (index: number) => items[index % items.length] ?? ''
    const member = (index: number) => `"${index}":${part(index)}`
    return fc.constantFrom(
      filled(`{"${holder}":[`, part, ']}'),
      filled(`{"${holder}":{`, member, '}}'),
      filled('{', member, '}'),
      filled('{', (index) => `"${holder}":${part(index)}`, '}'),
      `{"${holder}":${nested('[', part(0), ']')}}`,
      `{"${holder}":${nested('{"softClose":', part(0), '}')}}`,
    )
  })

test('a request with 64 KB of generated JSON costs little more than parsing it', {
  timeout: 180_000 + madeUp * 1_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(madeUpBody, async (body) => {
      expect(await costOf(body)).toBeLessThan(mostTimes)
    }),
    { numRuns: madeUp, seed, endOnFailure: true },
  )
})
