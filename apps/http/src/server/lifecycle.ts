import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Logger } from 'pino'
import { type Problem, sendProblem } from '../answers/problem.ts'
import { logRequest, pathOf } from './request-log.ts'
import type { ServerWatch } from './watch.ts'

/** What every request goes through, whatever its route. */
export type Lifecycle = {
  /** Counts and names a request. Only requests that Fastify lets through no hook have to be opened by hand. */
  open(request: FastifyRequest, reply: FastifyReply): void
  addTo(app: FastifyInstance): void
}

/** Gives each request its id and its log line, turns away what can't be served, and drains the server when it closes. */
export function createLifecycle(logger: Logger, watch?: ServerWatch): Lifecycle {
  let underWay = 0
  let endConnections: (() => void) | undefined
  let onLastEnd: (() => void) | undefined

  // Not Fastify's onResponse: that stays silent when the client leaves before it has the answer.
  function open(request: FastifyRequest, reply: FastifyReply): void {
    const startMs = performance.now()
    underWay += 1
    reply.header('x-request-id', request.id)
    const onEnd = watch?.onRequest?.(request, reply)
    reply.raw.on('close', () => {
      underWay -= 1
      if (underWay === 0) endConnections?.()
      logRequest(logger, request, reply, startMs)
      onEnd?.()
      if (underWay === 0) onLastEnd?.()
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
      // A response hears of the end of its connection a little later than the server does.
      app.addHook('onClose', (_app, done) => {
        if (underWay === 0) done()
        else onLastEnd = done
      })
    },
  }
}

export const shuttingDown: Problem = {
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
