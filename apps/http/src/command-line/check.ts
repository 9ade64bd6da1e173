import type { Configuration, StoreChoice, TokenKey } from '../configuration/configuration.ts'
import type { ConfigurationReading } from '../configuration/read-configuration.ts'
import { messageOf } from '../log/message-of.ts'
import { storeSettingOf } from '../process/load-store.ts'
import type { Terminal } from './terminal.ts'

/** Says what a start would find, and makes nothing that was not there. Faults are those that would stop the start. */
export async function check(reading: ConfigurationReading, { print, refuse }: Terminal): Promise<void> {
  for (const line of reading.warnings) print(`Warning: ${line}`)
  if (!reading.ok) return reading.faults.forEach(refuse)

  const { configuration } = reading
  print(`Address: ${configuration.host}, port ${configuration.port}`)
  const [store, key] = await Promise.allSettled([storeFound(configuration.store), keyFound(configuration)])
  if (store.status === 'fulfilled') print(`Store: ${store.value}`)
  else refuse(`${storeSettingOf[configuration.store.kind]}: ${messageOf(store.reason)}`)
  if (key.status === 'fulfilled') print(`Key of the tokens: ${key.value}`)
  else refuse(`JWT_JWKS_URL: ${messageOf(key.reason)}`)
}

async function storeFound(choice: StoreChoice): Promise<string> {
  switch (choice.kind) {
    case 'memory':
      return 'in-memory: kept until the process ends'
    case 'sqlite': {
      const { inspectSqliteFile } = await import('@auction/adapters/sqlite')
      return foundText(await inspectSqliteFile(choice.file))
    }
    case 'mongodb': {
      const { inspectMongoDatabase } = await import('@auction/adapters/mongodb')
      return foundText(await inspectMongoDatabase(choice.uri))
    }
    case 'postgresql': {
      const { inspectPostgresqlDatabase } = await import('@auction/adapters/postgresql')
      return foundText(await inspectPostgresqlDatabase(choice.uri))
    }
    default:
      return choice satisfies never
  }
}

type Found = { readonly description: string; readonly wouldMake: readonly string[] }

const foundText = ({ description, wouldMake }: Found): string =>
  wouldMake.length === 0
    ? `${description}: ready`
    : `${description}: can be used; a start makes ${wouldMake.join(', ')}`

async function keyFound({ tokenKey }: Configuration): Promise<string> {
  if (tokenKey === undefined) return 'none: a start makes a random secret, and prints a token to try the service out'
  switch (tokenKey.kind) {
    case 'secret':
      return `a secret (HS256) of ${Buffer.byteLength(tokenKey.secret)} bytes`
    case 'public-key':
      return `a public key for ${tokenKey.publicKey.algorithms.join(', ')}`
    case 'key-set':
      return keySetFound(tokenKey)
    default:
      return tokenKey satisfies never
  }
}

/** @throws Error when no token could be verified */
async function keySetFound({ url }: Extract<TokenKey, { readonly kind: 'key-set' }>): Promise<string> {
  const { fetchKeys } = await import('../security/key-set/fetch-keys.ts')
  const keys = await fetchKeys(url, new AbortController().signal)
  if (keys.length === 0) throw new Error(`the key set at ${url.host} has no key that can be used`)
  return `a key set at ${url.host}; keys in it that can be used: ${keys.length}`
}
