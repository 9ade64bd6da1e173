import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { clientOf } from './support/client.ts'
import { jsonResponse, keySetServer } from './support/key-set-server.ts'
import { startServer } from './support/server.ts'
import { epochSeconds, signedBy } from './support/tokens.ts'

// Access tokens and key sets of common providers, as in their documentation, with the claims that matter or look unusual.
// docs/how-to/connect-an-identity-provider.md has these settings.
type Provider = {
  readonly name: string
  /** The settings of the page, without the key set. */
  readonly settings: Readonly<Record<string, string>>
  readonly header?: object
  /** The claims of a seller's token; `granted` are its permissions. */
  readonly claims: (granted: readonly string[]) => object
  readonly keyMembers?: object
  /** The seller's permission, if the provider has its own names. */
  readonly selling?: string
}

const now = epochSeconds()
const lifetime = { iat: now, exp: now + 600 }

const providers: readonly Provider[] = [
  {
    name: 'Keycloak',
    settings: {
      JWT_ISSUER: 'https://id.example.com/realms/shop',
      JWT_AUDIENCE: 'auctions',
      JWT_PERMISSION_CLAIMS: '/resource_access/auctions/roles',
    },
    claims: (granted) => ({
      ...lifetime,
      iss: 'https://id.example.com/realms/shop',
      aud: ['auctions', 'account'],
      sub: '36fa0f91-f94d-4a0c-afed-6b7d952e47da',
      typ: 'Bearer',
      realm_access: { roles: ['offline_access', 'default-roles-shop', 'uma_authorization'] },
      resource_access: { auctions: { roles: granted }, account: { roles: ['manage-account', 'view-profile'] } },
      scope: 'email profile',
    }),
    keyMembers: { alg: 'RS256', use: 'sig', x5c: ['MIIClzCCAX8CBgGF'], x5t: 'y5Wg' },
  },
  {
    name: 'Auth0',
    settings: { JWT_ISSUER: 'https://shop.eu.auth0.com/', JWT_AUDIENCE: 'https://auctions.example.com' },
    claims: (granted) => ({
      ...lifetime,
      iss: 'https://shop.eu.auth0.com/',
      sub: 'auth0|5f7c8ec7c33c6c004bbafe82',
      aud: ['https://auctions.example.com', 'https://shop.eu.auth0.com/userinfo'],
      scope: 'openid profile',
      permissions: granted,
    }),
    header: { typ: 'at+jwt' },
    keyMembers: { alg: 'RS256', use: 'sig', x5c: ['MIIDBzCCAe'], x5t: 'NjVB' },
  },
  {
    name: 'Microsoft Entra ID',
    settings: {
      JWT_ISSUER: 'https://login.microsoftonline.com/aaaabbbb-0000-cccc-1111-dddd2222eeee/v2.0',
      JWT_AUDIENCE: '00001111-aaaa-2222-bbbb-3333cccc4444',
      JWT_PERMISSION_CLAIMS: 'roles,scp',
    },
    claims: (granted) => ({
      ...lifetime,
      aud: '00001111-aaaa-2222-bbbb-3333cccc4444',
      iss: 'https://login.microsoftonline.com/aaaabbbb-0000-cccc-1111-dddd2222eeee/v2.0',
      nbf: now,
      roles: granted,
      scp: 'access_as_user',
      sub: 'HKZpfaHyWadeOouYlitjrI-KffTm222X5rrV3xDqfKQ',
    }),
    keyMembers: {
      use: 'sig',
      x5t: 'kWk',
      x5c: ['MIIDYDCCAkig'],
      issuer: 'https://login.microsoftonline.com/{tenantid}',
    },
  },
  {
    name: 'Okta',
    settings: {
      JWT_ISSUER: 'https://shop.okta.com/oauth2/default',
      JWT_AUDIENCE: 'api://auctions',
      JWT_PERMISSION_CLAIMS: 'scp',
    },
    claims: (granted) => ({
      ...lifetime,
      ver: 1,
      iss: 'https://shop.okta.com/oauth2/default',
      aud: 'api://auctions',
      scp: ['openid', ...granted],
      sub: 'anna@shop.example.com',
    }),
    keyMembers: { alg: 'RS256', use: 'sig' },
  },
  {
    name: 'Amazon Cognito',
    settings: {
      JWT_ISSUER: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_EXAMPLE',
      JWT_PERMISSION_CLAIMS: 'scope',
      PERMISSIONS_AUCTIONS_CREATE: 'auctions/create',
      PERMISSIONS_BIDS_CREATE: 'auctions/bid',
      PERMISSIONS_AUCTIONS_CANCEL: 'auctions/cancel',
      PERMISSIONS_AUCTIONS_RESERVE_READ: 'auctions/read-reserves',
    },
    selling: 'auctions/create',
    claims: (granted) => ({
      ...lifetime,
      sub: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
      'cognito:groups': ['sellers'],
      iss: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_EXAMPLE',
      scope: ['openid', ...granted].join(' '),
    }),
    keyMembers: { alg: 'RS256', use: 'sig' },
  },
  {
    name: 'ZITADEL',
    settings: { JWT_ISSUER: 'https://shop.zitadel.cloud', JWT_AUDIENCE: '165461784703828225' },
    claims: (granted) => ({
      ...lifetime,
      nbf: now,
      iss: 'https://shop.zitadel.cloud',
      aud: ['165461784703893761@auctions', '165461784703828225'],
      sub: '164096268416778497',
      'urn:zitadel:iam:org:project:roles': { seller: { '164096268416712961': 'shop.zitadel.cloud' } },
      permissions: granted,
    }),
    keyMembers: { alg: 'RS256', use: 'sig' },
  },
]

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const encryption = generateKeyPairSync('rsa', { modulusLength: 2048 })
const page = readFileSync(new URL('../../../docs/how-to/connect-an-identity-provider.md', import.meta.url), 'utf8')

