import { createPublicKey } from 'node:crypto'
import { isIP } from 'node:net'
import { claimPath } from '@auction/adapters/jwt'
import { accepted, type Result, refused } from '@auction/domain/result'
import { type PublicKey, publicKeyOf } from '@auction/host/public-key'
import type { TrustedProxies } from '@auction/host/security'
import * as v from 'valibot'
import { sealerKeysIn, sealerKeyValues } from './sealer-keys.ts'

type Unit = 'seconds' | 'requests' | 'connections'

type Values = {
  /** What the value must be, for the reference: `must be ${values}`. */
  readonly values: string
  readonly unit?: Unit | undefined
  /** Whether the value gives access to something. */
  readonly isSecret?: boolean
}

export type Metadata = Values & { readonly description: string; readonly unset?: string }

export const demands = <Input>(values: Values): v.MetadataAction<Input, Values> => v.metadata(values)

/** A setting with a default. The description is one or two sentences of Markdown. */
export const setting = <Schema extends v.GenericSchema, const Value extends v.InferInput<Schema>>(
  schema: Schema,
  value: Value,
  description: string,
) => v.optional(v.pipe(schema, v.metadata({ description })), value)

/** A setting without a default. `unset` is what applies without it, in Markdown. */
export const optionalSetting = <Schema extends v.GenericSchema>(schema: Schema, unset: string, description: string) =>
  v.optional(v.pipe(schema, v.metadata({ description, unset })))

// These schemas check the values of settings. Their messages begin with `must`, and never contain the value.

export function text(values: string, form = /./, isSecret = false) {
  const rule = `must be ${values}`
  return v.pipe(v.string(rule), v.regex(form, rule), demands({ values, isSecret }))
}

/** An integer: digits in the environment, digits or a number in the file. */
export function integer(least: number, most: number, unit?: Unit) {
  const values = `an integer from ${least} to ${most}`
  const rule = `must be ${values}`
  const digits = v.pipe(v.string(), v.regex(/^(0|[1-9]\d*)$/), v.toNumber())
  const number = v.union([v.number(), digits], rule)
  const inRange = v.pipe(number, v.integer(rule), v.minValue(least, rule), v.maxValue(most, rule))
  return v.pipe(inRange, demands({ values, unit }))
}

export function oneOf<const Options extends readonly string[]>(options: Options, hint = '') {
  const values = options.length === 1 ? options.join() : `one of ${options.join(', ')}`
  return v.pipe(v.picklist(options, `must be ${values}${hint}`), demands({ values }))
}

export function list(values: string, isValue: (value: string) => boolean) {
  const rule = `must be ${values}`
  const split = v.transform((joined: string): readonly string[] => joined.split(',').map((value) => value.trim()))
  return v.pipe(
    v.string(rule),
    split,
    v.check((items) => items.every(isValue), rule),
    demands({ values }),
  )
}

function url(values: string, form: RegExp, isSecret = false) {
  const rule = `must be ${values}`
  return v.pipe(
    v.string(rule),
    v.regex(form, rule),
    v.url(rule),
    v.transform((href) => new URL(href)),
    demands({ values, isSecret }),
  )
}

function parsed<Value>(values: string, parse: (input: string) => Result<Value, string>, isSecret = false) {
  return v.pipe(
    // A number of proxies may be a number in the file.
    v.union([v.string(), v.pipe(v.number(), v.toString())], `must be ${values}`),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const result = parse(dataset.value)
      if (result.ok) return result.value
      addIssue({ message: result.refusal })
      return NEVER
    }),
    demands({ values, isSecret }),
  )
}

export const scopeToken = text(
  'one word of visible ASCII without " or \\ (a scope token, RFC 6749 section 3.3)',
  /^[\x21\x23-\x5b\x5d-\x7e]+$/,
)

export const mongodbUri = text('a URI that begins with mongodb:// or mongodb+srv://', /^mongodb(\+srv)?:\/\/./, true)
export const postgresqlUri = text('a URI that begins with postgresql:// or postgres://', /^postgres(ql)?:\/\/./, true)

export const sealerKeys = parsed(sealerKeyValues, sealerKeysIn, true)

const fileRule = 'must be the path of a file'
export const sqliteFile = v.pipe(
  text('the path of a file', /^[^\0]*[^\0/\\]$/),
  v.notValue(':memory:', `${fileRule}; for data in memory, set STORE=memory`),
  // SQLite would read some of these as a path, and others as options.
  v.check((path) => !/^(file:|[a-z][a-z0-9+.-]*:\/\/)/i.test(path), `${fileRule}, not a URL`),
)

