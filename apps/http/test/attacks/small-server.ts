import { startServerProcess } from '../support/server-process.ts'
import { secret } from '../support/tokens.ts'

/**
 * A server on a file, with the heap of a container of 512 MB, and no rate limit. The attacker and the other clients share one
 * address, which has no connection limit either: in production, other clients have other addresses.
 */
export const startSmallServer = (file: string): ReturnType<typeof startServerProcess> =>
  startServerProcess({
    JWT_SECRET: secret,
    MAX_CONNECTIONS_PER_ADDRESS: '1000',
    NODE_ENV: 'production',
    NODE_OPTIONS: '--max-old-space-size=256',
    RATE_LIMIT_MAX: '1000000',
    SQLITE_FILE: file,
  })
