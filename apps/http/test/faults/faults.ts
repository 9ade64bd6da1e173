import { setTimeout } from 'node:timers/promises'
import type { Store } from '@auction/domain/store'
import type { TcpProxy } from '@auction/testing/tcp-proxy'
import type { Clients } from './clients.ts'
import type { HttpServer, Settings } from './http-server.ts'

/** Two HTTP servers on one store, and their clients. */
export type Scene = {
  readonly servers: readonly [HttpServer, HttpServer]
  readonly clients: Clients
}

/** A fault of one server, or of the store of both. It has ended when `inflict` resolves. */
export type InjectedFault = {
  readonly name: string
  inflict(scene: Scene, server: HttpServer): Promise<void>
}

/** Some of the short auctions end in this time. */
const haltMs = 3_000

export const otherServer = ({ servers: [a, b] }: Scene, server: HttpServer): HttpServer => (server === a ? b : a)

export const killOne: InjectedFault = {
  name: 'the HTTP server is killed and started again',
  async inflict(scene, server) {
    await server.kill()
    await scene.clients.accepted(otherServer(scene, server), scene.clients.count)
    await server.start()
  },
}

export const haltOne: InjectedFault = {
  name: 'the HTTP server is paused, and continues after auctions have ended',
  async inflict(scene, server) {
    server.halt()
    await Promise.all([scene.clients.accepted(otherServer(scene, server), 3 * scene.clients.count), setTimeout(haltMs)])
    server.goOn()
  },
}

/** Faults of the network between each server and its database. */
export function networkFaults(proxies: readonly [TcpProxy, TcpProxy]): readonly InjectedFault[] {
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
        await scene.clients.accepted(otherServer(scene, server), scene.clients.count)
        proxyOf(scene, server).restore()
      },
    },
    {
      name: 'the network to the database holds everything back',
      async inflict(scene, server) {
        proxyOf(scene, server).hang()
        await scene.clients.accepted(otherServer(scene, server), scene.clients.count)
        proxyOf(scene, server).restore()
      },
    },
  ]
}

/** A server that keeps all acknowledged writes. */
type DatabaseServer = {
  kill(): Promise<void>
  /** Restarts it; resolves when it responds. */
  start(): Promise<void>
}

export const killDatabase = (database: DatabaseServer): InjectedFault => ({
  name: 'the database is killed and started again',
  async inflict() {
    await database.kill()
    await database.start()
  },
})

/** A store that two HTTP servers share, and its faults. */
export type StoreUnderTest = {
  /** The settings of each server for the store. */
  readonly settings: readonly [Settings, Settings]
  readonly faults: readonly InjectedFault[]
  /** Opens the store without a proxy. */
  open(): Promise<Store & { close(): Promise<void> }>
  stop(): Promise<void>
}
