import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { createServer } from '../server/node-http.ts'

/** A page of the admin server. */
export type AdminPage = { readonly contentType: string; readonly read: () => Promise<string> }

type AdminAddress = {
  readonly host: string
  readonly port: number
  /** How long one answer may take. */
  readonly answerMs?: number
}

export type AdminServer = {
  readonly url: string
  close(): Promise<void>
}

// A scraper or two, and a person.
const maxConnections = 16
const arrivalMs = 5_000
const idleMs = 5_000
/** A scraper that takes longer to read is given up by Prometheus itself, after 10 seconds if nothing is said. */
const longestAnswerMs = 10_000

/**
 * A small server for whoever runs the service, on an address of its own: it answers GET, and HEAD, on a few paths, few connections
 * at once, and each for a short time.
 * @throws Error of Node's, such as EADDRINUSE
 */
export async function openAdminServer(
  { host, port, answerMs = longestAnswerMs }: AdminAddress,
  pages: Readonly<Record<string, AdminPage>>,
): Promise<AdminServer> {
  const server = createServer(
    {
      headersTimeout: arrivalMs,
      requestTimeout: arrivalMs,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: idleMs,
    },
    answerFrom(new Map(Object.entries(pages)), answerMs),
  )
  server.maxConnections = maxConnections
  // Node hands these connections over, and closes none of them.
  server.on('connect', (_request, socket) => socket.destroy())
  server.listen({ host, port })
  await once(server, 'listening')
  // The cast: a server that listens on a port has an address of this form.
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${bound}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function answerFrom(pages: ReadonlyMap<string, AdminPage>, answerMs: number): RequestListener {
  const paths = [...pages.keys()].join(', ')
  return (request, response) => {
    const timer = setTimeout(() => response.destroy(), answerMs)
    response.on('close', () => clearTimeout(timer))
    const page = pages.get(request.url?.split('?', 1)[0] ?? '')
    if (page === undefined) {
      end(404, `There is no such page here; there is ${paths}.\n`)
      return
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      end(405, 'Only GET and HEAD are here.\n')
      return
    }
    page.read().then(
      (text) => end(200, text, page.contentType),
      () => end(500, 'The page could not be made.\n'),
    )

    function end(status: number, text: string, contentType = 'text/plain; charset=utf-8'): void {
      // A body that nobody reads must not hold up the connection.
      if (status !== 200) response.setHeader('connection', 'close')
      response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' })
      response.end(text)
    }
  }
}
