import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

type ReceivedMessage = { readonly headers: IncomingHttpHeaders; readonly body: string }

/** An endpoint of webhooks. The test decides how it responds. */
export type Receiver = {
  readonly url: string
  /** The messages so far. */
  readonly messages: readonly ReceivedMessage[]
  /** Waits for the given number of messages. */
  received(count: number): Promise<readonly ReceivedMessage[]>
  /** Changes the response to later messages. */
  answerWith(answer: Answer): void
  /** The number of connections so far. */
  connections(): number
  /** Closes all connections and accepts no more. */
  stop(): Promise<void>
}

type Answer = (response: ServerResponse, message: ReceivedMessage) => void

/** Responds with a status. */
export const withStatus =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end()

/** Starts an endpoint for one test, which responds 204 at first. */
export async function startReceiver(tls?: { readonly cert: string; readonly key: string }): Promise<Receiver> {
  let answer = withStatus(204)
  let connections = 0
  const messages: ReceivedMessage[] = []
  const receive: RequestListener = async (request, response) => {
    const message = { headers: request.headers, body: await text(request) }
    messages.push(message)
    answer(response, message)
    server.emit('message')
  }
  const listener: RequestListener = (request, response) => void receive(request, response)
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  async function stop(): Promise<void> {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  onTestFinished(stop)
  // The cast: it listens on a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http${tls === undefined ? '' : 's'}://127.0.0.1:${port}/hook`,
    messages,
    async received(count) {
      while (messages.length < count) await once(server, 'message')
      return messages.slice(0, count)
    },
    answerWith(next) {
      answer = next
    },
    connections: () => connections,
    stop,
  }
}
