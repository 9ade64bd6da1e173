import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Defer } from '../scope.ts'

/**
 * Starts an endpoint of webhooks in this process, which accepts each message, or holds the responses back for some
 * time.
 */
export async function startReceiver(defer: Defer) {
  let isHolding = false
  let accepted = 0
  let last: { readonly headers: IncomingHttpHeaders; readonly body: string } | undefined
  const events = new Set<unknown>()
  const held: ServerResponse[] = []
  const atCount = new Map<number, () => void>()

  function respond(response: ServerResponse): void {
    if (isHolding) return void held.push(response)
    response.writeHead(204).end()
    accepted += 1
    atCount.get(accepted)?.()
  }

  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (data) => {
      body += data
    })
    request.on('end', () => {
      last = { headers: request.headers, body }
      events.add(request.headers['webhook-id'])
      respond(response)
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
    lastMessage: () => last,
    hold(): void {
      isHolding = true
    },
    release(): void {
      isHolding = false
      for (const response of held.splice(0)) respond(response)
    },
    /** Resolves when it has accepted this number of messages in total. */
    async received(count: number): Promise<void> {
      if (accepted >= count) return
      const { promise, resolve } = Promise.withResolvers<void>()
      atCount.set(count, resolve)
      await promise
    },
  }
}
