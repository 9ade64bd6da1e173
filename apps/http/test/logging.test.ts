import { createLogger } from '@auction/host/log'
import fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { closeDueRegularly } from '../src/api/closing.ts'
import { anonymousOf, clientOf, newBid, problem } from './support/client.ts'
import { startServer, type TestServer } from './support/server.ts'
import { secret, signedToken, tokenOf } from './support/tokens.ts'

// Far below the limit of a request, and above the length of any regular line.
const longestLine = 2_000
const longestErrorLine = 10_000

const linesOf = ({ log }: TestServer) => log.map((line) => JSON.parse(line))

test('whatever a client sends, its log entry is one short line that marks where it was cut', async () => {
  const server = await startServer()
  const long = 'x'.repeat(9_000)
  await clientOf(server).get(`/api/${long}`)
  await clientOf(server, tokenOf(`${'\u{1f600}'.repeat(1_500)}`)).get('/api/Auctions')
  await clientOf(server, tokenOf(`anna"}\n{"level":60,"msg":"forged"}\r\n\u2028`)).get('/api/Auctions')
  const lines = linesOf(server)
  expect(lines).toHaveLength(3)
  for (const line of server.log) {
    expect(line.length).toBeLessThan(longestLine)
    expect(line.trimEnd()).not.toMatch(/[\r\n]/)
  }
  expect(lines[0].path).toMatch(/^\/api\/x{100,}… \(cut; 9005 characters\)$/)
  expect(lines[1].caller).toMatch(/^\[null,"\u{1f600}+\ufffd?… \(cut; 3009 characters\)$/u)
  expect(lines[2].caller).toContain('forged')
})

test('control and bidirectional characters of a subject are shown as text', async () => {
  const server = await startServer()
  const hostile = '\u007f\u0085\u009b2J\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\u{1f469}\u200d\u{1f680}'
  await clientOf(server, tokenOf(hostile)).get('/api/Auctions')
  const [line = ''] = server.log
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches the characters that must not be there
  expect(line.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/)
  expect(JSON.parse(line).caller).toContain('\\u009b2J\\u061c')
})

test('an error that repeats the input is cut in the log', async () => {
  const cause = new Error(`E11000 ${'c'.repeat(50_000)}`)
  const error = Object.assign(new Error(`failed for ${'x'.repeat(50_000)}`, { cause }), {
    document: 'd'.repeat(50_000),
  })
  const server = await startServer({ replaceInStore: () => ({ findAuction: () => Promise.reject(error) }) })
  const failed = await clientOf(server).get('/api/Auctions/1')
  const line = server.log.find((text) => text.includes('"level":50')) ?? ''
  expect(line.length).toBeLessThan(longestErrorLine)
  const { requestId, err } = JSON.parse(line)
  expect(requestId).toBe(failed.body.requestId)
  expect(err.type).toBe('Error')
  expect(err.message).toMatch(/^failed for x{100,}… \(cut; \d+ characters\)$/)
  expect(err.stack).toMatch(
    /at .*logging\.test\.ts[\s\S]*caused by: Error: E11000 c{100,}… \(cut; 500\d\d characters\)/,
  )
})

test('a thrown value that is not an error is logged, and cut as well', async () => {
  const server = await startServer({
    replaceInStore: () => ({ findAuction: () => Promise.reject('y'.repeat(50_000)) }),
  })
  await clientOf(server).get('/api/Auctions/1')
  const line = server.log.find((text) => text.includes('"level":50')) ?? ''
  expect(line).toMatch(/y{100,}… \(cut; \d+ characters\)/)
  expect(line.length).toBeLessThan(longestErrorLine)
})

test('the line of a refusal has its code, and that of a success has no code', async () => {
  const server = await startServer({ environment: { RATE_LIMIT_MAX: '4' } })
  const anna = clientOf(server)
  const responses = [
    await anna.createAuction(),
    await anna.createAuction({ currency: 'XXX' }),
    await anna.post('/api/Auctions', '{'),
    await anna.placeBid({ bidderId: 1 }),
    await anna.get('/api/Bids/99'),
    await anna.createAuction(),
    await anna.get('/nowhere'),
    await anna.get('/api/Auctions/%zz'),
    await anna.send('PATCH', '/api/Auctions'),
    await clientOf(server, tokenOf('boris', { permissions: [] })).placeBid(),
  ]
  expect(responses.map(({ body }) => body.code)).toEqual([
    undefined,
    'validation-failed',
    'malformed-json',
    'owner-cannot-bid',
    'bid-not-found',
    'rate-limited',
    'not-found',
    'bad-request',
    'method-not-allowed',
    'forbidden',
  ])
  expect(linesOf(server).map(({ status, code }) => [status, code])).toEqual(
    responses.map(({ status, body }) => [status, body.code]),
  )
})

test('the log distinguishes the kinds of 401', async () => {
  const server = await startServer({ environment: { JWT_ISSUER: 'https://issuer.example', JWT_AUDIENCE: 'auctions' } })
  const good = { iss: 'https://issuer.example', aud: 'auctions' }
  const kinds: readonly [headers: Record<string, string>, reason: RegExp][] = [
    [{}, /no token/],
    [{ authorization: 'Bearer one, two' }, /one Authorization header/],
    [{ authorization: 'Bearer garbage' }, /not a well-formed/],
    [{ authorization: `Bearer ${tokenOf('anna', { ...good, exp: 1 })}` }, /expired/],
    [{ authorization: `Bearer ${tokenOf('anna', { ...good, nbf: 4e9 })}` }, /not valid yet/],
    [
      { authorization: `Bearer ${signedToken({ sub: 'anna', ...good }, undefined, { key: `${secret}!` })}` },
      /not signed with an accepted key/,
    ],
    [{ authorization: `Bearer ${tokenOf('anna', { ...good, aud: 'others' })}` }, /issuer or audience/],
  ]
  for (const [headers] of kinds) {
    const refused = await anonymousOf(server).post('/api/Bids', newBid, headers)
    expect(refused).toMatchObject(problem(401, 'unauthenticated'))
  }
  const lines = linesOf(server)
  expect(lines.map(({ code, reason }) => [code, reason])).toEqual(
    kinds.map(([, reason]) => ['unauthenticated', expect.stringMatching(reason)]),
  )
  expect(new Set(lines.map(({ reason }) => reason)).size).toBe(kinds.length)
})

test('each request is one line in the log, without its token and its query', async () => {
  const server = await startServer()
  const anna = clientOf(server)
  await anna.createAuction()
  await anna.get(`/api/Auctions?access_token=${tokenOf('anna')}`)
  await clientOf(server, tokenOf('anna', { exp: 1 })).placeBid()
  await anna.get('/api/Bids/%zz?secret=1')
  const lines = server.log.map((line) => JSON.parse(line))
  expect(lines.map(({ level, method, path, status, caller }) => [level, method, path, status, caller])).toEqual([
    [30, 'POST', '/api/Auctions', 201, '[null,"anna"]'],
    [30, 'GET', '/api/Auctions', 400, '[null,"anna"]'],
    [30, 'POST', '/api/Bids', 401, undefined],
    [30, 'GET', '/api/Bids/%zz', 400, undefined],
  ])
  for (const { ms, requestId } of lines) expect([typeof ms, typeof requestId]).toEqual(['number', 'string'])
  expect(server.log.join('')).not.toMatch(/eyJ|secret|Bearer/)
})

test('the log has one line when closing starts to fail, and one when it works again', async () => {
  vi.useFakeTimers()
  const app = fastify()
  onTestFinished(async () => {
    await app.close()
    vi.useRealTimers()
  })
  const log: string[] = []
  const runs = [{ closed: 0, left: 2 }, new Error('it broke'), { closed: 2, left: 0 }, { closed: 0, left: 0 }]
  const closeDue = async () => {
    const run = runs.shift()
    if (run === undefined || run instanceof Error) throw run
    return run
  }
  const results: string[] = []
  const logger = createLogger('info', { write: (line) => void log.push(line) })
  closeDueRegularly(app, closeDue, { noteError: () => undefined }, logger, (result) => results.push(result))
  await app.ready()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(results).toEqual(['incomplete', 'failed', 'complete', 'complete'])
  expect(log.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, left: 2, msg: 'ended auctions cannot be closed; the service keeps trying' },
    { level: 30, msg: 'ended auctions can be closed again' },
  ])
})
