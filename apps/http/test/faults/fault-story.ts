import { connectMongoStore } from '@auction/adapters/mongodb'
import type { Entry } from '@auction/domain/ledger/entry'
import type { RequestKey } from '@auction/domain/request-key'
import type { AuctionPosition, Store, StoredAuction } from '@auction/domain/store'
import { checkHistory } from '@auction/domain/testing/check-history'
import type { History, Violation } from '@auction/domain/testing/history'
import { MongoClient } from 'mongodb'
import { type TcpProxy, tcpProxy } from '../../../../tools/vitest/tcp-proxy.ts'
import { type Clients, startClients } from './clients.ts'
import type { DatabaseServer } from './database-server.ts'
import { type HttpServer, startHttpServer } from './http-server.ts'

/** One HTTP server process and its own stretch of network to the database. */
type Instance = { readonly server: HttpServer; readonly proxy: TcpProxy }

type Scene = {
  readonly instances: readonly [Instance, Instance]
  /** Only where the test may kill it. */
  readonly database: DatabaseServer | undefined
  readonly clients: Clients
}

type Fault = {
  readonly name: string
  readonly needsDatabase?: true
  inflict(scene: Scene, instance: Instance): Promise<void>
}

/** Accepted bids between the beginning of a fault and its end: enough for many appends to be under way. */
const underFault = 10
const other = ({ instances: [a, b] }: Scene, instance: Instance) => (instance === a ? b : a)

export const faults: readonly Fault[] = [
  {
    name: 'the HTTP server is killed and started again',
    async inflict(scene, instance) {
      await instance.server.kill()
      await scene.clients.accepted(other(scene, instance).server, underFault)
      await instance.server.start()
    },
  },
  {
    name: 'the HTTP server is halted, and goes on after auctions have ended',
    async inflict(scene, instance) {
      instance.server.halt()
      await scene.clients.accepted(other(scene, instance).server, 3 * underFault)
      instance.server.goOn()
    },
  },
  {
    name: 'connections to the database are cut again and again',
    async inflict({ clients }, instance) {
      for (let times = 0; times < 5; times++) {
        instance.proxy.cut()
        instance.proxy.restore()
        await clients.accepted(instance.server, 1)
      }
    },
  },
  {
    name: 'the database is out of reach for one HTTP server',
    async inflict(scene, instance) {
      instance.proxy.cut()
      await scene.clients.accepted(other(scene, instance).server, underFault)
      instance.proxy.restore()
    },
  },
  {
    name: 'the network to the database holds everything back',
    async inflict(scene, instance) {
      instance.proxy.hang()
      await scene.clients.accepted(other(scene, instance).server, underFault)
      instance.proxy.restore()
    },
  },
  {
    name: 'the database is killed and started again',
    needsDatabase: true,
    async inflict({ database }) {
      await database?.kill()
      await database?.start()
    },
  },
]

export type Story = History & {
  readonly violations: readonly Violation[]
  readonly exitCodes: readonly (number | null)[]
}

/** How a server came back after a fault had ended. */
type Recovery = { readonly fault: string; readonly recoveryMs: number; readonly attempts: number }

export type StoryOptions = {
  /** The database, with its name in the path. */
  readonly uri: string
  readonly database?: DatabaseServer
  readonly clients: number
  /** Answers the next fault, or undefined at the end; is told how each recovery went. */
  readonly nextFault: (after: Recovery | undefined) => Fault | undefined
}

/**
 * Two HTTP servers serve one database while faults befall them, one after another. After each fault both servers must accept bids
 * again by themselves. Answers what the clients saw, what is stored, and which promises were broken.
 */
export async function faultStory({ uri, database, clients: count, nextFault }: StoryOptions): Promise<Story> {
  const { hostname, port } = new URL(uri.replace(/^mongodb:/, 'http:'))
  const store = await connectMongoStore(uri)
  const instance = async (): Promise<Instance> => {
    const proxy = await tcpProxy({ host: hostname, port: Number(port || 27017) })
    return { proxy, server: await startHttpServer(throughProxy(uri, proxy.port)) }
  }
  const instances = [await instance(), await instance()] as const
  const clients = await startClients(
    instances.map(({ server }) => server),
    count,
  )
  const scene: Scene = { instances, database, clients }

  const serving = () => Promise.all(instances.map(({ server }) => clients.accepted(server, 10)))
  await serving()
  let turn = 0
  for (let fault = nextFault(undefined); fault !== undefined; ) {
    await fault.inflict(scene, instances[turn++ % 2 === 0 ? 0 : 1])
    const endedAtMs = performance.now()
    await serving()
    fault = nextFault({
      fault: fault.name,
      recoveryMs: performance.now() - endedAtMs,
      attempts: clients.attempts.length,
    })
  }
  await clients.stop()
  await clients.awaitResults(instances[0].server)

  const exitCodes = await Promise.all(instances.map(({ server }) => server.stop()))
  await Promise.all(instances.map(({ proxy }) => proxy.close()))
  const stored = await allThatIsStored(store, await requestKeysOfAuctions(uri))
  await store.close()
  const history = { ...stored, attempts: clients.attempts, clockErrorMs: 5, marginMs: 2_000 }
  return { ...history, violations: checkHistory(history), exitCodes }
}

/** The keys under which auctions were created, by their ids: the store's own reads do not tell them. */
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

async function allThatIsStored(
  store: Store,
  keys: ReadonlyMap<number, RequestKey>,
): Promise<{ readonly auctions: readonly StoredAuction[]; readonly ledger: readonly Entry[] }> {
  const auctions: StoredAuction[] = []
  const ledger: Entry[] = []
  let after: AuctionPosition | undefined
  do {
    const page = await store.listAuctions({ limit: 100, order: 'newest', ...(after && { after }) })
    for (const auction of page.auctions) {
      const requestKey = keys.get(auction.id)
      auctions.push({ ...auction, ...(requestKey && { requestKey }) })
    }
    after = page.next
  } while (after !== undefined)
  for (const { id } of auctions) ledger.push(...(await store.listEntries(id, { limit: 1_000_000 })))
  return { auctions, ledger }
}

const throughProxy = (uri: string, port: number): string => {
  const proxied = uri.replace(/^(mongodb:\/\/(?:[^@/]*@)?)[^/?]*/, `$1127.0.0.1:${port}`)
  // The other members of a replica set would be reached around the proxy.
  return proxied.includes('directConnection')
    ? proxied
    : `${proxied}${proxied.includes('?') ? '&' : '?'}directConnection=true`
}
