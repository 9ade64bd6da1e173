import { once } from 'node:events'
import { Server as HttpServer } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'

/** Lets a server of a test listen on a free port of this machine, and stops it after the test. Returns the port. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => stop(server))
  // The cast: a server that listens on a port has an address of this form.
  return (server.address() as AddressInfo).port
}

/** Closes all connections of HTTP, and accepts no more. */
export async function stop(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = once(server.close(), 'close')
  if (server instanceof HttpServer || server instanceof HttpsServer) {
    server.closeAllConnections()
    await closed
  }
}
