import { generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLong } from '../../../tools/vitest/size.ts'
import { type ApiResponse, clientOf, problem } from './support/client.ts'
import { serverOfFile, startServer, type TestServer } from './support/server.ts'
import { encodePart, permissions, signedText, signedToken } from './support/tokens.ts'

/** A valid token except for one claim, whose JSON is given. */
const tokenWith = (claim: string, literal: string): string =>
  signedText(`{"sub":"anna","permissions":${JSON.stringify(permissions)},"${claim}":${literal}}`)

const plain = await serverOfFile()
const bound = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })

const list = (server: TestServer, token: string): Promise<ApiResponse> => clientOf(server, token).get('/api/Auctions')

describe('times', () => {
  test.each<[claim: string, literal: string, message: RegExp]>([
    ['exp', '-1e18', /expired/],
    ['exp', '-1', /expired/],
    ['exp', '0', /expired/],
    ['exp', '-1.5e300', /expired/],
    ['nbf', '9007199254740992', /not valid yet/],
    ['nbf', '8640000000001', /not valid yet/],
    ['nbf', '1e300', /not valid yet/],
    ...['exp', 'nbf'].flatMap((claim) =>
      ['1e400', '-1e400', '"1e9"', 'null', 'true', '[9999999999]', '{"a":1}', '""'].map(
        (literal): [string, string, RegExp] => [claim, literal, /well-formed/],
      ),
    ),
  ])('a token with %s %s is 401', async (claim, literal, message) => {
    const response = await list(plain, tokenWith(claim, literal))
    expect(response).toMatchObject(problem(401, 'unauthenticated'))
    expect(response.body.message).toMatch(message)
  })

  test.each([
    ['exp', '1e18'],
    ['exp', '9007199254740992'],
    ['exp', '9999999999.5'],
    ['nbf', '-1e18'],
    ['nbf', '0'],
    ['iat', '1e300'],
  ])('a token with %s %s is valid', async (claim, literal) => {
    expect((await list(plain, tokenWith(claim, literal))).status).toBe(200)
  })
})

