import { constants, createHmac, type KeyObject, sign } from 'node:crypto'

export const secret = 'a secret that only the tests know, of 32 bytes and more'

/** The permissions to change something, by their default values. */
export const permissions = [
  'auction-service:Auctions:Create',
  'auction-service:Bids:Create',
  'auction-service:Auctions:Cancel',
]

/** The permissions of staff to change auctions of others, which callers of the tests lack by default. */
export const forcing = 'auction-service:Auctions:Cancel:Any'
export const correcting = 'auction-service:Auctions:Update:Any'

/** The permission of staff to repair running auctions, which callers of the tests lack by default. */
export const managing = 'auction-service:Auctions:Manage'
/** What staff need for registers of bidders. */
export const registering = ['auction-service:Registers:Manage', 'auction-service:Registers:Read']

/** What staff need for sales. */
export const saleManaging = 'auction-service:Sales:Manage'

/** The permission of owners to correct their auctions, which callers of the tests lack by default. */
export const correctingOwn = 'auction-service:Auctions:Update'

/** The permission to read reserves, which callers of the tests lack by default. */
export const reserveReader = 'auction-service:Auctions:Reserve:Read'

/** The permission to read the ids of bidders, which callers of the tests lack by default. */
export const bidderReader = 'auction-service:Bidders:Read'

export const encodePart = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/** A token signed with HMAC (RFC 7515), whatever its header says. */
export function signedToken(
  claims: object,
  header: object = { alg: 'HS256', typ: 'JWT' },
  { key = secret, hash = 'sha256' } = {},
): string {
  return signedText(JSON.stringify(claims), header, { key, hash })
}

/** A token with this exact payload text, for claims that `JSON.stringify` cannot write, such as 1e400. */
export function signedText(
  payload: string,
  header: object = { alg: 'HS256', typ: 'JWT' },
  { key = secret, hash = 'sha256' } = {},
): string {
  const signed = `${encodePart(header)}.${Buffer.from(payload).toString('base64url')}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}

/** A token signed with a private key by the algorithm in its header: RS, PS, ES or EdDSA (RFC 7518, RFC 8037). */
export function signedBy(
  key: KeyObject,
  header: { readonly alg: string; readonly kid?: string },
  claims: object,
): string {
  const { alg } = header
  const signed = `${encodePart(header)}.${encodePart(claims)}`
  const hash = alg === 'EdDSA' ? undefined : `sha${alg.slice(2)}`
  const padding = alg.startsWith('PS') ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING
  const saltLength = constants.RSA_PSS_SALTLEN_DIGEST
  const options = key.asymmetricKeyType?.startsWith('rsa')
    ? { padding, saltLength }
    : { dsaEncoding: 'ieee-p1363' as const }
  return `${signed}.${sign(hash, Buffer.from(signed), { key, ...options }).toString('base64url')}`
}

/** A valid token of a subject, by default with the permissions to change something. */
export const tokenOf = (sub: string, claims: object = {}): string => signedToken({ sub, permissions, ...claims })

/** The headers of a request with a body of JSON. */
export const jsonHeaders = { authorization: `Bearer ${tokenOf('anna')}`, 'content-type': 'application/json' }

export const webhookSecret = `whsec_${Buffer.from('a key of the tests, of 32 bytes.').toString('base64')}`

/** The current time in seconds, as in `exp` and `nbf`. */
export const epochSeconds = (): number => Math.floor(Date.now() / 1000)
