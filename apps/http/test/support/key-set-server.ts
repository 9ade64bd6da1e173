import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

/** An issuer's server, on a port of its own, that answers as a test tells it. */
export type KeySetServer = {
  readonly url: string
  /** How often the key set was asked for. */
  requests(): number
  /** Waits until it has been asked for so often, and answers the response of that request. */
  asked(times: number): Promise<ServerResponse>
  /** Changes how it answers from now on. */
  answerWith(answer: RequestListener): void
  /** Takes no connections any more. */
  stop(): Promise<void>
}

/** Answers with a body, as it is or as JSON. */
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
