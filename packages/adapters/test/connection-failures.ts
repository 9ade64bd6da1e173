import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { isStoreUnavailable } from '@auction/domain/errors'
import { onTestFinished } from 'vitest'

/** A secret of the URIs of these tests, in any form. */
export const secret = /p@ss|p%40ss|alice/

/** All information in a failure to connect, including properties that are not enumerable. */
export async function failureOf(connecting: Promise<{ close(): Promise<void> }>) {
  const error: unknown = await connecting.then(
    (store) => store.close(),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw new Error('it connected')
  const everything = inspect(error, { depth: null, showHidden: true })
  return { message: error.message, everything, mayPass: isStoreUnavailable(error) }
}

/** The port of a server that accepts connections and handles them as given, until its test ends. */
export async function portOf(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined))
    onConnection(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  // The cast: a server that listens on a port has an address of this form.
  return (server.address() as AddressInfo).port
}
