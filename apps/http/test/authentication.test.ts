import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Client, clientOf, problem } from './support/client.ts'
import { exchange, requestBytes, statusesIn } from './support/raw-connection.ts'
import { serverOfFile, startServer, type TestServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { encodePart, epochSeconds, permissions, secret, signedBy, signedToken, tokenOf } from './support/tokens.ts'

const good = { sub: 'anna', permissions }

const plain = await serverOfFile()

/** Sends a refused request twice, so that both the verification and the cache refuse it. Returns the challenge. */
async function refusedTwice(server: TestServer, token: string): Promise<string> {
  const caller = clientOf(server, token)
  for (let times = 0; times < 2; times++) {
    const response = await unchanged(server, () => caller.createAuction())
    expect(response).toMatchObject(problem(401, 'unauthenticated'))
    expect(response.headers.get('www-authenticate')).toMatch(
      /^Bearer error="invalid_token", error_description="[^"\\]+"$/,
    )
    if (times === 1) return response.headers.get('www-authenticate') ?? ''
  }
  return ''
}

const [header, payload, signature] = signedToken(good).split('.') as [string, string, string]
const now = epochSeconds()

describe('§5 rule 2: with a shared secret', () => {
  test.each<[what: string, token: string, description: RegExp]>([
    ['an expired token', tokenOf('anna', { exp: now - 10 }), /expired/],
    ['a token that is not valid yet', tokenOf('anna', { nbf: now + 3_600 }), /not valid yet/],
    ['a token without a signature', `${header}.${payload}.`, /signed/],
    ['an unsigned token', `${encodePart({ alg: 'none' })}.${payload}.`, /signed/],
    ['a token of the algorithm "none" with a signature', signedToken(good, { alg: 'none' }), /signed/],
    ['a token of another algorithm', signedToken(good, { alg: 'HS512' }, { hash: 'sha512' }), /signed/],
    ['a token that names a public key algorithm', signedToken(good, { alg: 'RS256' }), /signed/],
    ['a token of another secret', signedToken(good, undefined, { key: secret.toUpperCase() }), /signed/],
    ['changed claims', `${header}.${encodePart({ ...good, sub: 'bert' })}.${signature}`, /signed/],
    ['a cut signature', `${header}.${payload}.${signature.slice(0, -4)}`, /signed/],
    ['two parts', `${header}.${payload}`, /well-formed/],
    ['four parts', `${header}.${payload}.${signature}.${signature}`, /well-formed/],
    ['padding', `${header}.${payload}==.${signature}`, /Authorization|well-formed/],
    ['garbage', 'garbage', /well-formed/],
    ['claims that are not an object', signedToken(['anna']), /well-formed/],
    ['an exp that is not a number', tokenOf('anna', { exp: 'tomorrow' }), /well-formed/],
    ['an unknown critical header', signedToken(good, { alg: 'HS256', crit: ['x'], x: 1 }), /well-formed/],
  ])('%s is 401', async (_what, token, description) => {
    expect(await refusedTwice(plain, token)).toMatch(description)
  })

  test.each([
    ['a token without exp', tokenOf('anna')],
    ['a token between nbf and exp', tokenOf('anna', { nbf: now - 1, exp: now + 3_600 })],
    ['a token of an issuer whose clock is ahead', tokenOf('anna', { iat: now + 3, nbf: now + 3, exp: now + 3_600 })],
    ['a token with a long list of claims', tokenOf('anna', { more: 'x'.repeat(8_000) })],
    ['permissions in the claim "scope"', signedToken({ sub: 'anna', scope: `openid ${permissions.join(' ')}` })],
  ])('%s is valid, several times', async (_what, token) => {
    const caller = clientOf(plain, token)
    for (let times = 0; times < 3; times++) expect((await caller.createAuction()).status).toBe(201)
  })

  test.each([
    ['5 seconds before nbf to 5 seconds after exp', {}, 5],
    ['nbf to exp, without a tolerance', { JWT_CLOCK_TOLERANCE_SECONDS: '0' }, 0],
    ['a minute before nbf to a minute after exp', { JWT_CLOCK_TOLERANCE_SECONDS: '60' }, 60],
  ])('a token is valid from %s, even if it is cached', async (_when, environment, tolerance) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const server = await startServer({ environment })
    const caller = clientOf(server, tokenOf('anna', { nbf: now + 100, exp: now + 200 }))
    const statusAt = async (seconds: number) => {
      vi.setSystemTime((now + seconds) * 1000)
      return (await caller.get('/api/Auctions')).status
    }
    expect(await statusAt(99.9 - tolerance)).toBe(401)
    expect(await statusAt(100 - tolerance)).toBe(200)
    expect(await statusAt(199.9 + tolerance)).toBe(200)
    expect(await statusAt(200.001 + tolerance)).toBe(401)
    expect(await statusAt(150)).toBe(200)
  })
})

