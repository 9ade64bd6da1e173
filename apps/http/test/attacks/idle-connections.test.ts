import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import { rawConnection, requestBytes, statusesIn } from '../support/raw-connection.ts'
import { startServerProcess } from '../support/server-process.ts'
import { secret, tokenOf } from '../support/tokens.ts'
import type { IdleOrder } from './hold-idle.ts'

const clients = isLong ? 120 : 5
/** In the short form, other tests use the machine, so the bound only detects a hang. */
const longestWaitMs = isLong ? 1_000 : 10_000

test('2,200 idle connections of one client do not block other clients or probes', {
  timeout: 300_000, // Each response has its own limit.
}, async () => {
  const server = await startServerProcess({ JWT_SECRET: secret, STORE: 'memory' })
  const { port } = server
  const order: IdleOrder = { port, connections: 2_200 }
  const attacker = new Worker(new URL('./hold-idle.ts', import.meta.url), { workerData: order })
  try {
    await once(attacker, 'message')
    const authorization = `Bearer ${tokenOf('anna')}`
    for (let count = 0; count < clients; count++) {
      for (const path of ['/api/Auctions', '/livez', '/readyz']) {
        const startMs = performance.now()
        const connection = await rawConnection(port)
        connection.write(requestBytes('GET', path, { authorization, connection: 'close' }))
        expect(statusesIn(await connection.ended())).toEqual([200])
        expect(performance.now() - startMs).toBeLessThan(longestWaitMs)
      }
    }
  } finally {
    await attacker.terminate()
  }
})
