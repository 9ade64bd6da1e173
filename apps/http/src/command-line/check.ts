import type { TokenKey } from '@auction/host/security'
import type { Configuration } from '../configuration/configuration.ts'
import { readConfiguration } from '../configuration/read-configuration.ts'
import { loadSealer } from '../process/load-sealer.ts'
import { loadStore } from '../process/load-store.ts'
import { fail, messageOf, print } from '../process/terminal.ts'

/** Checks the settings, and whether the store and the key set respond. Prints what it found, and changes nothing. */
export async function check(): Promise<void> {
  const reading = readConfiguration(process.env)
  for (const line of reading.warnings) print(`Warning: ${line}`)
  if (!reading.ok) return fail(...reading.faults)

  const { host, port, store, tokenKey } = reading.configuration
  print(`Address: ${host}, port ${port}`)
  try {
    print(`Key of sealed bids: ${describeSealer(reading.configuration)}`)
  } catch (error) {
    fail(messageOf(error))
  }
  const { setting, ping } = await loadStore(store)
  const [pinged, key] = await Promise.allSettled([ping(), describeKey(tokenKey)])
  if (pinged.status === 'fulfilled') print(`Store: ${pinged.value}`)
  else fail(`${setting}: ${messageOf(pinged.reason)}`)
  if (key.status === 'fulfilled') print(`Token key: ${key.value}`)
  else fail(`JWT_JWKS_URL: ${messageOf(key.reason)}`)
}

function describeSealer(configuration: Configuration): string {
  const { store, sealedBidsKeys } = configuration
  if (store.kind === 'memory' && sealedBidsKeys === undefined) return 'a random one, until the process ends'
  const loaded = loadSealer(configuration, false)
  if (loaded !== undefined) return `${loaded.sealer.fingerprint}${loaded.keyFile ? ` in ${loaded.keyFile}` : ''}`
  return `none; ${store.kind === 'sqlite' ? 'a start would create one next to the database' : 'sealed auctions are refused'}`
}

async function describeKey(key: TokenKey | undefined): Promise<string> {
  switch (key?.kind) {
    case undefined:
      return 'none; a start would create a random secret and print a token to try the service'
    case 'secret':
      return `a secret (HS256) of ${Buffer.byteLength(key.secret)} bytes`
    case 'public-key':
      return `a public key for ${key.publicKey.algorithms.join(', ')}`
    case 'key-set': {
      const { remoteKeySet } = await import('@auction/host/key-set')
      const set = remoteKeySet(key.url)
      await set.reload().catch((cause) => {
        throw new Error(`the key set at ${key.url.host} cannot be used: ${fetchFailure(cause)}`, { cause })
      })
      const count = set.jwks()?.keys.length ?? 0
      if (count === 0) throw new Error(`the key set at ${key.url.host} has no keys`)
      return `a key set at ${key.url.host} with ${count} ${count === 1 ? 'key' : 'keys'}`
    }
    default:
      return key satisfies never
  }
}

/** The code of an error's cause, or the message: that of fetch is only `fetch failed`. */
function fetchFailure(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause ? String(cause.code) : messageOf(error)
}
