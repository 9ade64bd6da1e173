import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Registry } from 'prom-client'
import { listenOn } from '../server/listen.ts'

type AdminAddress = { readonly host: string; readonly port: number; readonly responseMs?: number }

export type AdminServer = Awaited<ReturnType<typeof openAdminServer>>

// One or two scrapers and a person share them.
const maxConnections = 16
const timeoutMs = 5_000
/** Prometheus stops a slower scrape itself, by default after 10 seconds. */
const longestResponseMs = 10_000

const path = '/metrics'

/**
 * A small server for operators, on a separate address: GET and HEAD for the metrics, with a few connections at once,
 * each with a short time limit.
 * @throws Node's errors, such as EADDRINUSE
 */
export async function openAdminServer(
  { host, port, responseMs = longestResponseMs }: AdminAddress,
  registry: Pick<Registry, 'contentType' | 'metrics'>,
) {
  const limits = { headersTimeout: timeoutMs, requestTimeout: timeoutMs, keepAliveTimeout: timeoutMs }
  const server = createServer({ ...limits, connectionsCheckingInterval: 1_000 }, (request, response) => {
    if (request.url?.split('?', 1)[0] !== path) end(404, `This page does not exist; the only page is ${path}.\n`)
    else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      end(405, 'Only GET and HEAD are allowed.\n')
    } else {
      registry.metrics().then(
        (text) => end(200, text, registry.contentType),
        () => end(500, 'The page could not be created.\n'),
      )
    }

    function end(status: number, text: string, type = 'text/plain; charset=utf-8'): void {
      // An unread body must not block the connection.
      if (status !== 200) response.setHeader('connection', 'close')
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
    }
  })
  server.maxConnections = maxConnections
  // Node closes a connection without a byte for this time.
  server.timeout = responseMs
  // Node hands these connections over, and does not close them.
  server.on('connect', (_request, socket) => socket.destroy())
  const { url } = await listenOn(server, host, port)
  return {
    url: `${url}${path}`,
    async close(): Promise<void> {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
