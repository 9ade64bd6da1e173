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

/** Accepted bids between the beginning of a fault and its end: enough for many appends to be under way. */
export const underFault = 10

export const otherServer = ({ servers: [a, b] }: Scene, server: HttpServer): HttpServer => (server === a ? b : a)

export const killOne: Fault = {
  name: 'the HTTP server is killed and started again',
  async inflict(scene, server) {
    await server.kill()
    await scene.clients.accepted(otherServer(scene, server), underFault)
    await server.start()
  },
}
