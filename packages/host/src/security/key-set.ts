import { KeyObject } from 'node:crypto'
import { JWKSMultipleMatchingKeys } from 'jose/errors'
import { createLocalJWKSet, type LocalJWKSet } from 'jose/jwks/local'
import { createRemoteJWKSet, customFetch, type FetchImplementation, type RemoteJWKSet } from 'jose/jwks/remote'
import type { Logger } from 'pino'
import { createOutageLog } from '../log/log.ts'
import type { SettingNames } from '../setting-names.ts'
import { type PublicKey, publicKeyOf } from './public-key.ts'
import { InvalidTokenError, IssuerUnavailableError, issuerRetrySeconds, tokenMessages } from './token-errors.ts'

type Header = Readonly<Record<string, unknown>>
type KeySet = (header: Header) => ReturnType<LocalJWKSet>

// Outside an outage, a set that is this old is not used, so a withdrawn key is refused within this time.
const maxAgeMs = 60_000
const refreshMs = 30_000
// This is shorter than the age of a set, so that tokens are not all verified again at once.
const verifiedForMs = 25_000
// The shortest time between fetches during an outage, and for unknown key ids.
const retryMs = issuerRetrySeconds * 1000
const maxBytes = 1024 * 1024
// Limits the time that an invalid token takes.
const maxTriedKeys = 8

/**
 * The keys of the set that may have signed a token, and the time until which a verification with one of them counts.
 */
type TokenKeys = { readonly keys: readonly PublicKey[]; readonly untilMs: number }

/**
 * Opens the key set of an issuer, and returns a function that finds the keys for a token's header. During an outage of
 * the issuer, the last set counts for `maxStaleSeconds` more. The function rejects with InvalidTokenError if the set
 * has no such key, and with IssuerUnavailableError if that is unknown.
 */
export function openKeySet(
  { url, maxStaleSeconds }: { url: URL; maxStaleSeconds: number },
  logger: Logger,
  { keySetUrl }: SettingNames,
) {
  const set = remoteKeySet(url)
  let keysWithoutId = createLocalJWKSet({ keys: [] })
  let triedAtMs = 0
  // When the set was requested, not received: the issuer may have changed it in between.
  let requestedAtMs = Number.NEGATIVE_INFINITY
  const outage = createOutageLog(logger, {
    level: 'error',
    begin: `the key set of ${keySetUrl} cannot be fetched`,
    end: `the key set of ${keySetUrl} is fetched again`,
  })
  let fetching = refresh()

  async function refresh(): Promise<void> {
    const nowMs = Date.now()
    triedAtMs = nowMs
    try {
      await set.reload()
      keysWithoutId = createLocalJWKSet({ keys: set.jwks()?.keys.filter(({ kid }) => kid === undefined) ?? [] })
      requestedAtMs = nowMs
      outage.end()
    } catch (err) {
      outage.begin({ err })
    }
  }

  function refreshAfter(ms: number): void {
    if (!set.reloading && sinceMs(triedAtMs) >= ms) fetching = refresh()
  }

  return async (header: Header): Promise<TokenKeys> => {
    refreshAfter(outage.isOutage() ? retryMs : refreshMs)
    // No request waits during an outage.
    if (!outage.isOutage() && sinceMs(requestedAtMs) >= maxAgeMs) await fetching
    const usableMs = () => maxAgeMs + (outage.isOutage() ? maxStaleSeconds * 1000 : 0)
    if (sinceMs(requestedAtMs) >= usableMs()) throw new IssuerUnavailableError()
    let keys = await keysFor(header, set)
    if (keys.length === 0 && !outage.isOutage()) {
      refreshAfter(retryMs)
      await fetching
      keys = await keysFor(header, set)
    }
    if (keys.length === 0) keys = await keysFor({ ...header, kid: undefined }, keysWithoutId)
    // A missing key may be a new one.
    if (keys.length === 0 && outage.isOutage()) throw new IssuerUnavailableError()
    if (keys.length === 0) throw new InvalidTokenError(tokenMessages.signature)
    return { keys, untilMs: Math.min(Date.now() + verifiedForMs, requestedAtMs + usableMs()) }
  }
}

/** The first keys of a set that a token's header fits: its algorithm, and its key id if it has one. */
async function keysFor(header: Header, set: KeySet): Promise<readonly PublicKey[]> {
  const keys: PublicKey[] = []
  try {
    for await (const key of matching(header, set)) {
      const result = publicKeyOf(KeyObject.from(key))
      if (result.ok) keys.push(result.value)
      if (keys.length === maxTriedKeys) break
    }
  } catch {
    // No key matches, or the only one that does is not a public key.
  }
  return keys
}

async function* matching(header: Header, set: KeySet) {
  try {
    yield await set(header)
  } catch (error) {
    if (!(error instanceof JWKSMultipleMatchingKeys)) throw error
    yield* error
  }
}

// A clock that is set back makes keys old, as one that is set forward does.
const sinceMs = (ms: number): number => Math.abs(Date.now() - ms)

/**
 * The key set at a URL, empty until its first `reload()`. A fetch ends after 5 seconds or 1 MiB, and follows no
 * redirects.
 */
export const remoteKeySet = (url: URL): RemoteJWKSet =>
  // openKeySet decides when to fetch: the library counts age from the response, and has no cooldown after a failure.
  createRemoteJWKSet(url, { cacheMaxAge: Infinity, cooldownDuration: Infinity, [customFetch]: boundedFetch })

const boundedFetch: FetchImplementation = async (url, options) => {
  const response = await fetch(url, options)
  let bytes = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new Error(`The key set is larger than ${maxBytes} bytes.`)
      controller.enqueue(chunk)
    },
  })
  return new Response(response.body?.pipeThrough(limit), response)
}
