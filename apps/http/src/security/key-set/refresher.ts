import type { Logger } from 'pino'
import { messageOf } from '../../log/message-of.ts'
import type { VerificationKey } from './verification-keys.ts'

/** The keys of a set, and when they were asked for: what the issuer has changed since then is not in them. */
export type FetchedKeys = { readonly keys: readonly VerificationKey[]; readonly askedAtMs: number }

/** From a fetch that fails to the next one that succeeds. */
type Outage = { readonly sinceMs: number; readonly failures: number; readonly retryAtMs: number }

/** Keeps a key set new. */
export type Refresher = {
  /** The last keys that could be fetched, however old. */
  latest(): FetchedKeys | undefined
  outage(): Outage | undefined
  /** Fetches now, or waits for the fetch that is under way. It never rejects. */
  refresh(): Promise<void>
  close(): void
}

type FetchKeys = (closing: AbortSignal) => Promise<readonly VerificationKey[]>

const refreshMs = 30_000
const firstRetryMs = 1_000

/**
 * Fetches keys every half minute from the first refresh on, one fetch at a time. After a failure the next fetch comes in a
 * second, and each further failure doubles that, up to half a minute. The log gets one line for an outage and one for its end.
 * @param maxAgeMs how long keys are used in an outage, for the log
 */
export function createRefresher(fetchKeys: FetchKeys, maxAgeMs: number, logger: Logger): Refresher {
  const closing = new AbortController()
  let latest: FetchedKeys | undefined
  let outage: Outage | undefined
  let underWay: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function fetchOnce(): Promise<void> {
    const askedAtMs = Date.now()
    try {
      succeeded({ keys: await fetchKeys(closing.signal), askedAtMs })
    } catch (error) {
      if (!closing.signal.aborted) failed(error)
    } finally {
      underWay = undefined
    }
  }

  function succeeded(fetched: FetchedKeys): void {
    if (outage !== undefined) {
      logger.info({ outageSeconds: secondsSince(outage.sinceMs) }, 'the key set of JWT_JWKS_URL is fetched again')
    }
    if (fetched.keys.length === 0 && latest?.keys.length !== 0) {
      logger.warn('the key set of JWT_JWKS_URL has no key that can be used, so no token is valid')
    }
    latest = fetched
    outage = undefined
    schedule(fetched.askedAtMs + refreshMs)
    logger.debug({ keys: fetched.keys.length }, 'a key set is fetched')
  }

  function failed(error: unknown): void {
    const nowMs = Date.now()
    const failures = (outage?.failures ?? 0) + 1
    const retryAtMs = nowMs + Math.min(refreshMs, firstRetryMs * 2 ** (failures - 1))
    if (outage === undefined) {
      const ageSeconds = latest === undefined ? maxAgeMs / 1000 : secondsSince(latest.askedAtMs)
      const usableForSeconds = Math.max(0, maxAgeMs / 1000 - ageSeconds)
      logger.error({ reason: messageOf(error), usableForSeconds }, 'the key set of JWT_JWKS_URL can not be fetched')
    }
    outage = { sinceMs: outage?.sinceMs ?? nowMs, failures, retryAtMs }
    schedule(retryAtMs)
    logger.debug({ failures }, 'no key set is fetched')
  }

  function schedule(atMs: number): void {
    // No later than that, should the clock be set back.
    timer = setTimeout(refresh, Math.min(refreshMs, atMs - Date.now()))
    // A process that has nothing else to do may end.
    timer.unref()
  }

  function refresh(): Promise<void> {
    clearTimeout(timer)
    underWay ??= fetchOnce()
    return underWay
  }

  return {
    latest: () => latest,
    outage: () => outage,
    refresh,
    close() {
      clearTimeout(timer)
      closing.abort()
      // Whoever waits for keys, or asks for some yet, is told that there are no newer ones.
      outage ??= { sinceMs: Date.now(), failures: 0, retryAtMs: Date.now() }
    },
  }
}

const secondsSince = (ms: number): number => Math.round((Date.now() - ms) / 1000)
