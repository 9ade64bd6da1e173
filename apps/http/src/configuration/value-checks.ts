import { claimPath } from '@auction/adapters/jwt'
import { isInvalidValue } from '@auction/domain/invalid-value'
import * as v from 'valibot'
import { parsePublicKey } from './public-key.ts'
import { demands } from './setting.ts'
import { hopsRule, parseTrustedProxies } from './trusted-proxies.ts'

// What the value of a setting must be. A fault says `must be …`, and so does the reference.

export function text(values: string) {
  const rule = `must be ${values}`
  return v.pipe(v.string(rule), v.nonEmpty(rule), demands(values))
}

/** An integer: digits in the environment, digits or a number in the file. */
export function integer(least: number, most: number) {
  const values = `an integer from ${least} to ${most}`
  const rule = `must be ${values}`
  const digits = v.pipe(v.string(), v.regex(/^(0|[1-9]\d*)$/), v.transform(Number))
  const either = v.union([v.number(), digits], rule)
  return v.pipe(either, v.integer(rule), v.minValue(least, rule), v.maxValue(most, rule), demands(values))
}

export function oneOf<const TOptions extends readonly string[]>(options: TOptions) {
  const values = `one of ${options.join(', ')}`
  return v.pipe(v.picklist(options, `must be ${values}`), demands(values))
}

const scopeValues = 'one word of visible ASCII without " and \\ (a scope token, RFC 6749 section 3.3)'
const scopeRule = `must be ${scopeValues}`
export const scopeToken = v.pipe(
  v.string(scopeRule),
  v.regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, scopeRule),
  demands(scopeValues),
)

const mongodbValues = 'a URI that begins with mongodb:// or mongodb+srv://'
const mongodbRule = `must be ${mongodbValues}`
export const mongodbUri = v.pipe(
  v.string(mongodbRule),
  v.regex(/^mongodb(\+srv)?:\/\/./, mongodbRule),
  demands(mongodbValues),
)

const postgresqlValues = 'a URI that begins with postgresql:// or postgres://'
const postgresqlRule = `must be ${postgresqlValues}`
export const postgresqlUri = v.pipe(
  v.string(postgresqlRule),
  v.regex(/^postgres(ql)?:\/\/./, postgresqlRule),
  demands(postgresqlValues),
)

const fileValues = 'the path of a file'
const fileRule = `must be ${fileValues}`
export const sqliteFile = v.pipe(
  v.string(fileRule),
  v.nonEmpty(fileRule),
  v.check((value) => value !== ':memory:', `${fileRule}; STORE=memory keeps everything in memory`),
  // SQLite would take some of these for a path, and others for options.
  v.check((value) => !/^(file:|[a-z][a-z0-9+.-]*:\/\/)/i.test(value), `${fileRule}, and not a URL`),
  v.check((value) => !value.includes('\0') && !/[/\\]$/.test(value), fileRule),
  demands(fileValues),
)

export const memoryStore = v.pipe(
  v.literal('memory', 'must be memory; MONGODB_URI, POSTGRESQL_URI and SQLITE_FILE choose the other stores'),
  demands('memory'),
)

/** Whether a text is one pattern that is written at least twice, the last time perhaps in part. */
const repeatsItself = (text: string): boolean => {
  for (let period = 1; period <= text.length / 2; period++) if (text.startsWith(text.slice(period))) return true
  return false
}

const leastCharacters = 6
const weakRule = `must be random: it repeats itself, or has fewer than ${leastCharacters} different characters; for example of "openssl rand -base64 32"`

/** Whether a text is a JSON object or array, as a JWK and a key set are. */
function isJsonOfKeys(text: string): boolean {
  try {
    return typeof JSON.parse(text.trim()) === 'object'
  } catch {
    return false
  }
}

const secretRule = 'must have 32 bytes at least (RFC 7518 section 3.2)'
export const secret = v.pipe(
  v.string(secretRule),
  v.check((value) => Buffer.byteLength(value) >= 32, secretRule),
  // Whoever knows a public key could sign tokens with it, were it taken for a secret.
  v.check((value) => !value.includes('-----BEGIN'), 'must not be a key in PEM; a public key belongs in JWT_PUBLIC_KEY'),
  v.check((value) => !isJsonOfKeys(value), 'must not be a key in JSON (JWK); give the secret itself'),
  v.check((value) => !repeatsItself(value) && new Set(value).size >= leastCharacters, weakRule),
  demands('random, of 32 bytes at least (RFC 7518 section 3.2)'),
)

export const publicKey = v.pipe(
  v.string('must be a public key in PEM'),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const reading = parsePublicKey(dataset.value)
    if (reading.ok) return reading.value
    addIssue({ message: reading.fault })
    return NEVER
  }),
  demands('a public key or a certificate in PEM'),
)

const urlValues = 'a URL that begins with http:// or https://'
const urlRule = `must be ${urlValues}`
export const httpUrl = v.pipe(
  v.string(urlRule),
  v.regex(/^https?:\/\//, urlRule),
  v.check((value) => URL.canParse(value), urlRule),
  v.transform((value) => new URL(value)),
  // It is fetched with Node's fetch, which takes none.
  v.check(({ username, password }) => username === '' && password === '', 'must not hold a user name and a password'),
  demands(urlValues),
)

const claimsValues = 'claims, separated by commas, each by its name or by a JSON Pointer such as /realm_access/roles'
const claimsRule = `must be ${claimsValues}`
function isClaim(name: string): boolean {
  try {
    return name !== '' && claimPath(name).length > 0
  } catch (error) {
    if (isInvalidValue(error)) return false
    throw error
  }
}

export const claimNames = v.pipe(
  v.string(claimsRule),
  v.transform((names): readonly string[] => names.split(',').map((name) => name.trim())),
  v.check((names) => names.every(isClaim), claimsRule),
  demands(claimsValues),
)

const originsValues =
  'origins such as https://shop.example, separated by commas, with no path and no slash at the end; or * for all'
const originsRule = `must be ${originsValues}`
const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text
export const origins = v.pipe(
  v.string(originsRule),
  v.transform((names): readonly string[] => names.split(',').map((name) => name.trim())),
  v.check((names) => names.every((name) => name === '*' || isOrigin(name)), originsRule),
  demands(originsValues),
)

const redisValues = 'a URL that begins with redis:// or rediss://'
const redisRule = `must be ${redisValues}`
export const redisUrl = v.pipe(
  v.string(redisRule),
  v.regex(/^rediss?:\/\/./, redisRule),
  v.check((value) => URL.canParse(value), redisRule),
  v.transform((value) => new URL(value)),
  v.check(({ hostname }) => hostname !== '', redisRule),
  v.check(({ pathname }) => /^\/?\d*$/.test(pathname), 'must name its database by a number, as in redis://host:6379/1'),
  v.check(({ search }) => search === '', 'must not hold options'),
  demands(redisValues),
)

export const trustProxy = v.pipe(
  // In the file, hops may be a number.
  v.union([v.string(), v.number()], hopsRule),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const reading = parseTrustedProxies(String(dataset.value))
    if (reading.ok) return reading.value
    addIssue({ message: reading.fault })
    return NEVER
  }),
  demands('addresses and networks (CIDR), separated by commas, or a number of hops'),
)
