/** Where whoever runs the server asks for its health. */
export const probePaths = { live: '/livez', ready: '/readyz' } as const

const probe = /^\/(livez|readyz)\/?(\?|$)/i

/** Whether a request only asks for the server's health, which is told whatever else is refused. */
export const isProbe = (url: string): boolean => probe.test(url)
