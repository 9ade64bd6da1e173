import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { SignJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { clientOf, problem } from './support/client.ts'
import { startServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { encodePart, epochSeconds, permissions, signedToken } from './support/tokens.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const weakRsa = generateKeyPairSync('rsa', { modulusLength: 1024 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ed = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const jwk = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid })
const keys = [
  jwk(rsa.publicKey, 'rsa'),
  jwk(ec.publicKey, 'ec'),
  jwk(ed.publicKey, 'ed'),
  jwk(weakRsa.publicKey, 'weak'),
  { kty: 'oct', k: Buffer.from('s'.repeat(32)).toString('base64url'), kid: 'shared' },
]

type KeySetServer = { readonly url: string; readonly server: Server; readonly requests: () => number }

/** A server that answers with a key set, or with whatever else it is told. */
async function keySetServer(body: () => string = () => JSON.stringify({ keys }), status = 200): Promise<KeySetServer> {
  let requests = 0
  const server = createServer((_request, response) => {
    requests += 1
    response.writeHead(status, { 'content-type': 'application/json' }).end(body())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return { url: `http://127.0.0.1:${address.port}/jwks`, server, requests: () => requests }
}

const claims = { iss: 'issuer', permissions }
const signedWith = (key: KeyObject, header: { readonly alg: string; readonly kid?: string }, more: object = {}) =>
  new SignJWT({ sub: 'anna', ...claims, ...more }).setProtectedHeader(header).sign(key)

test.each<[kind: string, token: () => Promise<string>]>([
  ['RS256', () => signedWith(rsa.privateKey, { alg: 'RS256', kid: 'rsa' })],
  ['PS512', () => signedWith(rsa.privateKey, { alg: 'PS512', kid: 'rsa' })],
  ['ES256', () => signedWith(ec.privateKey, { alg: 'ES256', kid: 'ec' })],
  ['EdDSA', () => signedWith(ed.privateKey, { alg: 'EdDSA', kid: 'ed' })],
  ['ES256 of the only key that fits, which it does not name', () => signedWith(ec.privateKey, { alg: 'ES256' })],
])('a token of a key in the set is good: %s', async (_kind, token) => {
  const { url, requests } = await keySetServer()
  const server = await startServer({ environment: { JWT_JWKS_URL: url, JWT_ISSUER: 'issuer' } })
  const caller = clientOf(server, await token())
  expect((await caller.createAuction()).status).toBe(201)
  expect((await caller.createAuction()).status).toBe(201)
  expect(requests()).toBe(1)
})

const tooOld = { exp: epochSeconds() - 10 }

test.each<[what: string, token: () => string | Promise<string>]>([
  ['a key that is not in the set', () => signedWith(stranger.privateKey, { alg: 'ES256', kid: 'stranger' })],
  ['another key than the one it names', () => signedWith(stranger.privateKey, { alg: 'ES256', kid: 'ec' })],
  ['another algorithm than the key has', () => signedWith(rsa.privateKey, { alg: 'RS256', kid: 'ec' })],
  ['several keys that fit, without naming one', () => signedWith(rsa.privateKey, { alg: 'RS256' })],
  ['a shared secret in the set', () => signedToken(claims, { alg: 'HS256', kid: 'shared' }, { key: 's'.repeat(32) })],
  [
    'the public key as a shared secret',
    () => signedToken(claims, { alg: 'HS256', kid: 'rsa' }, { key: JSON.stringify(keys[0]) }),
  ],
  ['no algorithm', () => `${encodePart({ alg: 'none', kid: 'rsa' })}.${encodePart(claims)}.`],
  ['no signature', async () => (await signedWith(ec.privateKey, { alg: 'ES256', kid: 'ec' })).replace(/[^.]*$/, '')],
  ['an algorithm that is no text', () => `${encodePart({ alg: { a: 1 } })}.${encodePart(claims)}.AAAA`],
  ['a key name that is no text', () => signedToken(claims, { alg: 'ES256', kid: { a: 1 } })],
  ['no token at all', () => 'garbage'],
  ['another issuer', () => signedWith(ec.privateKey, { alg: 'ES256', kid: 'ec' }, { iss: 'other' })],
  ['the past', () => signedWith(ec.privateKey, { alg: 'ES256', kid: 'ec' }, tooOld)],
])('a token of %s is 401', async (_what, token) => {
  const { url } = await keySetServer()
  const server = await startServer({ environment: { JWT_JWKS_URL: url, JWT_ISSUER: 'issuer' } })
  const caller = clientOf(server, await token())
  const refused = await unchanged(server, () => caller.createAuction())
  expect(refused).toMatchObject(problem(401, 'unauthenticated'))
  expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", error_description="[^"\\]+"$/)
})

test('a token without the expected issuer is 401', async () => {
  const { url } = await keySetServer()
  const server = await startServer({ environment: { JWT_JWKS_URL: url, JWT_ISSUER: 'issuer' } })
  const token = await signedWith(ec.privateKey, { alg: 'ES256', kid: 'ec' }, { iss: undefined })
  expect((await clientOf(server, token).createAuction()).status).toBe(401)
})

test.each<[what: string, keySet: () => Promise<KeySetServer>]>([
  ['answers with an error', () => keySetServer(() => '{}', 503)],
  ['answers with no JSON', () => keySetServer(() => '<html>')],
  ['answers with no key set', () => keySetServer(() => '{"keys":1}')],
  [
    'does not answer',
    async () => {
      const keySet = await keySetServer()
      keySet.server.close()
      await once(keySet.server, 'close')
      return keySet
    },
  ],
])('a key set that %s is 500, with its cause in the log only', async (_what, keySet) => {
  const { url } = await keySet()
  const server = await startServer({ environment: { JWT_JWKS_URL: url } })
  const token = await signedWith(ec.privateKey, { alg: 'ES256', kid: 'ec' })
  const failed = await unchanged(server, () => clientOf(server, token).createAuction())
  expect(failed).toMatchObject(problem(500, 'internal'))
  expect(failed.text).not.toMatch(/key set|jwks|fetch/i)
  expect(server.log.find((line) => line.includes('"level":50'))).toContain(failed.body.requestId)
})

test('a key that the set gets later is found once it is asked for again', async () => {
  let published = [jwk(ec.publicKey, 'ec')]
  const { url } = await keySetServer(() => JSON.stringify({ keys: published }))
  const server = await startServer({ environment: { JWT_JWKS_URL: url } })
  expect(
    (await clientOf(server, await signedWith(ec.privateKey, { alg: 'ES256', kid: 'ec' })).createAuction()).status,
  ).toBe(201)
  published = [...published, jwk(stranger.publicKey, 'new')]
  // The set is not asked for again within half a minute, so that made-up key names make nobody ask for it all the time.
  const early = clientOf(server, await signedWith(stranger.privateKey, { alg: 'ES256', kid: 'new' }))
  expect((await early.createAuction()).status).toBe(401)
  const another = await startServer({ environment: { JWT_JWKS_URL: url } })
  expect(
    (await clientOf(another, await signedWith(stranger.privateKey, { alg: 'ES256', kid: 'new' })).createAuction())
      .status,
  ).toBe(201)
})
