export const probePaths = { live: '/livez', ready: '/readyz' } as const

const probe = /^\/(livez|readyz)\/?(\?|$)/i

/** Whether a request is a health check, which is never refused. */
export const isProbe = (url: string): boolean => probe.test(url)
