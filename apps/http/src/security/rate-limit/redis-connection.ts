import type { Redis } from 'ioredis'

export type RedisConnection = {
  readonly redis: Redis
  /** Why it could not be used at the start. */
  readonly fault: unknown
  /** What to tell of a failure. */
  reasonOf(error: unknown): string
}

// No request waits longer for an answer. A stall of this process itself must not look like one of Redis.
const patienceMs = 250
const reconnectAfterMs = 1_000

/**
 * Connects to a Redis, and goes on connecting. Whatever is asked of it fails soon rather than wait. It never rejects.
 */
export async function connectRedis(url: URL): Promise<RedisConnection> {
  const { Redis: Client } = await import('ioredis')
  const redis = new Client(url.href, {
    lazyConnect: true,
    connectTimeout: 1_000,
    commandTimeout: patienceMs,
    // A connection that brings nothing may be dead without a word; a new one tells.
    socketTimeout: patienceMs,
    retryStrategy: () => reconnectAfterMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // What is asked of a server that still loads its data fails as it should. And nothing is asked beside what is needed.
    enableReadyCheck: false,
    disableClientInfo: true,
    protocol: 2,
  })
  let lostBy: Error | undefined
  redis.on('error', (error: Error) => {
    lostBy = error
    // After a SELECT that was refused, the connection would count in another database.
    if (error.name === 'ReplyError') redis.disconnect(true)
  })
  redis.on('connect', () => {
    lostBy = undefined
  })
  const fault = await redis.connect().then(() => redis.ping().then(() => undefined, errorOf), errorOf)
  return {
    redis,
    fault,
    reasonOf(error) {
      const { message } = errorOf(error)
      if (message === 'Command timed out') return `it has not answered within ${patienceMs} ms`
      // What the client says of a command tells only that there is no connection.
      return /^(Connection is closed|Stream isn't writeable)/.test(message)
        ? (lostBy?.message ?? 'it has closed the connection')
        : message
    },
  }
}

const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