describe.each(providers)('$name', ({ name, settings, header, claims, keyMembers, selling }) => {
  const sellers = selling ?? 'auction-service:Auctions:Create'

  const tokenWith = (all: object) => signedBy(privateKey, { alg: 'RS256', kid: 'signing', ...header }, all)

  test('tokens are verified, and grant the permissions that they have', async () => {
    const keys = [
      // Keycloak's set also has such a key.
      { ...encryption.publicKey.export({ format: 'jwk' }), kid: 'encryption', alg: 'RSA-OAEP', use: 'enc' },
      { ...publicKey.export({ format: 'jwk' }), kid: 'signing', ...keyMembers },
    ]
    const { url } = await keySetServer(jsonResponse({ keys }))
    const server = await startServer({ environment: { JWT_JWKS_URL: url, ...settings } })
    const creationBy = async (all: object) => (await clientOf(server, tokenWith(all)).createAuction()).status

    const seller = clientOf(server, tokenWith(claims([sellers])))
    expect((await seller.createAuction()).status).toBe(201)
    expect((await seller.placeBid()).status).toBe(403)
    expect((await seller.get('/api/Auctions/1')).status).toBe(200)

    expect(await creationBy(claims([]))).toBe(403)
    const { iss } = claims([]) as { readonly iss: string }
    expect(await creationBy({ ...claims([sellers]), iss: `${iss}x` })).toBe(401)
    expect(await creationBy({ ...claims([sellers]), aud: 'other-service' })).toBe(
      'JWT_AUDIENCE' in settings ? 401 : 201,
    )
  })

  test('the page has these settings', () => {
    const [section = ''] = page.split(/^## /m).filter((text) => text.startsWith(`${name}\n`))
    const [, given = ''] = /```sh\n([\s\S]*?)```/.exec(section) ?? []
    const lines = [...given.matchAll(/^(?:export )?(\w+)='?([^'\n]*)'?$/gm)].map(([, key, value]) => [key, value])
    const { JWT_JWKS_URL, ...others } = Object.fromEntries(lines)
    expect(others).toEqual(settings)
    expect(JWT_JWKS_URL).toMatch(/^https:\/\//)
  })
})
