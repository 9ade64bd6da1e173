/**
 * On every answer. What a token shows belongs in no cache, and a client that guesses types must not take text for something
 * that runs. Headers about frames, scripts and TLS are for pages and for proxies that end TLS; here they would say nothing.
 */
export const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const
