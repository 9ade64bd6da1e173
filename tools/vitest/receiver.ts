import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen, stop } from './listen.ts'

type ReceivedMessage = { readonly headers: IncomingHttpHeaders; readonly body: string }

/** An endpoint of webhooks. The test decides how it responds. */
export type Receiver = {
  readonly url: string
  /** The messages so far. */
  readonly messages: readonly ReceivedMessage[]
  /** Waits for the given number of messages. */
  received(count: number): Promise<readonly ReceivedMessage[]>
  /** Changes the response to later messages. */
  respondWith(responder: Responder): void
  /** The number of connections so far. */
  connections(): number
  /** Closes all connections and accepts no more. */
  stop(): Promise<void>
}

type Responder = (response: ServerResponse, message: ReceivedMessage) => void

/** Responds with a status. */
export const withStatus =
  (status: number, headers: Readonly<Record<string, string>> = {}): Responder =>
  (response) =>
    void response.writeHead(status, headers).end()

/** Starts an endpoint for one test, which responds 204 at first. */
export async function startReceiver(): Promise<Receiver> {
  let responder = withStatus(204)
  let connections = 0
  const messages: ReceivedMessage[] = []
  const receive: RequestListener = async (request, response) => {
    const message = { headers: request.headers, body: await text(request) }
    messages.push(message)
    responder(response, message)
    server.emit('message')
  }
  const listener: RequestListener = (request, response) => void receive(request, response)
  const server = createServer(listener)
  server.on('connection', () => {
    connections += 1
  })
  return {
    url: `http://127.0.0.1:${await listen(server)}/hook`,
    messages,
    async received(count) {
      while (messages.length < count) await once(server, 'message')
      return messages.slice(0, count)
    },
    respondWith(next) {
      responder = next
    },
    connections: () => connections,
    stop: () => stop(server),
  }
}
