import { KeyObject } from 'node:crypto'
import { createRemoteJWKSet, customFetch, type FetchImplementation, type RemoteJWKSet } from 'jose/jwks/remote'
import type { Logger } from 'pino'
import { type PublicKey, publicKeyOf } from '../../configuration/public-key.ts'
import { InvalidTokenError, IssuerUnavailableError, issuerRetrySeconds, tokenMessages } from './token-errors.ts'

type Header = Readonly<Record<string, unknown>>

// Outside an outage, a set that is this old is not used, so a withdrawn key is refused within this time.
const maxAgeMs = 60_000
const refreshMs = 30_000
// Shorter than the age of a set, so that tokens are not all verified again at once.
const verifiedForMs = 25_000
// The shortest time between fetches during an outage, and for unknown key ids.
const retryMs = issuerRetrySeconds * 1000
const maxBytes = 1024 * 1024

/**
 * Opens the key set of an issuer, and returns a function that finds the key for a token's header and the time until which a
 * verification with it counts. During an outage of the issuer, the last set counts for `maxStaleSeconds` more.
 * The function rejects with InvalidTokenError if the set has no such key, and with IssuerUnavailableError if that is unknown.
 */
export function openKeySet({ url, maxStaleSeconds }: { url: URL; maxStaleSeconds: number }, logger: Logger) {
  const keys = remoteKeySet(url)
  let triedAtMs = 0
  // When the set was requested, not received: the issuer may have changed it in between.
  let requestedAtMs = Number.NEGATIVE_INFINITY
  let isOutage = false
  let fetching = refresh()

  async function refresh(): Promise<void> {
    const nowMs = Date.now()
    triedAtMs = nowMs
    try {
      await keys.reload()
      requestedAtMs = nowMs
      if (isOutage) logger.info('the key set of JWT_JWKS_URL is fetched again')
      isOutage = false
    } catch (err) {
      if (!isOutage) logger.error({ err }, 'the key set of JWT_JWKS_URL cannot be fetched')
      isOutage = true
    }
  }

  function refreshAfter(ms: number): void {
    if (!keys.reloading && sinceMs(triedAtMs) >= ms) fetching = refresh()
  }

  async function find(header: Header): Promise<PublicKey | undefined> {
    const key = await keys(header).catch(() => undefined)
    const result = key && publicKeyOf(KeyObject.from(key))
    return result?.ok ? result.value : undefined
  }

  return async (header: Header): Promise<PublicKey & { readonly untilMs: number }> => {
    refreshAfter(isOutage ? retryMs : refreshMs)
    // No request waits during an outage.
    if (!isOutage && sinceMs(requestedAtMs) >= maxAgeMs) await fetching
    const usableMs = () => maxAgeMs + (isOutage ? maxStaleSeconds * 1000 : 0)
    if (sinceMs(requestedAtMs) >= usableMs()) throw new IssuerUnavailableError()
    let key = await find(header)
    if (key === undefined && !isOutage) {
      refreshAfter(retryMs)
      await fetching
      key = await find(header)
    }
    // A missing key may be a new one.
    if (key === undefined && isOutage) throw new IssuerUnavailableError()
    if (key === undefined) throw new InvalidTokenError(tokenMessages.signature)
    return { ...key, untilMs: Math.min(Date.now() + verifiedForMs, requestedAtMs + usableMs()) }
  }
}

// If the clock is set back, keys are fetched again, as if it were set forward.
const sinceMs = (ms: number): number => Math.abs(Date.now() - ms)

/** The key set at a URL, empty until its first `reload()`. A fetch ends after 5 seconds or 1 MiB, and follows no redirects. */
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
