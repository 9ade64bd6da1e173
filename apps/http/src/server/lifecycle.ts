import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { commonHeaders } from '../answers/common-headers.ts'
import { type Problem, sendProblem } from '../answers/problem.ts'
import type { Connections } from './connections/connections.ts'
import { framingFault } from './framing.ts'
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
  connections: Pick<Connections, 'lastWaiting'>,
): Lifecycle {
  let phase: 'serving' | 'draining' | 'closing' = 'serving'

  const onRequest: onRequestHookHandler = (request, reply, done) => {
    underWay.open(request, reply)
    if (phase !== 'draining') judge(request, reply, done)
    // By then all is known that came together with it.
    else setImmediate(() => judge(request, tellToClose(reply), done))
  }

  function judge(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const problem = refusal(request)
    if (problem !== undefined) sendProblem(reply, problem)
    else if (isOfWholeServer(request)) reply.headers(optionsHeaders).code(204).send()
    else done()
  }

  function refusal(request: FastifyRequest): Problem | undefined {
    if (phase === 'closing' && !isProbe(request.url)) return shuttingDown
    const fault = framingFault(request.raw)
    if (fault !== undefined) return fault
    return request.is404 && !isOfWholeServer(request) ? noSuchRoute(request) : undefined
  }

  /** With the answer, the connection ends. Requests that wait on it would go unanswered, so the last of them is told. */
  function tellToClose(reply: FastifyReply): FastifyReply {
    const { socket } = reply.raw
    const isLast = socket !== null && connections.lastWaiting(socket) === undefined
    return isLast ? reply.header('connection', 'close') : reply
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
      underWay.unanswered().forEach(tellToClose)
    },
    isDraining: () => phase !== 'serving',
    cutShort() {
      for (const reply of underWay.unanswered()) sendProblem(reply, cutShort(reply.request))
    },
  }
  app.decorate('lifecycle', lifecycle)
  return lifecycle
}

/** RFC 9110, section 9.3.7: asks for what the server takes, wherever. No route can stand for that. */
const isOfWholeServer = ({ method, url }: FastifyRequest): boolean => url === '*' && method === 'OPTIONS'
const optionsHeaders = { ...commonHeaders, allow: 'GET, HEAD, OPTIONS, POST' }

const noSuchRoute = ({ method, url }: FastifyRequest): Problem => ({
  code: 'not-found',
  message: `There is no ${method} ${pathOf(url)}; /docs shows what there is.`,
})
