import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { isLong, sampleOf } from '../../../../tools/vitest/size.ts'
import { rawConnection, requestBytes, statusesIn } from '../support/raw-connection.ts'
import { startServer } from '../support/server.ts'
import { tokenOf } from '../support/tokens.ts'
import type { JunkFloodOrder } from './junk-flood.ts'

const validTokens = isLong ? 330 : 3

type Flood = Pick<JunkFloodOrder, 'connections' | 'headers' | 'localAddress'> & {
  readonly name: string
  readonly environment: Readonly<Record<string, string>>
}
const own = { environment: {}, headers: {}, localAddress: '127.0.0.1' }
const floods: readonly Flood[] = [
  // Nearly its share.
  { ...own, name: 'their address', connections: 240 },
  {
    name: 'their address behind a proxy',
    connections: 450,
    environment: { TRUST_PROXY: '127.0.0.1' },
    headers: { 'x-forwarded-for': '::1' },
    localAddress: '127.0.0.1',
  },
  // Nearly half of all connections. Only Linux accepts every address of 127.0.0.0/8.
  ...(process.platform === 'linux'
    ? [{ ...own, name: 'another address', connections: 990, localAddress: '127.0.0.2' }]
    : []),
]

test.each(sampleOf(floods))(
  'new valid tokens pass during a flood of junk tokens from $name',
  { timeout: 300_000 },
  async ({ connections, environment, headers, localAddress }) => {
    const server = await startServer({ environment: { RATE_LIMIT_ANONYMOUS_MAX: '1', ...environment } })
    const order: JunkFloodOrder = { url: `${server.url}/api/Auctions`, connections, headers, localAddress }
    const flood = new Worker(new URL('./junk-flood.ts', import.meta.url), { workerData: order })
    onTestFinished(async () => void (await flood.terminate()))
    const failed = once(flood, 'error').then(([error]) => Promise.reject(error))
    await Promise.race([once(flood, 'message'), failed])

    const statuses: number[] = []
    const call = async () => {
      while (statuses.length < validTokens) {
        const authorization = `Bearer ${tokenOf(crypto.randomUUID())}`
        const connection = await rawConnection(server.port)
        connection.write(requestBytes('GET', '/api/Auctions', { authorization, connection: 'close', ...headers }))
        statuses.push(...statusesIn(await connection.ended()))
      }
    }
    await Promise.race([Promise.all([call(), call(), call()]), failed])
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  },
)
