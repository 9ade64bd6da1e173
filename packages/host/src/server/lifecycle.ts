import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { badRequest, commonHeaders, cutShort, type Problem, sendProblem, shuttingDown } from '../responses/problem.ts'
import type { RequestsInFlight } from './in-flight.ts'
import { methodNotAllowed } from './other-methods.ts'
import { headerCount, isProbe, pathOf } from './requests.ts'

export type Lifecycle = ReturnType<typeof addLifecycle>

/** Registers each request, refuses those that no route can serve, and drains the server when it closes. */
export function addLifecycle(app: FastifyInstance, inFlight: RequestsInFlight, store: { isOpen(): boolean }) {
  let phase: 'serving' | 'draining' | 'closing' = 'serving'

  const onRequest: onRequestHookHandler = (request, reply, done) => {
    inFlight.open(request, reply)
    if (phase === 'draining') closeAfter(reply)
    const problem = refusal(request)
    if (problem?.code === 'not-found' && isBrowserAtRoot(request)) reply.headers(commonHeaders).redirect('docs')
    else if (problem !== undefined) sendProblem(reply, problem)
    else if (isOfWholeServer(request))
      reply
        .headers({ ...commonHeaders, allow: methodsOfServer })
        .code(204)
        .send()
    else done()
  }

  function refusal(request: FastifyRequest): Problem | undefined {
    if (phase === 'closing' && !isProbe(request.url)) return shuttingDown
    if (!store.isOpen() && !isProbe(request.url)) return starting
    const fault = framingProblem(request.raw)
    if (fault !== undefined) return fault
    if (isOfWholeServer(request)) return undefined
    if (request.is404 && !app.supportedMethods.includes(request.method))
      return methodNotAllowed(request, methodsOfServer)
    // The router takes * for /.
    return request.is404 || request.url.startsWith('*') ? noSuchRoute(request) : undefined
  }

  app.addHook('onRequest', onRequest)
  app.addHook('preClose', (done) => {
    phase = 'closing'
    // Node closes idle connections only once, and waits for connections without any request.
    inFlight.onIdle(() => setImmediate(() => app.server.closeAllConnections()))
    done()
  })
  // The event of the response follows a little after that of the connection.
  app.addHook('onClose', () => new Promise<void>((resolve) => inFlight.onIdle(resolve)))

  /** The shutdown of the server, step by step. */
  return {
    /** Makes responses close their connections from now on. */
    drain(): void {
      if (phase === 'serving') phase = 'draining'
      for (const reply of inFlight.unsent()) closeAfter(reply)
    },
    /** Whether the server is draining or closing. */
    isDraining: (): boolean => phase !== 'serving',
    /** Refuses the incomplete requests. */
    refuseUnfinished(): void {
      for (const reply of inFlight.unsent()) if (!reply.request.raw.complete) sendProblem(reply, shuttingDown)
    },
    /** Responds to all requests in flight immediately. */
    cutShort(): void {
      for (const reply of inFlight.unsent()) sendProblem(reply, cutShort(reply.request))
    },
  }
}

const closeAfter = (reply: FastifyReply): FastifyReply => reply.header('connection', 'close')

/**
 * Whether a request is for the methods of the whole server (`OPTIONS *`, RFC 9110, section 9.3.7), or for those of an
 * unknown path, which @fastify/cors has a route for: a script must be able to read the 404 that follows its preflight.
 */
const isOfWholeServer = ({ method, url, routeOptions }: FastifyRequest): boolean =>
  method === 'OPTIONS' && (url === '*' || routeOptions.url === '*')
const methodsOfServer = 'GET, HEAD, OPTIONS, PATCH, POST, PUT'

const starting: Problem = {
  code: 'store-unavailable',
  message: 'The server is waiting for its store; nothing was changed. Send the request again.',
}

/** Browsers name HTML in `Accept`. Other clients accept any type, and receive a 404. */
const isBrowserAtRoot = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'GET' && pathOf(url) === '/' && /\btext\/html\b/.test(headers.accept ?? '')

const noSuchRoute = ({ method, url }: FastifyRequest): Problem => ({
  code: 'not-found',
  message: `No route for ${method} ${pathOf(url)}; see /docs.`,
})

// The characters of a host and a port (RFC 3986). The header may be empty.
const hostForm = /^[\w.~!$&'()*+,;=%:[\]-]*$/

/** Returns the violation of HTTP/1.1 that Node's parser accepts, if the request has one. */
function framingProblem(request: IncomingMessage): Problem | undefined {
  const { httpVersion } = request
  const { host, 'transfer-encoding': coding } = request.headers
  // RFC 9112, section 3.2. Node would refuse a missing header with an empty response.
  if (host === undefined) return httpVersion === '1.1' ? hostMissing : undefined
  if (headerCount(request, 'host') !== 1 || !hostForm.test(host)) return hostWrong
  // Node decodes only chunked. The server would misread a body with another coding (RFC 9112, section 6.1).
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return otherCoding
  return undefined
}

const hostMissing = badRequest('The Host header is missing.')
const hostWrong = badRequest('The request must have exactly one Host header, with a host and an optional port.')
const otherCoding: Problem = {
  ...badRequest('The only supported Transfer-Encoding is chunked; send the body with that or with a Content-Length.'),
  // The end of the body is unknown.
  headers: { connection: 'close' },
}
