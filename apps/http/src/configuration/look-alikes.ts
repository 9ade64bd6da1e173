import leven, { closestMatch } from 'leven'
import { cut } from '../log/cut.ts'
import type { Environment, GivenSetting } from './given-settings.ts'
import { isSettingName, type SettingName, settings } from './settings.ts'

/** Tells of what stands in the environment, is none of the settings, and was probably meant as one. */
export function warningsOf(environment: Environment, given: ReadonlyMap<SettingName, GivenSetting>): readonly string[] {
  const isGiven = (name: string) =>
    (isSettingName(name) && given.has(name)) ||
    environment[name] !== undefined ||
    // Who asks for memory has seen to the store.
    (name === 'MONGODB_URI' && given.has('STORE'))

  const strays = Object.entries(environment).flatMap(([name, value]) => {
    if (notInFiles.has(name) || isSettingName(name)) return []
    const meant = settingMeantBy(name) ?? (isMongodbUri(value) ? 'MONGODB_URI' : undefined)
    const isNews = meant !== undefined && !isGiven(meant)
    if (!isNews && !/^(JWT|RATE_LIMIT|PERMISSIONS)_/.test(name)) return []
    const question = isNews ? `; is ${meant} meant?` : ''
    return [`the environment has ${cut(name)}, which is not a setting of this service${question}`]
  })
  return [...strays, ...looksLikeProduction(environment['NODE_ENV'])]
}

/** What is ours in the environment only. */
export const notInFiles = new Set(['CONFIG_FILE', 'NODE_ENV'])

const isMongodbUri = (value: string | undefined): boolean => /^mongodb(\+srv)?:\/\//.test(value ?? '')

// Names that other services have for the same.
const otherNames: Readonly<Record<string, SettingName>> = {
  MONGO_URI: 'MONGODB_URI',
  MONGO_URL: 'MONGODB_URI',
  MONGODB_URL: 'MONGODB_URI',
  MONGO_CONNECTION_STRING: 'MONGODB_URI',
  MONGODB_CONNECTION_STRING: 'MONGODB_URI',
  JWT_KEY: 'JWT_SECRET',
  JWT_SECRET_KEY: 'JWT_SECRET',
  JWKS_URL: 'JWT_JWKS_URL',
  JWKS_URI: 'JWT_JWKS_URL',
  JWT_ISS: 'JWT_ISSUER',
  JWT_AUD: 'JWT_AUDIENCE',
  RATE_LIMIT: 'RATE_LIMIT_MAX',
  RATE_LIMIT_MAX_REQUESTS: 'RATE_LIMIT_MAX',
  RATE_LIMIT_WINDOW: 'RATE_LIMIT_WINDOW_SECONDS',
}

/** Names are compared without what their spellings differ in: `jwtSecret`, `JWT-SECRET`. */
const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()

const settingNames = [...Object.keys(settings.entries), 'CONFIG_FILE']
const known = new Map([
  ...settingNames.map((name) => [plain(name), name] as const),
  ...Object.entries(otherNames).map(([name, setting]) => [plain(name), setting] as const),
])
// Short names are like too many others.
const longNames = [...known.keys()].filter((name) => name.length >= 8)

/** The setting that a name was probably meant to be, or undefined. */
export function settingMeantBy(name: string): string | undefined {
  const written = plain(name)
  const maxDistance = written.length > 12 ? 2 : 1
  const found = known.has(written) ? written : closestMatch(written, longNames, { maxDistance })
  const meant = found === undefined ? undefined : known.get(found)
  return meant === name ? undefined : meant
}

function looksLikeProduction(value: string | undefined): readonly string[] {
  if (value === undefined || value === 'production') return []
  const written = value.trim().toLowerCase()
  if (!/^pro?d/.test(written) && leven(written, 'production') > 2) return []
  const given = JSON.stringify(cut(value, 40))
  return [`NODE_ENV is ${given}, which is not "production": what production demands is not checked`]
}
