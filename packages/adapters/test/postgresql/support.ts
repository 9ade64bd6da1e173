import { expect } from 'vitest'
import { execute } from '../../../../tools/vitest/postgresql.ts'
import { type TcpProxy, tcpProxy } from '../../../../tools/vitest/tcp-proxy.ts'
import { connectPostgresqlStore, type PostgresqlStore } from '../../src/postgresql/index.ts'

/** A store on a database, through a proxy that a test can interrupt. */
export type ProxiedStore = {
  readonly store: PostgresqlStore
  readonly proxy: TcpProxy
  /** Opens another store on the same database, as another process has it. */
  readonly open: () => Promise<PostgresqlStore>
  /** Restores the network, and waits until the store is available again. */
  readonly restore: () => Promise<void>
  /** Closes all stores, and drops everything that they created. */
  readonly close: () => Promise<void>
}

export async function connectProxiedStore(uri: string, timeoutMs?: number): Promise<ProxiedStore> {
  const proxied = new URL(uri)
  const proxy = await tcpProxy({ host: proxied.hostname, port: Number(proxied.port || 5432) })
  proxied.host = `127.0.0.1:${proxy.port}`
  const opened: PostgresqlStore[] = []
  async function open(): Promise<PostgresqlStore> {
    const store = await connectPostgresqlStore(proxied.href, timeoutMs === undefined ? {} : { timeoutMs })
    opened.push(store)
    return store
  }
  const store = await open()
  return {
    store,
    proxy,
    open,
    async restore() {
      proxy.restore()
      await expect.poll(() => isUp(store), { timeout: 20_000 }).toBe(true)
    },
    async close() {
      await Promise.all(opened.map((each) => each.close()))
      await proxy.close()
      await dropSchema(uri)
    },
  }
}

/** Far less work for the server than dropping a database. */
export const dropSchema = (uri: string) => execute(uri, 'DROP SCHEMA IF EXISTS auctions CASCADE')

const isUp = (store: PostgresqlStore): Promise<boolean> =>
  store.ping().then(
    () => true,
    () => false,
  )
