import { connectPostgresqlStore } from '@auction/adapters/postgresql'
import { startTcpProxy, type TcpProxy } from '@auction/testing/tcp-proxy'
import type { PostgresqlCluster } from '../../../../tools/vitest/postgresql-cluster.ts'
import type { StoreUnderTest } from './faults.ts'
import { haltOne, type InjectedFault, killDatabase, killOne, networkFaults } from './faults.ts'

/** A separate database server, which the test may kill. */
export async function onOwnPostgresql(cluster: PostgresqlCluster): Promise<StoreUnderTest> {
  const store = await onPostgresql(cluster.uri, [killDatabase(cluster)])
  return {
    ...store,
    async stop() {
      await store.stop()
      await cluster.stop()
    },
  }
}

/** An existing database, and a separate network proxy for each server. */
export async function onPostgresql(uri: string, more: readonly InjectedFault[] = []): Promise<StoreUnderTest> {
  const { hostname, port } = new URL(uri)
  const proxyTo = () => startTcpProxy({ host: hostname, port: Number(port || 5432) })
  const proxies = [await proxyTo(), await proxyTo()] as const
  const settingsOf = (proxy: TcpProxy) => {
    const proxied = new URL(uri)
    proxied.host = `127.0.0.1:${proxy.port}`
    return { POSTGRESQL_URI: proxied.href }
  }
  return {
    settings: [settingsOf(proxies[0]), settingsOf(proxies[1])],
    faults: [killOne, haltOne, ...networkFaults(proxies), ...more],
    open: () => connectPostgresqlStore(uri),
    async stop() {
      await Promise.all(proxies.map((proxy) => proxy.close()))
    },
  }
}
