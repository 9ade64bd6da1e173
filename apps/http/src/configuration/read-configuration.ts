import { readFileSync } from 'node:fs'
import { cut } from '@auction/host/log'
import * as v from 'valibot'
import { type Configuration, configurationOf } from './configuration.ts'
import {
  alternatives,
  isSettingName,
  permissionSettings,
  type SettingName,
  type Settings,
  settings,
} from './settings.ts'
import { isTracingOn, tracingVariables } from './tracing.ts'

export type Environment = Readonly<Record<string, string | undefined>>
type ReadTextFile = (path: string) => string

export type ConfigurationReading =
  | { readonly ok: true; readonly configuration: Configuration; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly faults: readonly string[]; readonly warnings: readonly string[] }

/**
 * Reads the configuration from the environment and the file that CONFIG_FILE names; the environment wins. Or returns
 * every fault in it. A fault is one line that names the setting and never shows its value. A warning is one line too,
 * and does not stop the start.
 */
export function readConfiguration(
  environment: Environment,
  readTextFile: ReadTextFile = (path) => readFileSync(path, 'utf8'),
): ConfigurationReading {
  const file = readConfigFile(environment['CONFIG_FILE'], readTextFile)
  const raw = new Map([...file.raw, ...fromEnvironment(environment, settings.entries)])
  const parsed = parse(settings, raw)
  const tracing = readTracing(environment)
  const faults = [
    ...file.faults,
    ...parsed.faults,
    ...tracing.faults,
    ...faultyAlternatives(raw),
    ...faultyAnonymousReads(raw),
    ...incompleteWebhook(raw),
    ...missingPseudonyms(raw, parsed.output),
    ...missingSubject(raw),
    ...(environment['NODE_ENV'] === 'production' ? unsafeInProduction(raw, parsed.output) : []),
  ]
  const warnings = [...unknownVariables(environment), ...unknownNodeEnvironment(environment)]
  if (parsed.output === undefined || faults.length > 0) return { ok: false, faults, warnings }
  return { ok: true, configuration: configurationOf(parsed.output, tracing.output), warnings }
}

/** The unparsed values by the names of their settings, and where each was set, for messages. */
type RawSettings = Map<string, { readonly value: unknown; readonly origin: string }>

const withOrigin = (name: string, raw: RawSettings): string => `${name} (${raw.get(name)?.origin})`

function* fromEnvironment(environment: Environment, entries: object) {
  for (const name of Object.keys(entries)) {
    const value = environment[name]
    if (value !== undefined) yield [name, { value, origin: 'environment' }] as const
  }
}

function parse<Schema extends v.GenericSchema>(schema: Schema, raw: RawSettings) {
  const values = Object.fromEntries([...raw].map(([name, { value }]) => [name, value]))
  const { success, output, issues = [] } = v.safeParse(schema, values, { abortPipeEarly: true })
  const faults = issues.map(({ path, message }) => {
    const [setting, ...members] = path ?? []
    const inner = members.map(({ key }) => `${String(key)}: `).join('')
    return `${withOrigin(String(setting?.key), raw)}: ${inner}${message}`
  })
  return { output: success ? output : undefined, faults }
}

function readTracing(environment: Environment) {
  // The standard ignores empty variables.
  const filled = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()))
  if (!isTracingOn(filled)) return { output: undefined, faults: [] }
  return parse(tracingVariables, new Map(fromEnvironment(filled, tracingVariables.entries)))
}

function readConfigFile(path: string | undefined, readTextFile: ReadTextFile) {
  const raw: RawSettings = new Map()
  const faults: string[] = []

  function add(name: SettingName | undefined, key: string, value: unknown): void {
    if (name === undefined) faults.push(`${cut(key, 60)} (${path}): is not a known setting; --help lists all settings`)
    else if (raw.has(name))
      faults.push(`${key} (${path}): is the same setting as ${withOrigin(name, raw)}; keep only one of them`)
    else raw.set(name, { value, origin: key === name ? `${path}` : `${key} in ${path}` })
  }

  if (path === undefined) return { raw, faults }
  let file: unknown
  try {
    file = JSON.parse(readTextFile(path))
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'unreadable'
    // The message of the parser quotes the text, which may hold secrets.
    const fault = error instanceof SyntaxError ? fileRule : `cannot be read (${reason})`
    return { raw, faults: [`CONFIG_FILE (environment): the file "${path}" ${fault}`] }
  }
  if (!isObject(file)) return { raw, faults: [`CONFIG_FILE (environment): the file "${path}" ${fileRule}`] }
  for (const [key, value] of Object.entries(file)) {
    if (key !== 'Permissions') add(isSettingName(key) ? key : undefined, key, value)
    else if (!isObject(value)) faults.push(`Permissions (${path}): must be a JSON object`)
    else
      for (const [inner, text] of Object.entries(value))
        add(permissionSettings.get(inner), `Permissions["${inner}"]`, text)
  }
  return { raw, faults }
}

