import { expect } from 'vitest'
import { ownDatabase } from '../../../../tools/vitest/mongodb.ts'
import { type TcpProxy, tcpProxy } from '../../../../tools/vitest/tcp-proxy.ts'
import { connectMongoStore, type MongoStore } from '../../src/mongodb/mongo-store.ts'

/** A store on a separate database, through a proxy that a test can interrupt. */
export type ProxiedStore = {
  readonly store: MongoStore
  /** The URI of the database without the proxy. */
  readonly uri: string
  readonly proxy: TcpProxy
  /** Opens another store on the same database, as another process has it. */
  readonly open: () => Promise<MongoStore>
  /** Restores the network, and waits until the store is available again. */
  readonly restore: () => Promise<void>
  /** Closes all stores, and drops the database. */
  readonly close: () => Promise<void>
}

export async function connectProxiedStore(timeoutMs?: number): Promise<ProxiedStore> {
  const { uri, drop } = ownDatabase()
  const proxied = new URL(uri)
  const proxy = await tcpProxy({ host: proxied.hostname, port: Number(proxied.port || 27017) })
  proxied.host = `127.0.0.1:${proxy.port}`
  // Otherwise a replica set would make the driver bypass the proxy.
  proxied.searchParams.set('directConnection', 'true')
  // By default the driver waits half a second before it looks for a server again, in each test of a broken connection.
  proxied.searchParams.set('minHeartbeatFrequencyMS', '20')
  const opened: MongoStore[] = []
  async function open(): Promise<MongoStore> {
    const store = await connectMongoStore(proxied.href, timeoutMs === undefined ? {} : { timeoutMs })
    opened.push(store)
    return store
  }
  const store = await open()
  return {
    store,
    uri,
    proxy,
    open,
    async restore() {
      proxy.restore()
      await expect.poll(() => isUp(store), { timeout: 20_000 }).toBe(true)
    },
    async close() {
      await Promise.all(opened.map((each) => each.close()))
      await proxy.close()
      await drop()
    },
  }
}

const isUp = (store: MongoStore): Promise<boolean> =>
  store.ping().then(
    () => true,
    () => false,
  )
