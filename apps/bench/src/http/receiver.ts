import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Defer } from '../scope.ts'

/** Starts an endpoint of webhooks in this process, which accepts each message. */
export async function startReceiver(defer: Defer) {
  let accepted = 0
  const events = new Set<unknown>()
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      events.add(request.headers['webhook-id'])
      response.writeHead(204).end()
      accepted += 1
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // The cast: a server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  defer(() => server.close().closeAllConnections())
  return {
    url: `http://127.0.0.1:${port}/`,
    /** The number of accepted messages so far, and of the different events in them. */
    counts: () => ({ accepted, events: events.size }),
  }
}
