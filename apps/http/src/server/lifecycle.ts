import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Logger } from 'pino'
import { commonHeaders } from '../answers/common-headers.ts'
import { type Problem, sendProblem } from '../answers/problem.ts'
import type { Connections } from './connections.ts'
import { framingFault } from './framing.ts'
import { isProbe } from './probe-paths.ts'
import { logRequest, pathOf } from './request-log.ts'
import { cutShort, shuttingDown } from './shutting-down.ts'
import type { ServerWatch } from './watch.ts'

/** What every request goes through, whatever its route. */
export type Lifecycle = {
  /** Counts and names a request. Only requests that Fastify lets through no hook have to be opened by hand. */
  open(request: FastifyRequest, reply: FastifyReply): void
  addTo(app: FastifyInstance, connections: Pick<Connections, 'lastWaiting'>): void
  /** How many requests have arrived whole and have no answer yet. It looks at all that are under way. */
  inWork(): number
  /** From now on, answers tell clients to close their connections. */
  drain(): void
  isDraining(): boolean
  /** Answers whatever is under way, at once. */
  cutShort(): void
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly lifecycle: Lifecycle
  }
}

/** Gives each request its id and its log line, turns away what can't be served, and drains the server when it closes. */
export function createLifecycle(logger: Logger, watch?: ServerWatch): Lifecycle {
  const underWay = new Set<FastifyReply>()
  let lastWaiting: Connections['lastWaiting'] = () => undefined
  let isDraining = false
  let endConnections: (() => void) | undefined
  let onLastEnd: (() => void) | undefined

  // Not Fastify's onResponse: that stays silent when the client leaves before it has the answer.
  function open(request: FastifyRequest, reply: FastifyReply): void {
    const startMs = performance.now()
    underWay.add(reply)
    reply.header('x-request-id', request.id)
    const onEnd = watch?.onRequest?.(request, reply)
    reply.raw.on('close', () => {
      underWay.delete(reply)
      if (underWay.size === 0) endConnections?.()
      logRequest(logger, request, reply, startMs)
      onEnd?.()
      if (underWay.size === 0) onLastEnd?.()
    })
  }

  const onRequest: onRequestHookHandler = (request, reply, done) => {
    open(request, reply)
    if (!isDraining || endConnections !== undefined) judge(request, reply, done)
    // By then all is known that came together with it.
    else setImmediate(() => judge(request, tellToClose(reply), done))
  }

  function judge(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const problem = problemOf(request)
    if (problem !== undefined) sendProblem(reply, problem)
    else if (isOfWholeServer(request)) reply.headers(optionsHeaders).code(204).send()
    else done()
  }

  function problemOf(request: FastifyRequest): Problem | undefined {
    if (endConnections !== undefined && !isProbe(request.url)) return shuttingDown
    const fault = framingFault(request.raw)
    if (fault !== undefined) return fault
    return request.is404 && !isOfWholeServer(request) ? noSuchRoute(request) : undefined
  }

  /** With the answer, the connection ends. Requests that wait on it would go unanswered, so the last of them is told. */
  function tellToClose(reply: FastifyReply): FastifyReply {
    const { socket } = reply.raw
    return socket !== null && lastWaiting(socket) === undefined ? reply.header('connection', 'close') : reply
  }

  return {
    open,
    addTo(app, connections) {
      lastWaiting = connections.lastWaiting
      app.addHook('onRequest', onRequest)
      // Node closes idle connections only once, and waits for those on which nothing was ever sent.
      app.addHook('preClose', (done) => {
        endConnections = () => setImmediate(() => app.server.closeAllConnections())
        if (underWay.size === 0) endConnections()
        done()
      })
      // A response hears of the end of its connection a little later than the server does.
      app.addHook('onClose', (_app, done) => {
        if (underWay.size === 0) done()
        else onLastEnd = done
      })
    },
    inWork() {
      let count = 0
      // Neither what its client is still sending nor what it is slow to read.
      for (const { raw, request } of underWay) if (!raw.writableEnded && request.raw.complete) count += 1
      return count
    },
    drain() {
      isDraining = true
      for (const reply of underWay) if (!reply.sent) tellToClose(reply)
    },
    isDraining: () => isDraining || endConnections !== undefined,
    cutShort() {
      for (const reply of underWay) if (!reply.sent) sendProblem(reply, cutShort(reply.request))
    },
  }
}

/** RFC 9110, section 9.3.7: asks for what the server takes, wherever. No route can stand for that. */
const isOfWholeServer = ({ method, url }: FastifyRequest): boolean => url === '*' && method === 'OPTIONS'
const optionsHeaders = { ...commonHeaders, allow: 'GET, HEAD, OPTIONS, POST' }

const noSuchRoute = ({ method, url }: FastifyRequest): Problem => ({
  code: 'not-found',
  message: `There is no ${method} ${pathOf(url)}; /docs shows what there is.`,
})