describe('subjects', () => {
  test.each([
    '9007199254740992',
    '9007199254740993',
    '-9007199254740992',
    '1e300',
    '1e400',
    '1.5',
    'true',
    '["anna"]',
    '{"id":1}',
  ])('a token with the subject %s is 401', async (literal) => {
    const response = await list(plain, tokenWith('sub', literal))
    expect(response).toMatchObject(problem(401, 'unauthenticated'))
    expect(response.body.message).toMatch(/subject/)
  })

  test.each([
    ['9007199254740993', 'uid', '9007199254740993'],
    ['1e300', 'uid', '1e300'],
    ['1.5', 'uid', '1.5'],
    ['9007199254740993', '/app/uid', '{"uid":9007199254740993}'],
  ])('a token with %s in JWT_SUBJECT_CLAIM %s is 401', async (_number, claim, literal) => {
    const server = claim === 'uid' ? bound : await startServer({ environment: { JWT_SUBJECT_CLAIM: claim } })
    const response = await list(server, tokenWith(claim === 'uid' ? 'uid' : 'app', literal))
    expect(response).toMatchObject(problem(401, 'unauthenticated'))
    expect(response.body.message).toMatch(/subject/)
  })

  test.each(['1', '9007199254740992', '["issuer"]', '{"a":1}'])(
    'an issuer that is not a string is 401: %s',
    async (literal) => {
      expect(await list(plain, tokenWith('iss', literal))).toMatchObject(problem(401, 'unauthenticated'))
    },
  )

  test.each([
    ['a number and the same number as a string', '1000', '"1000"', 0],
    ['two spellings of a number', '1000', '1e3', 0],
    ['the largest integers', '9007199254740991', '9007199254740990', 1],
    ['two strings', '"9007199254740992"', '"9007199254740993"', 1],
  ])('%s have the expected limits', async (_what, first, second, remaining) => {
    const server = await startServer({ environment: { RATE_LIMIT_MAX: '2' } })
    await list(server, tokenWith('sub', first))
    const response = await list(server, tokenWith('sub', second))
    expect(response.headers.get('ratelimit')).toContain(`r=${remaining}`)
  })

  const withoutSubject = { permissions, jti: 'one' }
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicPem = ec.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const signedPart = `${encodePart({ alg: 'ES256' })}.${encodePart(withoutSubject)}`
  const signature = sign('sha256', Buffer.from(signedPart), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' })

  test.each<[what: string, environment: Record<string, string>, token: string]>([
    ['HS256', {}, signedToken(withoutSubject)],
    ['ES256', { JWT_PUBLIC_KEY: publicPem }, `${signedPart}.${signature.toString('base64url')}`],
  ])('a %s token without a subject has one limit for all spellings of its signature', async (_alg, more, token) => {
    const server = await startServer({
      environment: { RATE_LIMIT_MAX: '1000', RATE_LIMIT_WINDOW_SECONDS: '1000000', ...more },
    })
    const responses = await Promise.all(spellings(token).map((spelling) => list(server, spelling)))
    const admitted = responses.filter(({ status }) => status === 200)
    const left = admitted.map(({ headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]))
    expect(admitted.length).toBeGreaterThan(1)
    expect(Math.min(...left)).toBe(1_000 - admitted.length)
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 401]))
  })

  test('an ES256 token without a subject has one limit for both of its signatures', async () => {
    const server = await startServer({ environment: { RATE_LIMIT_MAX: '2', JWT_PUBLIC_KEY: publicPem } })
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
    const s = BigInt(`0x${signature.subarray(32).toString('hex')}`)
    const other = Buffer.concat([
      signature.subarray(0, 32),
      Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex'),
    ])
    const statuses: number[] = []
    for (const either of [signature, other, signature, other]) {
      statuses.push((await list(server, `${signedPart}.${either.toString('base64url')}`)).status)
    }
    expect(statuses).toEqual([200, 200, 429, 429])
  })
})

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** A token with every possible last character, whose spare bits are not part of the signature. */
const spellings = (token: string): readonly string[] => [...alphabet].map((last) => token.slice(0, -1) + last)

const numberLiteral = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map(String),
  fc.constantFrom('1e400', '-1e400', '9007199254740993', '-1e18', '8640000000000.001', '1e-400', '-0'),
)
const literal = fc.oneof(
  numberLiteral,
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.integer({ min: 1, max: 5_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
)
const claims = fc.dictionary(
  fc.constantFrom('exp', 'nbf', 'iat', 'sub', 'iss', 'aud', 'uid', 'permissions', 'scope', 'jti', '__proto__'),
  literal,
  { noNullPrototype: true },
)
const header = fc.dictionary(
  fc.constantFrom('typ', 'kid', 'crit', 'cty', 'b64', 'x5c', 'jwk', '__proto__'),
  fc.jsonValue(),
  { noNullPrototype: true },
)

test('no signed token gets a 500', async () => {
  const more = { JWT_ISSUER: 'issuer', JWT_AUDIENCE: 'auctions' }
  const limits = { RATE_LIMIT_MAX: '1000000', RATE_LIMIT_ANONYMOUS_MAX: '1000000' }
  const strict = await startServer({ environment: { ...limits, ...more } })
  await fc.assert(
    fc.asyncProperty(claims, header, async (written, headers) => {
      const payload = Object.entries(written).map(([name, value]) => `${JSON.stringify(name)}:${value}`)
      const token = signedText(`{${payload.join(',')}}`, { ...headers, alg: 'HS256' })
      // Node reads headers of up to 16 KiB.
      fc.pre(token.length < 15_000)
      for (const server of [strict, bound]) {
        const read = await list(server, token)
        expect([200, 401]).toContain(read.status)
        const created = await clientOf(server, token).createAuction()
        expect(read.status === 401 ? [401] : [201, 403]).toContain(created.status)
      }
    }),
    { numRuns: isLong ? 300 : 30 },
  )
})
