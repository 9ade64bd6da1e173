import * as v from 'valibot'
import { parsePublicKey } from './public-key.ts'

const text = (rule: string) => v.pipe(v.string(rule), v.nonEmpty(rule))

/** An integer: digits in the environment, digits or a number in the file. */
function integer(least: number, most: number) {
  const rule = `must be an integer from ${least} to ${most}`
  const digits = v.pipe(v.string(), v.regex(/^(0|[1-9]\d*)$/), v.transform(Number))
  return v.pipe(v.union([v.number(), digits], rule), v.integer(rule), v.minValue(least, rule), v.maxValue(most, rule))
}

const scopeRule = 'must be one word of visible ASCII without " and \\ (a scope token, RFC 6749 section 3.3)'
const scopeToken = v.pipe(v.string(scopeRule), v.regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, scopeRule))

const mongodbRule = 'must be a URI that begins with mongodb:// or mongodb+srv://'

const fileRule = 'must be the path of a file'
const sqliteFile = v.pipe(
  v.string(fileRule),
  v.nonEmpty(fileRule),
  v.check((value) => value !== ':memory:', `${fileRule}; STORE=memory keeps everything in memory`),
  // SQLite would take some of these for a path, and others for options.
  v.check((value) => !/^(file:|[a-z][a-z0-9+.-]*:\/\/)/i.test(value), `${fileRule}, and not a URL`),
  v.check((value) => !value.includes('\0') && !/[/\\]$/.test(value), fileRule),
)

/** Whether a text is one pattern that is written at least twice, the last time perhaps in part. */
const repeatsItself = (text: string): boolean => {
  for (let period = 1; period <= text.length / 2; period++) if (text.startsWith(text.slice(period))) return true
  return false
}

const leastCharacters = 6
const weakRule = `must be random: it repeats itself, or has fewer than ${leastCharacters} different characters; for example of "openssl rand -base64 32"`

const secretRule = 'must have 32 bytes at least (RFC 7518 section 3.2)'
const secret = v.pipe(
  v.string(secretRule),
  v.check((value) => Buffer.byteLength(value) >= 32, secretRule),
  // Whoever knows a public key could sign tokens with it, were it taken for a secret.
  v.check((value) => !value.includes('-----BEGIN'), 'must not be a key in PEM; a public key belongs in JWT_PUBLIC_KEY'),
  v.check((value) => !repeatsItself(value) && new Set(value).size >= leastCharacters, weakRule),
)

const publicKey = v.pipe(
  v.string('must be a public key in PEM'),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const reading = parsePublicKey(dataset.value)
    if (reading.ok) return reading.value
    addIssue({ message: reading.fault })
    return NEVER
  }),
)

const urlRule = 'must be a URL that begins with http:// or https://'
const httpUrl = v.pipe(
  v.string(urlRule),
  v.regex(/^https?:\/\//, urlRule),
  v.check((value) => URL.canParse(value), urlRule),
  v.transform((value) => new URL(value)),
  // It is fetched with Node's fetch, which takes none.
  v.check(({ username, password }) => username === '' && password === '', 'must not hold a user name and a password'),
)

const claimsRule = 'must be names of claims, separated by commas'
const claimNames = v.pipe(
  v.string(claimsRule),
  v.transform((names): readonly string[] => names.split(',').map((name) => name.trim())),
  v.check((names) => names.every((name) => name !== ''), claimsRule),
)

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Every setting, named as its environment variable, with what its value must be. None of them has to be given. */
export const settings = v.partial(
  v.object({
    HOST: text('must be a host name or an IP address'),
    PORT: integer(0, 65_535),
    ADMIN_HOST: text('must be a host name or an IP address'),
    ADMIN_PORT: integer(0, 65_535),
    MONGODB_URI: v.pipe(v.string(mongodbRule), v.regex(/^mongodb(\+srv)?:\/\/./, mongodbRule)),
    SQLITE_FILE: sqliteFile,
    STORE: v.literal('memory', 'must be memory; MONGODB_URI and SQLITE_FILE choose the other stores'),
    JWT_SECRET: secret,
    JWT_PUBLIC_KEY: publicKey,
    JWT_JWKS_URL: httpUrl,
    JWT_JWKS_MAX_STALE_SECONDS: integer(0, 86_400),
    JWT_ISSUER: text('must be the issuer that tokens name'),
    JWT_AUDIENCE: text('must be the audience that tokens name'),
    JWT_PERMISSION_CLAIMS: claimNames,
    JWT_SUBJECT_CLAIM: text('must be the name of a claim'),
    SERVICE_NAME: scopeToken,
    PERMISSIONS_AUCTIONS_CREATE: scopeToken,
    PERMISSIONS_BIDS_CREATE: scopeToken,
    PERMISSIONS_AUCTIONS_READ: scopeToken,
    PERMISSIONS_BIDS_READ: scopeToken,
    RATE_LIMIT_MAX: integer(1, 1_000_000_000),
    RATE_LIMIT_WINDOW_SECONDS: integer(1, 1_000_000),
    REQUEST_TIMEOUT_SECONDS: integer(1, 3_600),
    IDLE_TIMEOUT_SECONDS: integer(2, 3_600),
    MAX_CONNECTIONS: integer(1, 1_000_000),
    MAX_UNREAD_BYTES_PER_CALLER: integer(1, 2 ** 40),
    MAX_UNREAD_BYTES: integer(1, 2 ** 40),
    CLOCK_SKEW_SECONDS: integer(0, 3_600),
    REQUEST_DEADLINE_SECONDS: integer(1, 600),
    LOG_LEVEL: v.picklist(logLevels, `must be one of ${logLevels.join(', ')}`),
  }),
)
export type Settings = v.InferOutput<typeof settings>
export type SettingName = keyof Settings

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settings.entries, name)

/** Of which one at most is given. */
export const storeSettings = ['MONGODB_URI', 'SQLITE_FILE', 'STORE'] as const satisfies readonly SettingName[]

/** What the file's section `Permissions` calls its settings. */
export const permissionSettings = new Map<string, SettingName>([
  ['Auctions.Create', 'PERMISSIONS_AUCTIONS_CREATE'],
  ['Bids.Create', 'PERMISSIONS_BIDS_CREATE'],
  ['Auctions.Read', 'PERMISSIONS_AUCTIONS_READ'],
  ['Bids.Read', 'PERMISSIONS_BIDS_READ'],
])