function faultyAlternatives(raw: RawSettings): readonly string[] {
  return Object.values(alternatives).flatMap((names) => {
    const chosen = names.filter((name) => raw.has(name)).map((name) => withOrigin(name, raw))
    return chosen.length > 1 ? [`${chosen.join(' and ')}: cannot be set together; keep only one of them`] : []
  })
}

/** A permission to read would be required with a token, and not without one. */
function faultyAnonymousReads(raw: RawSettings): readonly string[] {
  if (raw.get('ANONYMOUS_READS')?.value !== 'on') return []
  const required = (['PERMISSIONS_AUCTIONS_READ', 'PERMISSIONS_BIDS_READ'] as const).filter((name) => raw.has(name))
  if (required.length === 0) return []
  const named = required.map((name) => withOrigin(name, raw)).join(' and ')
  return [
    `${withOrigin('ANONYMOUS_READS', raw)}: must be off when ${named} ${required.length === 1 ? 'is' : 'are'} set: callers without a token have no permissions`,
  ]
}

/** The URL, the secret and the types of one endpoint. */
function incompleteWebhook(raw: RawSettings): readonly string[] {
  const names = ['WEBHOOK_URL', 'WEBHOOK_SECRET', 'WEBHOOK_EVENTS'] as const
  const first = names.find((name) => raw.has(name))
  const missing = names.slice(0, 2).filter((name) => !raw.has(name))
  if (first === undefined || missing.length === 0) return []
  return [`${withOrigin(first, raw)}: must not be set without ${missing.join(' and ')}`]
}

/** An endpoint would receive ids instead of the pseudonyms that it has to receive. */
function missingPseudonyms(raw: RawSettings, parsed: Settings | undefined): readonly string[] {
  if (parsed?.PSEUDONYM_SECRET !== undefined) return []
  return (parsed?.WEBHOOKS ?? [])
    .filter(({ hasPseudonyms }) => hasPseudonyms)
    .map(({ name }) => `${withOrigin('WEBHOOKS', raw)}: the pseudonyms of ${name} require PSEUDONYM_SECRET`)
}

/** A claim admits its own user, who is known only by the subject. */
const missingSubject = (raw: RawSettings): readonly string[] =>
  !raw.has('JWT_ADMISSION_CLAIM') || raw.has('JWT_SUBJECT_CLAIM')
    ? []
    : [
        `${withOrigin('JWT_ADMISSION_CLAIM', raw)}: must not be set without JWT_SUBJECT_CLAIM: it admits the user of the token`,
      ]

function unsafeInProduction(raw: RawSettings, parsed: Settings | undefined): readonly string[] {
  const keys = alternatives.keys
  const hasKey = keys.some((name) => raw.has(name))
  // An attacker on the network could replace the keys, and read the events.
  const rule = 'must begin with https:// under NODE_ENV=production, except for a server on this machine'
  const unsafe = (['JWT_JWKS_URL', 'WEBHOOK_URL'] as const)
    .filter((name) => isUnsafe(URL.parse(String(raw.get(name)?.value))))
    .map((name) => `${withOrigin(name, raw)}: ${rule}`)
  const inList = (parsed?.WEBHOOKS ?? [])
    .filter(({ url }) => isUnsafe(url))
    .map(({ name }) => `${withOrigin('WEBHOOKS', raw)}: the url of ${name} ${rule}`)
  return [
    ...(hasKey ? [] : [`${keys.join(', ')}: one of these is required under NODE_ENV=production`]),
    ...unsafe,
    ...inList,
  ]
}

const isUnsafe = (url: URL | null): boolean =>
  url?.protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)

/**
 * The names of settings whose misspelling would leave tokens unchecked, or data in another store. Other programs may
 * own other names.
 */
const likeSettings =
  /^(ANONYMOUS|JWT|PERMISSIONS|PSEUDONYM|RATE_LIMIT|SQLITE|WEBHOOKS?)_|^(MONGO|POSTGRES)[A-Z]*_UR[IL]$/

const unknownVariables = (environment: Environment): readonly string[] =>
  Object.keys(environment)
    .filter((name) => likeSettings.test(name) && !isSettingName(name))
    .map((name) => `${cut(name)} (environment): is not a known setting and is ignored; --help lists all settings`)

const nodeEnvironments: ReadonlySet<string | undefined> = new Set([undefined, '', 'development', 'production', 'test'])

const unknownNodeEnvironment = ({ NODE_ENV: name }: Environment): readonly string[] =>
  nodeEnvironments.has(name)
    ? []
    : [
        'NODE_ENV (environment): is not production, development or test; the checks for production need NODE_ENV=production',
      ]

const fileRule = 'must contain one JSON object, in UTF-8 without a byte order mark'

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
