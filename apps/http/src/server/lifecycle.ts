import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { commonHeaders } from '../answers/common-headers.ts'
import { type Problem, sendProblem } from '../answers/problem.ts'
import { framingFault } from './framing.ts'
import type { Readiness } from './health.ts'
import { isProbe } from './probe-paths.ts'
import { pathOf } from './request-log.ts'
import { cutShort, shuttingDown } from './shutting-down.ts'
import type { RequestsUnderWay } from './under-way.ts'

/** How far a server is from its end. */
export type Lifecycle = {
  /** From now on, answers tell clients to close their connections. */
  drain(): void
  /** Whether it drains, or is being closed. */
  isDraining(): boolean
  /** Refuses the requests that have not arrived whole. */
  refuseUnfinished(): void
  /** Answers whatever is under way, at once. */
  cutShort(): void
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly lifecycle: Lifecycle
  }
}

/** Opens each request, refuses what no route can serve, and drains the server when it closes. */
export function addLifecycle(
  app: FastifyInstance,
  underWay: RequestsUnderWay,
  readiness: Pick<Readiness, 'isOpen'>,
): Lifecycle {
  let phase: 'serving' | 'draining' | 'closing' = 'serving'

  const onRequest: onRequestHookHandler = (request, reply, done) => {
    underWay.open(request, reply)
    if (phase === 'draining') tellToClose(reply)
    const problem = refusal(request)
    if (problem?.code === 'not-found' && isBrowserAtRoot(request)) reply.headers(commonHeaders).redirect('docs')
    else if (problem !== undefined) sendProblem(reply, problem)
    else if (isOfWholeServer(request)) reply.headers(optionsHeaders).code(204).send()
    else done()
  }

  function refusal(request: FastifyRequest): Problem | undefined {
    if (phase === 'closing' && !isProbe(request.url)) return shuttingDown
    if (!readiness.isOpen() && !isProbe(request.url)) return starting
    const fault = framingFault(request.raw)
    if (fault !== undefined) return fault
    return request.is404 && !isOfWholeServer(request) ? noSuchRoute(request) : undefined
  }

  app.addHook('onRequest', onRequest)
  app.addHook('preClose', (done) => {
    phase = 'closing'
    // Node closes idle connections only once, and waits for those on which nothing was ever sent.
    underWay.onIdle(() => setImmediate(() => app.server.closeAllConnections()))
    done()
  })
  // A response hears of the end of its connection a little later than the server does.
  app.addHook('onClose', () => new Promise<void>((resolve) => underWay.onIdle(resolve)))

  const lifecycle: Lifecycle = {
    drain() {
      if (phase === 'serving') phase = 'draining'
      for (const reply of underWay.unanswered()) tellToClose(reply)
    },
    isDraining: () => phase !== 'serving',
    refuseUnfinished() {
      for (const reply of underWay.unanswered()) if (!reply.request.raw.complete) sendProblem(reply, shuttingDown)
    },
    cutShort() {
      for (const reply of underWay.unanswered()) sendProblem(reply, cutShort(reply.request))
    },
  }
  app.decorate('lifecycle', lifecycle)
  return lifecycle
}

/** With the answer, the connection ends. */
const tellToClose = (reply: FastifyReply): FastifyReply => reply.header('connection', 'close')

/** RFC 9110, section 9.3.7: asks for what the server takes, wherever. No route can stand for that. */
const isOfWholeServer = ({ method, url }: FastifyRequest): boolean => url === '*' && method === 'OPTIONS'
const optionsHeaders = { ...commonHeaders, allow: 'GET, HEAD, OPTIONS, POST' }

const starting: Problem = {
  code: 'store-unavailable',
  message: 'The server waits for its store; nothing was changed, and the request may be sent again.',
}

/** Browsers ask for HTML by its name; other clients take any type, and are answered that the API has no such path. */
const isBrowserAtRoot = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'GET' && pathOf(url) === '/' && /\btext\/html\b/.test(headers.accept ?? '')

const noSuchRoute = ({ method, url }: FastifyRequest): Problem => ({
  code: 'not-found',
  message: `There is no ${method} ${pathOf(url)}; /docs shows what there is.`,
})
