import type { Limits } from '@auction/domain/limits'
import type { Permission } from '@auction/domain/permissions'
import type { PublicKey } from './public-key.ts'
import type { Settings } from './settings.ts'
import type { Tracing } from './tracing.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

/** What tokens are verified with. */
export type TokenKey =
  | { readonly kind: 'secret'; readonly secret: string }
  | { readonly kind: 'public-key'; readonly publicKey: PublicKey }
  /** `maxStaleSeconds`: how much longer than its minute a set is used while no newer one can be fetched. */
  | { readonly kind: 'key-set'; readonly url: URL; readonly maxStaleSeconds: number }

/** Where auctions and bids are kept. */
export type StoreChoice =
  | { readonly kind: 'mongodb'; readonly uri: string }
  | { readonly kind: 'postgresql'; readonly uri: string }
  /** `file` as it was given: below the current folder, unless it is absolute. */
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'memory' }

export type TokenRules = {
  readonly issuer?: string
  readonly audience?: string
  /** The claims that carry permissions, at least one. */
  readonly permissionClaims: readonly string[]
  /** The claim that must equal the user on whose behalf something is done. */
  readonly subjectClaim?: string
}

/** What connections may take of the server. */
export type ConnectionLimits = {
  /** How long a request may take to arrive whole. */
  readonly requestTimeoutSeconds: number
  /** How long a connection may bring no new request, or leave an answer unread. */
  readonly idleTimeoutSeconds: number
  readonly maxConnections: number
  /** Of one address that is no proxy that is believed. */
  readonly maxConnectionsPerAddress: number
  /** Of answers that are written and that their clients have not taken. */
  readonly maxUnreadBytesPerCaller: number
  readonly maxUnreadBytes: number
}

type RateLimits = {
  /** Requests of a caller in a window. */
  readonly max: number
  /** Requests without a valid token from an address in a window. */
  readonly anonymousMax: number
  readonly windowSeconds: number
  /** Where servers count together. */
  readonly redisUrl?: URL
}

export type Configuration = {
  readonly host: string
  readonly port: number
  /** Where metrics are read; nowhere, if left out. */
  readonly admin?: { readonly host: string; readonly port: number }
  /** Where traces go; nowhere, if left out. */
  readonly tracing?: Tracing
  readonly store: StoreChoice
  /** How long a start waits for a store that is not available. */
  readonly storeWaitMs: number
  readonly tokenKey?: TokenKey
  readonly tokens: TokenRules
  /** The value that grants each permission. A permission to read that has none is granted by any valid token. */
  readonly permissionValues: Readonly<Record<Permission, string | undefined>>
  readonly rateLimit: RateLimits
  readonly trustedProxies?: TrustedProxies
  readonly connectionLimits: ConnectionLimits
  /** From where scripts in browsers may call: origins, or `*` for all. */
  readonly corsOrigins: readonly string[]
  /** How many requests may wait for an answer before more are refused. */
  readonly maxRequestsAtOnce: number
  /** How long the process may take to end, from the signal on. */
  readonly shutdownMs: number
  readonly limits: Pick<Limits, 'clockSkewMs' | 'deadlineMs'>
  readonly logLevel: Settings['LOG_LEVEL']
}
