import { ownDatabase } from '../../../../tools/vitest/mongodb.ts'
import { connectMongoStore } from '../../src/mongodb/mongo-store.ts'
import { type ProxiedStore, proxyStore } from '../proxied-store.ts'

/** A store on a separate database, whose URI without the proxy is `uri`. */
export async function connectProxiedStore(timeoutMs?: number): Promise<ProxiedStore & { readonly uri: string }> {
  const { uri, drop } = ownDatabase()
  const proxied = new URL(uri)
  // Otherwise a replica set would make the driver bypass the proxy.
  proxied.searchParams.set('directConnection', 'true')
  // By default the driver waits half a second before it looks for a server again, in each test of a broken connection.
  proxied.searchParams.set('minHeartbeatFrequencyMS', '20')
  const connect = (href: string) => connectMongoStore(href, timeoutMs === undefined ? {} : { timeoutMs })
  return { uri, ...(await proxyStore({ uri: proxied, defaultPort: 27017, connect, drop })) }
}