/** Whether a text is one pattern, written at least twice; the last time may be incomplete. */
const repeatsItself = (text: string): boolean =>
  Array.from(text, (_, index) => text.slice(index)).some(
    (rest, period) => period > 0 && period <= text.length / 2 && text.startsWith(rest),
  )

const jsonObject = v.pipe(v.string(), v.parseJson(), v.looseObject({}))

const minCharacters = 6
export const randomSecret = v.pipe(
  text('a random string of at least 32 bytes', /./s, true),
  v.minBytes(32, 'must have at least 32 bytes'),
  v.check(
    (secret) => !repeatsItself(secret) && new Set(secret).size >= minCharacters,
    `must be random: it repeats itself or has fewer than ${minCharacters} different characters; create one with "openssl rand -base64 32"`,
  ),
)

/** RFC 7518, section 3.2, requires at least 32 bytes. */
export const tokenSecret = v.pipe(
  randomSecret,
  // Anyone who knows the public key could sign tokens with it.
  v.check((secret) => !secret.includes('-----BEGIN'), 'must not be a PEM key; set JWT_PUBLIC_KEY for a public key'),
  v.check((secret) => !v.is(jsonObject, secret), 'must be the secret itself, not a JSON Web Key (JWK)'),
)

export const publicKey = parsed('a public key or a certificate in PEM', parsePublicKey)

export const httpUrl = v.pipe(
  url('a URL that begins with http:// or https://', /^https?:\/\//),
  // Node's fetch refuses such a URL.
  v.check(({ username, password }) => username + password === '', 'must not contain a user name or a password'),
)

export const redisUrl = v.pipe(
  url('a URL that begins with redis:// or rediss://, with a host', /^rediss?:\/\/[^/]/, true),
  v.check(
    ({ pathname }) => /^\/?\d*$/.test(pathname),
    'must name the database by its number, as in redis://host:6379/1',
  ),
  v.check(({ search }) => search === '', 'must not contain a query string'),
)

function isClaim(name: string): boolean {
  try {
    return name !== '' && claimPath(name).length > 0
  } catch {
    return false
  }
}

const claimValues = 'the name of a claim, or a JSON Pointer to it such as /app_metadata/user_id'
export const claimName = v.pipe(text(claimValues), v.check(isClaim, `must be ${claimValues}`))

export const claimNames = list(
  'the names of claims, or JSON Pointers to them such as /realm_access/roles, separated by commas',
  isClaim,
)

export const origins = list(
  'origins without a path or a trailing slash, such as https://shop.example, separated by commas, or * for all',
  (origin) => origin === '*' || URL.parse(origin)?.origin === origin,
)

export const trustProxy = parsed(
  'the addresses or ranges (CIDR) of proxies, separated by commas, or the number of proxies',
  parseTrustedProxies,
)

const unreadable = '; its first line is right, but its contents cannot be read as a public key'
const unmarked = ', which begins with a line such as "-----BEGIN PUBLIC KEY-----"'

/** Reads SPKI, PKCS #1 or a certificate in PEM. Messages never repeat the input. */
function parsePublicKey(text: string): Result<PublicKey, string> {
  // Lines are often joined by a literal `\n` in environment variables.
  const pem = text.replaceAll('\\n', '\n')
  // Node would accept a private key and derive the public one.
  if (pem.includes('PRIVATE KEY')) return refused('must be a public key; keep the private key with the issuer')
  try {
    return publicKeyOf(createPublicKey(pem))
  } catch {
    const isPem = /^\s*-----BEGIN (RSA PUBLIC KEY|PUBLIC KEY|CERTIFICATE)-----/.test(pem)
    return refused(`must be a public key or a certificate in PEM${isPem ? unreadable : unmarked}`)
  }
}

const proxyValues =
  'the addresses or ranges of proxies, separated by commas, such as 10.0.0.0/8,::1, or the number of proxies, from 1 to 20'
const proxyRule = `must be ${proxyValues}`
const openProxyRule = `must not trust every address: a client could then choose the address under which it is counted; set ${proxyValues}`

function parseTrustedProxies(text: string): Result<TrustedProxies, string> {
  const ranges = text.split(',').map((range) => range.trim())
  if (ranges.some((range) => /^(true|yes|on|all|\*|.*\/0)$/i.test(range))) return refused(openProxyRule)
  if (/^([1-9]|1\d|20)$/.test(text.trim())) return accepted(Number(text))
  return ranges.every(isRange) ? accepted(ranges) : refused(proxyRule)
}

function isRange(range: string): boolean {
  const [, address = '', prefix = '1'] = /^([^/%]+)(?:\/([1-9]\d{0,2}))?$/.exec(range) ?? []
  const version = isIP(address)
  return version !== 0 && Number(prefix) <= (version === 4 ? 32 : 128)
}
