import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'

/** A page of the admin server. */
export type AdminPage = { readonly contentType: string; readonly read: () => Promise<string> }

type AdminAddress = {
  readonly host: string
  readonly port: number
  /** The time limit of a response. */
  readonly answerMs?: number
}

export type AdminServer = Awaited<ReturnType<typeof openAdminServer>>

// For one or two scrapers and a person.
const maxConnections = 16
const arrivalMs = 5_000
const idleMs = 5_000
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
  // Node hands these connections over, and does not close them.
  server.on('connect', (_request, socket) => socket.destroy())
  server.listen({ host, port })
  await once(server, 'listening')
  // The cast: a server that listens on a port has an address of this form.
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${bound}`,
    async close(): Promise<void> {
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
      end(404, `This page does not exist. Pages: ${paths}.\n`)
      return
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      end(405, 'Only GET and HEAD are here.\n')
      return
    }
    page.read().then(
      (text) => end(200, text, page.contentType),
      () => end(500, 'The page could not be created.\n'),
    )

    function end(status: number, text: string, contentType = 'text/plain; charset=utf-8'): void {
      // An unread body must not block the connection.
      if (status !== 200) response.setHeader('connection', 'close')
      response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' })
      response.end(text)
    }
  }
}
