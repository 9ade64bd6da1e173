import { once } from 'node:events'
import { createServer } from 'node:http'
import { listenOn } from '../server/listen.ts'

export type AdminPage = { readonly contentType: string; readonly read: () => Promise<string> }

type AdminAddress = { readonly host: string; readonly port: number; readonly answerMs?: number }

export type AdminServer = Awaited<ReturnType<typeof openAdminServer>>

// For one or two scrapers and a person.
const maxConnections = 16
const timeoutMs = 5_000
/** Prometheus stops a slower scrape itself, by default after 10 seconds. */
const longestAnswerMs = 10_000

/**
 * A small server for operators, on a separate address: GET and HEAD for a few paths, with a few connections at once, each with a
 * short time limit.
 * @throws Node's errors, such as EADDRINUSE
 */
export async function openAdminServer(
  { host, port, answerMs = longestAnswerMs }: AdminAddress,
  pages: Readonly<Record<string, AdminPage>>,
) {
  const limits = { headersTimeout: timeoutMs, requestTimeout: timeoutMs, keepAliveTimeout: timeoutMs }
  const server = createServer({ ...limits, connectionsCheckingInterval: 1_000 }, (request, response) => {
    const page = new Map(Object.entries(pages)).get(request.url?.split('?', 1)[0] ?? '')
    if (page === undefined) end(404, `This page does not exist. Pages: ${Object.keys(pages).join(', ')}.\n`)
    else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      end(405, 'Only GET and HEAD are here.\n')
    } else {
      page.read().then(
        (text) => end(200, text, page.contentType),
        () => end(500, 'The page could not be created.\n'),
      )
    }

    function end(status: number, text: string, contentType = 'text/plain; charset=utf-8'): void {
      // An unread body must not block the connection.
      if (status !== 200) response.setHeader('connection', 'close')
      response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text)
    }
  })
  server.maxConnections = maxConnections
  // Node closes a connection without a byte for this time.
  server.timeout = answerMs
  // Node hands these connections over, and does not close them.
  server.on('connect', (_request, socket) => socket.destroy())
  const { url } = await listenOn(server, host, port)
  return {
    url,
    async close(): Promise<void> {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
