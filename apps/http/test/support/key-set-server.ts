import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

/** The server of an issuer. The test decides how it responds. */
export type KeySetServer = {
  readonly url: string
  /** The number of requests so far. */
  requests(): number
  /** Waits for the given number of requests, and resolves with the response of the last one. */
  asked(times: number): Promise<ServerResponse>
  /** Changes the response to later requests. */
  answerWith(answer: RequestListener): void
  /** Closes all connections and accepts no more. */
  stop(): Promise<void>
}

/** Responds with a body: a string as it is, anything else as JSON. */
export const answering =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

export async function keySetServer(first: RequestListener): Promise<KeySetServer> {
  let answer = first
  const responses: ServerResponse[] = []
  const server = createServer((request, response) => {
    responses.push(response)
    server.emit('asked')
    answer(request, response)
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
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return {
    url: `http://127.0.0.1:${address.port}/jwks`,
    requests: () => responses.length,
    async asked(times) {
      for (;;) {
        const response = responses[times - 1]
        if (response !== undefined) return response
        await once(server, 'asked')
      }
    },
    answerWith(next) {
      answer = next
    },
    stop,
  }
}
