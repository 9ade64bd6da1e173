import type { RequestListener } from 'node:http'
import type { Logger } from 'pino'
import { type Problem, problemBody, problemHeaders, typeOf } from '../answers/problem.ts'
import { onceAMinute } from '../log/once-a-minute.ts'
import type { OverloadGate } from './overload-gate.ts'
import { isProbe } from './probe-paths.ts'
import type { RequestIds } from './request-ids.ts'
import type { ServerWatch } from './watch.ts'

const tooMany: Problem = {
  code: 'overloaded',
  message: 'The server is overloaded; nothing was done. Send the request again.',
}
const body = problemBody(tooMany)

// A refusal costs more than half of a bid in memory, so clients that retry immediately could use all CPU time.
const pauseMs = 250

/** Refuses requests beyond the gate, except health checks, before routing and reading of the body. Then it pauses their connection. */
export function refuseOverload(
  handle: RequestListener,
  admits: OverloadGate,
  requestIds: RequestIds,
  logger: Logger,
  watch?: ServerWatch,
): RequestListener {
  const { status } = typeOf(tooMany)
  const headers = { ...problemHeaders(tooMany), 'content-length': body.length }
  const reportRefused = onceAMinute((refused) =>
    logger.warn({ refused }, 'the server is overloaded: requests beyond MAX_REQUESTS_AT_ONCE are refused'),
  )

  return (request, response) => {
    if (admits() || isProbe(request.url ?? '')) {
      handle(request, response)
      return
    }
    reportRefused()
    watch?.onEarlyRefusal?.(tooMany)
    const { socket } = request
    const pauseConnection = () => {
      socket.pause()
      setTimeout(() => socket.resume(), pauseMs)
    }
    // Node reads the rest of an unused body, which would end a pause, so the pause begins after that.
    response.once('close', () => (request.closed ? pauseConnection() : request.once('close', pauseConnection)))
    response.writeHead(status, { ...headers, 'x-request-id': requestIds.of(request) }).end(body)
  }
}
