import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { clientOf } from '../support/client.ts'
import { exchange, requestBytes, statusesIn } from '../support/raw-connection.ts'
import { startServerProcess } from '../support/server-process.ts'
import { secret } from '../support/tokens.ts'
import type { FloodOrder, FloodReport } from './flood.ts'

/** The limit for the response times of others. */
const longestWaitMs = 1_000

const bytes = 64 * 2 ** 20

/** A server in a container of 512 MB, with the maximum connections of one client. */
const startSmallServer = () =>
  startServerProcess({
    JWT_SECRET: secret,
    STORE: 'memory',
    RATE_LIMIT_MAX: '1000000000',
    MAX_CONNECTIONS_PER_ADDRESS: '2000',
    NODE_OPTIONS: '--max-old-space-size=256',
  })

/** Sends a flood from a thread. Returns its report when everything is sent. */
async function flood(order: FloodOrder): Promise<FloodReport> {
  const worker = new Worker(new URL('./flood.ts', import.meta.url), { workerData: order })
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
  } finally {
    await worker.terminate()
  }
}

type Others = {
  readonly responses: number
  /** The time of the slowest response. */
  readonly slowestMs: number
  /** The responses that were not 200. */
  readonly failures: readonly unknown[]
}

/**
 * Sends requests with a token on one connection, and probes on a new connection each, one after the other, until `attack` has
 * ended.
 */
async function askMeanwhile(server: { readonly url: string }, attack: Promise<unknown>): Promise<Others> {
  const port = Number(new URL(server.url).port)
  const failures: unknown[] = []
  let responses = 0
  let slowestMs = 0
  let isOver = false
  const over = attack.finally(() => {
    isOver = true
  })
  // Awaited below, which reports a failure of the attack.
  over.catch(() => undefined)

  async function time(ask: () => Promise<unknown>): Promise<void> {
    const startMs = performance.now()
    const outcome = await ask().catch((error: unknown) => error)
    slowestMs = Math.max(slowestMs, performance.now() - startMs)
    responses += 1
    if (outcome !== 200) failures.push(outcome)
  }

  while (!isOver) {
    await time(async () => (await clientOf(server).get('/api/Auctions')).status)
    await time(async () => {
      return statusesIn(await exchange(port, requestBytes('GET', '/readyz', { connection: 'close' })))[0]
    })
  }
  await over
  return { responses, slowestMs, failures }
}

describe('pipelined requests without a token', () => {
  test.each([80, 400, 1_200])(
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
