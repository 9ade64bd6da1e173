import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { listen, stop } from '../../../../tools/vitest/listen.ts'

/** The server of an issuer. The test decides how it responds. */
export type KeySetServer = {
  readonly url: string
  /** The number of requests so far. */
  requests(): number
  /** Waits for the given number of requests, and resolves with the response of the last one. */
  asked(times: number): Promise<ServerResponse>
  /** Changes the response to later requests. */
  respondWith(listener: RequestListener): void
  /** Closes all connections and accepts no more. */
  stop(): Promise<void>
}

/** Responds with a body: a string as it is, anything else as JSON. */
export const jsonResponse =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

export async function keySetServer(first: RequestListener): Promise<KeySetServer> {
  let listener = first
  const responses: ServerResponse[] = []
  const server = createServer((request, response) => {
    responses.push(response)
    server.emit('asked')
    listener(request, response)
  })
  return {
    url: `http://127.0.0.1:${await listen(server)}/jwks`,
    requests: () => responses.length,
    async asked(times) {
      for (;;) {
        const response = responses[times - 1]
        if (response !== undefined) return response
        await once(server, 'asked')
      }
    },
    respondWith(next) {
      listener = next
    },
    stop: () => stop(server),
  }
}
