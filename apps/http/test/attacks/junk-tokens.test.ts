import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { isLong, sampleOf } from '../../../../tools/vitest/size.ts'
import { rawConnection, requestBytes, statusesIn } from '../support/raw-connection.ts'
import { startServer } from '../support/server.ts'
import { tokenOf } from '../support/tokens.ts'
import type { JunkFloodOrder } from './junk-flood.ts'

const validTokens = isLong ? 330 : 3

type Flood = [name: string, connections: number, environment: Record<string, string>, headers: Record<string, string>]
const floods: readonly Flood[] = [
  // Nearly all connections that an address may have, while it uses half of all.
  ['their address', 990, {}, {}],
  ['their address behind a proxy', 450, { TRUST_PROXY: '127.0.0.1' }, { 'x-forwarded-for': '::1' }],
]

test.each(sampleOf(floods))(
  'new valid tokens pass during a flood of junk tokens from %s',
  { timeout: 300_000 },
  async (_name, connections, environment, headers) => {
    const server = await startServer({ environment: { RATE_LIMIT_ANONYMOUS_MAX: '1', ...environment } })
    const order: JunkFloodOrder = { url: `${server.url}/api/Auctions`, connections, headers }
    const flood = new Worker(new URL('./junk-flood.ts', import.meta.url), { workerData: order })
    onTestFinished(async () => void (await flood.terminate()))
    const failed = once(flood, 'error').then(([error]) => Promise.reject(error))
    await Promise.race([once(flood, 'message'), failed])

    const statuses: number[] = []
    const call = async () => {
      while (statuses.length < validTokens) {
        const authorization = `Bearer ${tokenOf(crypto.randomUUID())}`
        const connection = await rawConnection(Number(new URL(server.url).port))
        connection.write(requestBytes('GET', '/api/Auctions', { authorization, connection: 'close', ...headers }))
        statuses.push(...statusesIn(await connection.ended()))
      }
    }
    await Promise.race([Promise.all([call(), call(), call()]), failed])
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  },
)
