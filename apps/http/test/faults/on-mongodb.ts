import { connectMongoStore } from '@auction/adapters/mongodb'
import { startTcpProxy, type TcpProxy } from '@auction/testing/tcp-proxy'
import { startDatabase } from './database-server.ts'
import type { StoreUnderTest } from './faults.ts'
import { haltOne, type InjectedFault, killDatabase, killOne, networkFaults } from './faults.ts'

/** A separate database server, which the test may kill. `command` starts it, as for `startDatabase`. */
export async function onOwnMongodb(command: string): Promise<StoreUnderTest> {
  const database = await startDatabase(command)
  const store = await onMongodb(`mongodb://127.0.0.1:${database.port}/faults`, [killDatabase(database)])
  return {
    ...store,
    async stop() {
      await store.stop()
      await database.stop()
    },
  }
}

/** An existing database, with its name in the path, and a separate network proxy for each server. */
export async function onMongodb(uri: string, more: readonly InjectedFault[] = []): Promise<StoreUnderTest> {
  const { hostname, port } = new URL(uri.replace(/^mongodb:/, 'http:'))
  const proxyTo = () => startTcpProxy({ host: hostname, port: Number(port || 27017) })
  const proxies = [await proxyTo(), await proxyTo()] as const
  const settingsOf = (proxy: TcpProxy) => ({ MONGODB_URI: throughProxy(uri, proxy.port) })
  return {
    settings: [settingsOf(proxies[0]), settingsOf(proxies[1])],
    faults: [killOne, haltOne, ...networkFaults(proxies), ...more],
    open: () => connectMongoStore(uri),
    async stop() {
      await Promise.all(proxies.map((proxy) => proxy.close()))
    },
  }
}

const throughProxy = (uri: string, port: number): string => {
  const proxied = uri.replace(/^(mongodb:\/\/(?:[^@/]*@)?)[^/?]*/, `$1127.0.0.1:${port}`)
  // The other members of a replica set would bypass the proxy.
  return proxied.includes('directConnection')
    ? proxied
    : `${proxied}${proxied.includes('?') ? '&' : '?'}directConnection=true`
}
