import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { clientOf, problem } from './support/client.ts'
import { jsonResponse, keySetServer } from './support/key-set-server.ts'
import { startServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { encodePart, epochSeconds, permissions, signedBy, signedToken } from './support/tokens.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const secondRsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const weakRsa = generateKeyPairSync('rsa', { modulusLength: 1024 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ed = generateKeyPairSync('ed25519')
const published = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const jwk = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid })
const keys = [
  jwk(rsa.publicKey, 'rsa'),
  jwk(ec.publicKey, 'ec'),
  jwk(ed.publicKey, 'ed'),
  jwk(secondRsa.publicKey, 'second'),
  jwk(weakRsa.publicKey, 'weak'),
  { ...jwk(other.publicKey, 'encryption'), use: 'enc' },
  { ...jwk(other.publicKey, 'operations'), key_ops: ['encrypt'] },
  { ...jwk(other.publicKey, 'bound'), alg: 'ES384' },
  jwk(published.privateKey, 'private'),
  { kty: 'oct', k: Buffer.from('s'.repeat(32)).toString('base64url'), kid: 'shared' },
]

const claims = { iss: 'issuer', permissions }
const signedWith = (key: KeyObject, header: { readonly alg: string; readonly kid?: string }, more: object = {}) =>
  signedBy(key, header, { sub: 'anna', ...claims, ...more })

test.each<[kind: string, token: () => string]>([
  ['RS256', () => signedWith(rsa.privateKey, { alg: 'RS256', kid: 'rsa' })],
  ['PS512', () => signedWith(rsa.privateKey, { alg: 'PS512', kid: 'rsa' })],
  ['ES256', () => signedWith(ec.privateKey, { alg: 'ES256', kid: 'ec' })],
  ['EdDSA', () => signedWith(ed.privateKey, { alg: 'EdDSA', kid: 'ed' })],
  ['ES256 without a key id', () => signedWith(ec.privateKey, { alg: 'ES256' })],
  ['RS256 without a key id, by the second key that fits', () => signedWith(secondRsa.privateKey, { alg: 'RS256' })],
])('a token that a key of the set signed is valid: %s', async (_kind, token) => {
  const { url, requests } = await keySetServer(jsonResponse({ keys }))
  const server = await startServer({ environment: { JWT_JWKS_URL: url, JWT_ISSUER: 'issuer' } })
  const caller = clientOf(server, token())
  expect((await caller.createAuction()).status).toBe(201)
  expect((await caller.createAuction()).status).toBe(201)
  expect(requests()).toBe(1)
})

const tooOld = { exp: epochSeconds() - 10 }

test.each<[what: string, token: () => string]>([
  ['a key that is not in the set', () => signedWith(stranger.privateKey, { alg: 'ES256', kid: 'stranger' })],
  ['a key other than the named one', () => signedWith(stranger.privateKey, { alg: 'ES256', kid: 'ec' })],
  ['an algorithm that the key does not have', () => signedWith(rsa.privateKey, { alg: 'RS256', kid: 'ec' })],
  ['no key id, if no key that fits has signed it', () => signedWith(weakRsa.privateKey, { alg: 'RS256' })],
  ['a weak key', () => signedWith(weakRsa.privateKey, { alg: 'RS256', kid: 'weak' })],
  ['an encryption key', () => signedWith(other.privateKey, { alg: 'ES256', kid: 'encryption' })],
  ['a key that is not for verification', () => signedWith(other.privateKey, { alg: 'ES256', kid: 'operations' })],
  ['a key for another algorithm', () => signedWith(other.privateKey, { alg: 'ES256', kid: 'bound' })],
  ['a private key that is in the set', () => signedWith(published.privateKey, { alg: 'EdDSA', kid: 'private' })],
  ['a shared secret in the set', () => signedToken(claims, { alg: 'HS256', kid: 'shared' }, { key: 's'.repeat(32) })],
  [
    'the public key as a shared secret',
    () => signedToken(claims, { alg: 'HS256', kid: 'rsa' }, { key: JSON.stringify(keys[0]) }),
  ],
  ['no algorithm', () => `${encodePart({ alg: 'none', kid: 'rsa' })}.${encodePart(claims)}.`],
  ['no signature', () => signedWith(ec.privateKey, { alg: 'ES256', kid: 'ec' }).replace(/[^.]*$/, '')],
  ['an algorithm that is not a string', () => `${encodePart({ alg: { a: 1 } })}.${encodePart(claims)}.AAAA`],
  ['a key id that is not a string', () => signedToken(claims, { alg: 'ES256', kid: { a: 1 } })],
  ['expiry', () => signedWith(ec.privateKey, { alg: 'ES256', kid: 'ec' }, tooOld)],
])('a token is 401 because of %s', async (_what, token) => {
  const { url, requests } = await keySetServer(jsonResponse({ keys }))
  const server = await startServer({ environment: { JWT_JWKS_URL: url, JWT_ISSUER: 'issuer' } })
  const caller = clientOf(server, token())
  const refused = await unchanged(server, () => caller.createAuction())
  expect(refused).toMatchObject(problem(401, 'unauthenticated'))
  expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", error_description="[^"\\]+"$/)
  // No token caused a fetch.
  expect(requests()).toBe(1)
})

