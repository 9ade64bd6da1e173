import leven, { closestMatch } from 'leven'
import { cut } from '../log/cut.ts'
import type { Environment, GivenSetting } from './given-settings.ts'
import { environmentOnly, isSettingName, type SettingName, settings, storeSettings } from './settings.ts'

/** Tells of what stands in the environment, is none of the settings, and was probably meant as one. */
export function warningsOf(environment: Environment, given: ReadonlyMap<SettingName, GivenSetting>): readonly string[] {
  const isGiven = (meant: Meant): boolean =>
    // Whoever has chosen one store has seen to it.
    isStoreSetting(meant) || meant === anyStore
      ? storeSettings.some((name) => given.has(name))
      : environment[meant] !== undefined || (isSettingName(meant) && given.has(meant))

  const strays = Object.entries(environment).flatMap(([name, value]) => {
    if (notInFiles.has(name) || isSettingName(name)) return []
    const meant = settingMeantBy(name, value)
    const isNews = meant !== undefined && !isGiven(meant)
    if (!isNews && !/^(JWT|RATE_LIMIT|PERMISSIONS)_/.test(name)) return []
    const hint = isNews ? `; ${hintOf(meant)}` : ''
    return [`the environment has ${cut(name)}, which is not a setting of this service${hint}`]
  })
  return [...strays, ...looksLikeProduction(environment['NODE_ENV'])]
}

/** What is ours in the environment only. */
export const notInFiles: ReadonlySet<string> = new Set(Object.keys(environmentOnly))

/** What a name was probably meant to be. */
type Meant = SettingName | 'CONFIG_FILE' | typeof anyStore
const anyStore = 'any store'

const isStoreSetting = (meant: string): boolean => storeSettings.some((name) => name === meant)

/** For people: what would have worked. */
export const hintOf = (meant: Meant): string =>
  meant === anyStore
    ? 'MONGODB_URI, POSTGRESQL_URI, SQLITE_FILE or STORE=memory choose the store'
    : `is ${meant} meant?`

// Names that other services have for the same.
const otherNames: Readonly<Record<string, Meant>> = {
  MONGO_URI: 'MONGODB_URI',
  MONGO_URL: 'MONGODB_URI',
  MONGODB_URL: 'MONGODB_URI',
  MONGO_CONNECTION_STRING: 'MONGODB_URI',
  MONGODB_CONNECTION_STRING: 'MONGODB_URI',
  POSTGRES_URI: 'POSTGRESQL_URI',
  POSTGRES_URL: 'POSTGRESQL_URI',
  POSTGRESQL_URL: 'POSTGRESQL_URI',
  POSTGRES_CONNECTION_STRING: 'POSTGRESQL_URI',
  PG_URI: 'POSTGRESQL_URI',
  PG_URL: 'POSTGRESQL_URI',
  SQLITE_PATH: 'SQLITE_FILE',
  SQLITE_DB: 'SQLITE_FILE',
  SQLITE_DB_PATH: 'SQLITE_FILE',
  SQLITE_DB_FILE: 'SQLITE_FILE',
  SQLITE_DATABASE: 'SQLITE_FILE',
  SQLITE_URL: 'SQLITE_FILE',
  DB_FILE: 'SQLITE_FILE',
  DB_PATH: 'SQLITE_FILE',
  DATABASE_FILE: 'SQLITE_FILE',
  DATABASE_PATH: 'SQLITE_FILE',
  DATABASE_URL: anyStore,
  DATABASE_URI: anyStore,
  DB_URL: anyStore,
  DB_URI: anyStore,
  JWT_KEY: 'JWT_SECRET',
  JWT_SECRET_KEY: 'JWT_SECRET',
  JWKS_URL: 'JWT_JWKS_URL',
  JWKS_URI: 'JWT_JWKS_URL',
  JWT_ISS: 'JWT_ISSUER',
  JWT_AUD: 'JWT_AUDIENCE',
  RATE_LIMIT: 'RATE_LIMIT_MAX',
  RATE_LIMIT_MAX_REQUESTS: 'RATE_LIMIT_MAX',
  RATE_LIMIT_WINDOW: 'RATE_LIMIT_WINDOW_SECONDS',
  REDIS_URL: 'RATE_LIMIT_REDIS_URL',
  REDIS_URI: 'RATE_LIMIT_REDIS_URL',
  TRUSTED_PROXIES: 'TRUST_PROXY',
}

/** Names are compared without what their spellings differ in: `jwtSecret`, `JWT-SECRET`. */
const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()

const settingNames = [...Object.keys(settings.entries).filter(isSettingName), 'CONFIG_FILE'] as const
const known = new Map<string, Meant>([
  ...settingNames.map((name) => [plain(name), name] as const),
  ...Object.entries(otherNames).map(([name, meant]) => [plain(name), meant] as const),
])
// Short names are like too many others.
const longNames = [...known.keys()].filter((name) => name.length >= 8)

/** What a name was probably meant to be, or undefined. An address of a database tells it whatever its name. */
export function settingMeantBy(name: string, value?: unknown): Meant | undefined {
  const meant = meantByName(name)
  return meant === undefined || meant === anyStore ? (meantByValue(value, meant) ?? meant) : meant
}

function meantByName(name: string): Meant | undefined {
  const written = plain(name)
  const maxDistance = written.length > 12 ? 2 : 1
  // No distance is less than that of the lengths. A process may have a hundred names in its environment.
  const near = longNames.filter(({ length }) => Math.abs(length - written.length) <= maxDistance)
  const found = known.has(written) ? written : closestMatch(written, near, { maxDistance })
  const meant = found === undefined ? undefined : known.get(found)
  return meant === name ? undefined : meant
}

function meantByValue(value: unknown, byName: Meant | undefined): Meant | undefined {
  if (typeof value !== 'string') return undefined
  if (/^mongodb(\+srv)?:\/\//.test(value)) return 'MONGODB_URI'
  if (/^postgres(ql)?:\/\//.test(value)) return 'POSTGRESQL_URI'
  return byName === anyStore && /^(sqlite3?|file):/.test(value) ? 'SQLITE_FILE' : undefined
}

function looksLikeProduction(value: string | undefined): readonly string[] {
  if (value === undefined || value === 'production') return []
  const written = value.trim().toLowerCase()
  if (!/^pro?d/.test(written) && leven(written, 'production') > 2) return []
  const given = JSON.stringify(cut(value, 40))
  return [`NODE_ENV is ${given}, which is not "production": what production demands is not checked`]
}
