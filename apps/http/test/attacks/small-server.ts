import { startServerProcess } from '../support/server-process.ts'
import { secret } from '../support/tokens.ts'

/** Whether attacks are made at full size, and print their figures, or shortly, as a part of the test command. */
export const isFull = process.env['ATTACK_SIZE'] === 'full'

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
