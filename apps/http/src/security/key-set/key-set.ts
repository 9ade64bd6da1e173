import type { Logger } from 'pino'
import type { TokenKey } from '../../configuration/configuration.ts'
import type { PublicKey } from '../../configuration/public-key.ts'
import { InvalidTokenError, tokenFaults } from '../invalid-token.ts'
import { IssuerUnavailableError } from '../issuer-unavailable.ts'
import { fetchKeys } from './fetch-keys.ts'
import { createRefresher, type FetchedKeys } from './refresher.ts'
import { keysFor } from './verification-keys.ts'

/** A key of the issuer's, and until when a verification with it counts. */
type IssuersKey = PublicKey & { readonly untilMs: number }

export type KeySet = {
  /**
   * The key that a token's header names. It waits for a fetch only where there is no set yet, or none that has the key.
   * @throws InvalidTokenError if there is none; IssuerUnavailableError if that can't be told
   */
  keyFor(header: Readonly<Record<string, unknown>>): Promise<IssuersKey>
  start(): void
  close(): void
}

// A key that its issuer withdraws counts for a minute at most: a set is used until it is that old, and what was verified with it
// counts no longer. The set is refreshed twice in that time. Verifications count for less, so that they don't all end at once.
const maxAgeMs = 60_000
const verifiedForMs = 25_000
// With a set that is older, in an outage. So a key that was withdrawn meanwhile is dead as soon after its end.
const verifiedInOutageForMs = 5_000
// Made-up key names make nobody ask the issuer more often than this.
const askAgainAfterMs = 10_000

/** The keys of the issuer at a URL, fetched ahead of need, and kept through its outages for a bounded time. */
export function openKeySet(
  { url, maxStaleSeconds }: Extract<TokenKey, { readonly kind: 'key-set' }>,
  logger: Logger,
): KeySet {
  const maxStaleAgeMs = maxAgeMs + maxStaleSeconds * 1000
  const refresher = createRefresher((closing) => fetchKeys(url, closing), maxStaleAgeMs, logger)

  const ageMs = ({ askedAtMs }: FetchedKeys) => Date.now() - askedAtMs

  /** Keys that may be used. In an outage nobody waits: the next fetch has its time. */
  async function usableKeys(): Promise<FetchedKeys> {
    const known = refresher.latest()
    if (known !== undefined && ageMs(known) < maxAgeMs) return known
    if (refresher.outage() === undefined) await refresher.refresh()
    const latest = refresher.latest()
    if (latest === undefined || ageMs(latest) >= maxStaleAgeMs) throw unavailable()
    return latest
  }

  async function newerKeys(than: FetchedKeys): Promise<FetchedKeys> {
    if (refresher.outage() === undefined && ageMs(than) >= askAgainAfterMs) await refresher.refresh()
    return refresher.latest() ?? than
  }

  function unavailable(): IssuerUnavailableError {
    const waitMs = (refresher.outage()?.retryAtMs ?? 0) - Date.now()
    return new IssuerUnavailableError(Math.max(1, Math.ceil(waitMs / 1000)))
  }

  function untilMs({ askedAtMs }: FetchedKeys): number {
    const nowMs = Date.now()
    const isNew = nowMs < askedAtMs + maxAgeMs
    return isNew
      ? Math.min(nowMs + verifiedForMs, askedAtMs + maxAgeMs)
      : Math.min(nowMs + verifiedInOutageForMs, askedAtMs + maxStaleAgeMs)
  }

  return {
    async keyFor(header) {
      const known = await usableKeys()
      const fetched = keysFor(known.keys, header).length > 0 ? known : await newerKeys(known)
      const [key, ...others] = keysFor(fetched.keys, header)
      // Whether the issuer has added the key since, nobody knows.
      if (key === undefined && refresher.outage() !== undefined) throw unavailable()
      if (key === undefined || others.length > 0) throw new InvalidTokenError(tokenFaults.signature)
      return { ...key, untilMs: untilMs(fetched) }
    },
    start() {
      refresher.refresh()
    },
    close: refresher.close,
  }
}
