import { startServerProcess } from '../support/server-process.ts'
import { secret } from '../support/tokens.ts'

/**
 * A server over a file, with the heap that a container of 512 MB leaves to it, and no limit on how often its callers ask. The attacker
 * and the one who is attacked come from one address, whose connections have no share either: others have theirs by another address.
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
