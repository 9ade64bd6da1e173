import { setTimeout } from 'node:timers/promises'
import { isLong } from '../../../../tools/vitest/size.ts'
import type { TcpProxy } from '../../../../tools/vitest/tcp-proxy.ts'
import type { Clients } from './clients.ts'
import type { HttpServer } from './http-server.ts'

/** Two HTTP servers on one store, and their clients. */
export type Scene = {
  readonly servers: readonly [HttpServer, HttpServer]
  readonly clients: Clients
}

/** What befalls one of the servers, or the store of both. It has ended when `inflict` resolves. */
export type Fault = {
  readonly name: string
  inflict(scene: Scene, server: HttpServer): Promise<void>
}

/** Accepted bids between the beginning of a fault and its end: enough for appends to be under way. */
export const underFault = isLong ? 10 : 4

/** In this time some of the short auctions end. */
const haltMs = 3_000

export const otherServer = ({ servers: [a, b] }: Scene, server: HttpServer): HttpServer => (server === a ? b : a)

export const killOne: Fault = {
  name: 'the HTTP server is killed and started again',
  async inflict(scene, server) {
    await server.kill()
    await scene.clients.accepted(otherServer(scene, server), underFault)
    await server.start()
  },
}

export const haltOne: Fault = {
  name: 'the HTTP server is halted, and goes on after auctions have ended',
  async inflict(scene, server) {
    server.halt()
    await Promise.all([scene.clients.accepted(otherServer(scene, server), 3 * underFault), setTimeout(haltMs)])
    server.goOn()
  },
}

/** What befalls the network between each of the servers and their database. */
export function networkFaults(proxies: readonly [TcpProxy, TcpProxy]): readonly Fault[] {
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

/** A server that keeps what it has acknowledged. */
type DatabaseServer = {
  kill(): Promise<void>
  /** Starts it again; returns when it answers. */
  start(): Promise<void>
}

export const killDatabase = (database: DatabaseServer): Fault => ({
  name: 'the database is killed and started again',
  async inflict() {
    await database.kill()
    await database.start()
  },
})
