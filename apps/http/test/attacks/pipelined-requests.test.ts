import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import { startServerProcess } from '../support/server-process.ts'
import { secret } from '../support/tokens.ts'
import { askMeanwhile, flood, longestWaitMs } from './attack.ts'

const bytes = (isLong ? 64 : 8) * 2 ** 20

/** A server in a container of 512 MB, with the maximum connections of one client. */
async function startSmallServer() {
  const server = await startServerProcess({
    JWT_SECRET: secret,
    STORE: 'memory',
    RATE_LIMIT_MAX: '1000000000',
    MAX_CONNECTIONS_PER_ADDRESS: '2000',
    NODE_OPTIONS: '--max-old-space-size=256',
  })
  return { ...server, port: Number(new URL(server.url).port) }
}

describe('pipelined requests without a token', () => {
  test.each(isLong ? [80, 400, 1_200] : [1_200])(
    'on %i connections do not end the process, and other clients receive responses',
    async (connections) => {
      const server = await startSmallServer()
      const attack = flood({ port: server.port, connections, bytes, repeated: 'GET / HTTP/1.1\r\nA:\r\n\r\n' })
      const others = await askMeanwhile(server, attack)
      expect((await attack).sentBytes).toBeGreaterThanOrEqual(bytes)
      expect(others.failures).toEqual([])
      expect(others.slowestMs).toBeLessThan(longestWaitMs)
      expect(server.child.exitCode).toBe(null)
      server.child.kill('SIGTERM')
      expect(await server.exited()).toBe(0)
    },
  )
})
