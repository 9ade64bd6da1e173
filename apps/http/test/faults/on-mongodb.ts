import { connectMongoStore } from '@auction/adapters/mongodb'
import type { RequestKey } from '@auction/domain/request-key'
import { MongoClient } from 'mongodb'
import { type TcpProxy, tcpProxy } from '../../../../tools/vitest/tcp-proxy.ts'
import { type DatabaseServer, startDatabase } from './database-server.ts'
import { type Fault, killOne, otherServer, type Scene, underFault } from './faults.ts'
import type { HttpServer } from './http-server.ts'
import type { StoreUnderTest } from './store-under-test.ts'

/** A database server of the story's own, which it may kill. `command` starts it, as `startDatabase` says. */
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

/** A database that is there, with its name in the path, and a stretch of network to it for each of the servers. */
export async function onMongodb(uri: string, more: readonly Fault[] = []): Promise<StoreUnderTest> {
  const { hostname, port } = new URL(uri.replace(/^mongodb:/, 'http:'))
  const proxyTo = () => tcpProxy({ host: hostname, port: Number(port || 27017) })
  const proxies = [await proxyTo(), await proxyTo()] as const
  const settingsOf = (proxy: TcpProxy) => ({ MONGODB_URI: throughProxy(uri, proxy.port) })
  return {
    settings: [settingsOf(proxies[0]), settingsOf(proxies[1])],
    faults: [killOne, haltOne, ...networkFaults(proxies), ...more],
    open: () => connectMongoStore(uri),
    requestKeysOfAuctions: () => requestKeysOfAuctions(uri),
    async stop() {
      await Promise.all(proxies.map((proxy) => proxy.close()))
    },
  }
}

const haltOne: Fault = {
  name: 'the HTTP server is halted, and goes on after auctions have ended',
  async inflict(scene, server) {
    server.halt()
    await scene.clients.accepted(otherServer(scene, server), 3 * underFault)
    server.goOn()
  },
}

function networkFaults(proxies: readonly [TcpProxy, TcpProxy]): readonly Fault[] {
  const proxyOf = ({ servers }: Scene, server: HttpServer) => proxies[server === servers[0] ? 0 : 1]
  return [
    {
      name: 'connections to the database are cut again and again',
      async inflict(scene, server) {
        for (let times = 0; times < 5; times++) {
          proxyOf(scene, server).cut()
          proxyOf(scene, server).restore()
          await scene.clients.accepted(server, 1)
        }
      },
    },
    {
      name: 'the database is out of reach for one HTTP server',
      async inflict(scene, server) {
        proxyOf(scene, server).cut()
        await scene.clients.accepted(otherServer(scene, server), underFault)
        proxyOf(scene, server).restore()
      },
    },
    {
      name: 'the network to the database holds everything back',
      async inflict(scene, server) {
        proxyOf(scene, server).hang()
        await scene.clients.accepted(otherServer(scene, server), underFault)
        proxyOf(scene, server).restore()
      },
    },
  ]
}

const killDatabase = (database: DatabaseServer): Fault => ({
  name: 'the database is killed and started again',
  async inflict() {
    await database.kill()
    await database.start()
  },
})

async function requestKeysOfAuctions(uri: string): Promise<ReadonlyMap<number, RequestKey>> {
  const client = new MongoClient(uri)
  try {
    const projection = { requestKey: 1 }
    const found = await client.db().collection<StoredKey>('auctions').find({}, { projection }).toArray()
    return new Map(found.map(({ _id, requestKey }) => [_id, requestKey]))
  } finally {
    await client.close()
  }
}

type StoredKey = { readonly _id: number; readonly requestKey: RequestKey }

const throughProxy = (uri: string, port: number): string => {
  const proxied = uri.replace(/^(mongodb:\/\/(?:[^@/]*@)?)[^/?]*/, `$1127.0.0.1:${port}`)
  // The other members of a replica set would be reached around the proxy.
  return proxied.includes('directConnection')
    ? proxied
    : `${proxied}${proxied.includes('?') ? '&' : '?'}directConnection=true`
}
