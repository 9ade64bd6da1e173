/**
 * On every response. Caches must not store authenticated data, and clients must not guess content types. Headers for frames,
 * scripts and TLS apply only to pages and to proxies that terminate TLS.
 */
export const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const