describe('§5 rule 1: the header', () => {
  const send = (authorization: string) => async (client: Client) =>
    client.send('GET', '/api/Auctions', { headers: { authorization } })
  const token = tokenOf('anna')

  test.each([
    ['Bearer', `Bearer ${token}`, 200, null],
    ['any letter case', `bEARER ${token}`, 200, null],
    ['several spaces', `Bearer   ${token}`, 200, null],
    ['another scheme', 'Basic YW5uYTpwYXNz', 401, 'Bearer'],
    ['a token without a scheme', token, 401, 'Bearer'],
    ['a scheme with the same beginning', `Bearers ${token}`, 401, 'Bearer'],
    ['no token', 'Bearer', 401, 'invalid_token'],
    ['two tokens', `Bearer ${token} ${token}`, 401, 'invalid_token'],
    ['two tokens, with a comma', `Bearer ${token}, Bearer ${token}`, 401, 'invalid_token'],
    ['a quoted token', `Bearer "${token}"`, 401, 'invalid_token'],
  ])('with %s', async (_what, authorization, status, challenge) => {
    const response = await send(authorization)(clientOf(plain, ''))
    expect(response.status).toBe(status)
    expect(response.headers.get('www-authenticate')).toEqual(
      challenge === 'invalid_token' ? expect.stringContaining('error="invalid_token"') : challenge,
    )
  })

  test('sent twice is 401, even with valid tokens', async () => {
    const bytes = requestBytes('GET', '/api/Auctions', { connection: 'close', authorization: `Bearer ${token}` })
    const request = bytes.replace('\r\n\r\n', `\r\nAuthorization: Bearer ${tokenOf('bert')}\r\n\r\n`)
    const received = await exchange(plain.port, request)
    expect(statusesIn(received)).toEqual([401])
    expect(received).toMatch(/invalid_token/)
  })

  test('larger than 16 KiB is 431, as a problem', async () => {
    const request = requestBytes('GET', '/api/Auctions', { authorization: `Bearer ${'x'.repeat(20_000)}` })
    const received = await exchange(plain.port, request)
    expect(statusesIn(received)).toEqual([431])
    expect(received).toContain('"code":"bad-request"')
  })
})

describe('issuer and audience', async () => {
  const server = await serverOfFile({
    environment: { JWT_ISSUER: 'https://issuer.example', JWT_AUDIENCE: 'auctions' },
  })
  const right = { iss: 'https://issuer.example', aud: 'auctions' }

  test.each([
    ['no issuer', { aud: 'auctions' }],
    ['no audience', { iss: right.iss }],
    ['another issuer', { ...right, iss: 'https://issuer.example/' }],
    ['another audience', { ...right, aud: 'auctions2' }],
    ['no audience in the list', { ...right, aud: [] }],
    ['other audiences', { ...right, aud: ['one', 'two'] }],
    ['an issuer in a list', { ...right, iss: [right.iss] }],
    ['null', { iss: null, aud: null }],
  ])('a token with %s is 401', async (_what, claims) => {
    expect(await refusedTwice(server, tokenOf('anna', claims))).toMatch(/issuer or audience|well-formed/)
  })

  test.each([[right], [{ ...right, aud: ['others', 'auctions'] }]])('a token with %j is valid', async (claims) => {
    expect((await clientOf(server, tokenOf('anna', claims)).createAuction()).status).toBe(201)
  })
})

const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const p521 = generateKeyPairSync('ec', { namedCurve: 'P-521' })
const ed25519 = generateKeyPairSync('ed25519')

const signedWith = (key: KeyObject, alg: string) => signedBy(key, { alg }, good)

describe('with a public key', () => {
  test.each<[kind: string, key: KeyObject, token: () => string]>([
    ['RSA, RS256', rsa.publicKey, () => signedWith(rsa.privateKey, 'RS256')],
    ['RSA, RS512', rsa.publicKey, () => signedWith(rsa.privateKey, 'RS512')],
    ['RSA, PS384', rsa.publicKey, () => signedWith(rsa.privateKey, 'PS384')],
    ['P-256, ES256', p256.publicKey, () => signedWith(p256.privateKey, 'ES256')],
    ['P-384, ES384', p384.publicKey, () => signedWith(p384.privateKey, 'ES384')],
    ['P-521, ES512', p521.publicKey, () => signedWith(p521.privateKey, 'ES512')],
    ['Ed25519, EdDSA', ed25519.publicKey, () => signedWith(ed25519.privateKey, 'EdDSA')],
  ])('a token for %s is valid', async (_kind, key, token) => {
    const server = await startServer({ environment: { JWT_PUBLIC_KEY: pem(key) } })
    expect((await clientOf(server, token()).createAuction()).status).toBe(201)
  })

  test.each<[what: string, key: KeyObject, token: () => string]>([
    [
      'HS256 with the public key as the secret',
      rsa.publicKey,
      () => signedToken(good, undefined, { key: pem(rsa.publicKey) }),
    ],
    [
      'HS256 with the public key, trimmed',
      rsa.publicKey,
      () => signedToken(good, undefined, { key: pem(rsa.publicKey).trim() }),
    ],
    ['none', rsa.publicKey, () => `${encodePart({ alg: 'none' })}.${payload}.`],
    [
      'another key of the same kind',
      rsa.publicKey,
      () => signedWith(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, 'RS256'),
    ],
    ['another kind of key', rsa.publicKey, () => signedWith(p256.privateKey, 'ES256')],
    ['another curve', p256.publicKey, () => signedWith(p384.privateKey, 'ES384')],
  ])('%s is 401', async (_what, key, token) => {
    const server = await startServer({ environment: { JWT_PUBLIC_KEY: pem(key) } })
    expect(await refusedTwice(server, token())).toMatch(/signed/)
  })
})

describe('JWT_PERMISSION_CLAIMS', async () => {
  const server = await serverOfFile({ environment: { JWT_PERMISSION_CLAIMS: 'roles, groups' } })

  test.each([
    ['an array', { roles: permissions }, 201],
    ['a string separated by spaces', { roles: permissions.join(' ') }, 201],
    ['the second of the claims', { groups: permissions }, 201],
    ['only a default claim', { permissions }, 403],
    ['an object', { roles: { [permissions[0] ?? '']: true } }, 403],
  ])('with %s', async (_what, claims, status) => {
    expect((await clientOf(server, signedToken({ sub: 'anna', ...claims })).createAuction()).status).toBe(status)
  })
})
