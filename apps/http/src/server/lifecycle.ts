import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Logger } from 'pino'
import { type Problem, sendProblem } from '../answers/problem.ts'

/** What every request goes through, whatever its route. */
export type Lifecycle = {
  /** Counts and names a request. Only requests that Fastify lets through no hook have to be opened by hand. */
  open(request: FastifyRequest, reply: FastifyReply): void
  addTo(app: FastifyInstance): void
}

/** Gives each request its id and its log line, turns away what can't be served, and drains the server when it closes. */
export function requestLifecycle(logger: Logger): Lifecycle {
  let underWay = 0
  let endConnections: (() => void) | undefined

  // Not Fastify's onResponse: that stays silent when the client leaves before it has the answer.
  function open(request: FastifyRequest, reply: FastifyReply): void {
    const startMs = performance.now()
    underWay += 1
    reply.header('x-request-id', request.id)
    reply.raw.on('close', () => {
      underWay -= 1
      if (underWay === 0) endConnections?.()
      logRequest(logger, request, reply, startMs)
    })
  }

  const onRequest: onRequestHookHandler = (request, reply, done) => {
    open(request, reply)
    if (endConnections !== undefined) sendProblem(reply, shuttingDown)
    else if (request.headers.host === undefined && request.raw.httpVersion === '1.1') sendProblem(reply, hostMissing)
    else if (request.is404) sendProblem(reply, noSuchRoute(request))
    else done()
  }

  return {
    open,
    addTo(app) {
      app.addHook('onRequest', onRequest)
      // Node closes idle connections only once, and waits for those on which nothing was ever sent.
      app.addHook('preClose', (done) => {
        endConnections = () => setImmediate(() => app.server.closeAllConnections())
        if (underWay === 0) endConnections()
        done()
      })
    },
  }
}

const shuttingDown: Problem = {
  code: 'overloaded',
  message: 'The server is shutting down; nothing was changed, and the request may be sent again.',
  headers: { connection: 'close' },
}

// RFC 9112, section 3.2. Node would refuse it itself, with an empty answer.
const hostMissing: Problem = { code: 'bad-request', message: 'The header Host is missing.' }

const noSuchRoute = ({ method, url }: FastifyRequest): Problem => ({
  code: 'not-found',
  message: `There is no ${method} ${pathOf(url)}; see /api/Auctions and /api/Bids.`,
})

/** Paths only: a query may hold what a log must not. */
const pathOf = (url: string): string => url.split('?', 1)[0] ?? url

function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply, startMs: number): void {
  if (!logger.isLevelEnabled('info')) return
  const { id: requestId, method, url, caller } = request
  const ms = Math.round((performance.now() - startMs) * 100) / 100
  // A client that left early has not seen the status.
  const unseen = reply.raw.writableFinished ? undefined : true
  logger.info({ requestId, method, path: pathOf(url), status: reply.statusCode, ms, caller: caller?.key, unseen })
}