describe('if the key id of a token does not identify one key', () => {
  /** The keys of the same kind in sets, of which the last signs. */
  const kin = Array.from({ length: 9 }, () => generateKeyPairSync('ec', { namedCurve: 'P-256' }))
  const publicKeys = kin.map(({ publicKey }) => publicKey)
  const withKid = (kid: string, ...of: readonly KeyObject[]) => of.map((key) => jwk(key, kid))
  const withoutKid = (...of: readonly KeyObject[]) => of.map((key) => key.export({ format: 'jwk' }))
  const [first, second] = kin as [(typeof kin)[0], (typeof kin)[0]]
  const named = { alg: 'ES256', kid: 'one' }
  const unnamed = { alg: 'ES256' }
  const unfit = [
    ...withKid('one', rsa.publicKey, weakRsa.publicKey),
    { ...jwk(other.publicKey, 'one'), use: 'enc' },
    { ...jwk(other.publicKey, 'one'), alg: 'ES384' },
    { kty: 'EC', kid: 'one', crv: 'P-256', x: 'AAAA', y: 'AAAA' },
  ]

  const statusOf = async (set: object, key: KeyObject, header: typeof unnamed, more: object = {}) => {
    const { url } = await keySetServer(jsonResponse(set))
    const server = await startServer({ environment: { JWT_JWKS_URL: url, JWT_ISSUER: 'issuer' } })
    const { status, body } = await clientOf(server, signedWith(key, header, more)).get('/api/Auctions')
    return { status, message: body.message }
  }

  test.each([
    ['several keys have it', withKid('one', first.publicKey, second.publicKey), named],
    ['other keys that have it do not fit', [...unfit, ...withKid('one', second.publicKey)], named],
    [
      'keys that do not fit are between those that do',
      [withKid('one', first.publicKey), unfit, withKid('one', second.publicKey)].flat(),
      named,
    ],
    ['the token has none', [...withKid('one', first.publicKey), ...withKid('two', second.publicKey)], unnamed],
    ['neither the keys nor the token have one', withoutKid(first.publicKey, second.publicKey), unnamed],
    ['only the token has one', withoutKid(first.publicKey, second.publicKey), named],
    ['only some keys have one', [...withoutKid(second.publicKey), ...withKid('two', first.publicKey)], named],
  ])('each key that fits is tried: %s', async (_what, set, header) => {
    expect(await statusOf({ keys: set }, second.privateKey, header)).toMatchObject({ status: 200 })
    const refused = await statusOf({ keys: set }, stranger.privateKey, header)
    expect(refused).toMatchObject({ status: 401, message: expect.stringMatching(/not signed with an accepted key/) })
  })

  test('a token that another of the keys has signed is refused for its claims', async () => {
    const set = { keys: withKid('one', first.publicKey, second.publicKey) }
    const refused = await statusOf(set, second.privateKey, named, { iss: 'other' })
    expect(refused).toMatchObject({ status: 401, message: expect.stringMatching(/wrong issuer/) })
  })

  test('a key with another id is not tried', async () => {
    const refused = await statusOf({ keys: withKid('two', second.publicKey) }, second.privateKey, named)
    expect(refused).toMatchObject({ status: 401 })
  })

  test('at most 8 keys are tried', async () => {
    const set = { keys: withKid('one', ...publicKeys) }
    const statuses = [7, 8].map(
      async (index) => (await statusOf(set, kin[index]?.privateKey ?? stranger.privateKey, named)).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 401])
  })
})
