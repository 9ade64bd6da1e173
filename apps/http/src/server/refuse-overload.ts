import type { RequestListener } from 'node:http'
import type { Logger } from 'pino'
import { type Problem, problemBody, problemHeaders } from '../answers/problem.ts'
import { problemType } from '../answers/problem-types.ts'
import { reportEpisodes } from '../log/report-episodes.ts'
import type { OverloadGate } from './overload-gate.ts'
import { isProbe } from './probe-paths.ts'
import type { RequestIds } from './request-ids.ts'
import type { ServerWatch } from './watch.ts'

const tooMany: Problem = {
  code: 'overloaded',
  message: 'More requests come than can be served; nothing was done for this one, and it may be sent again.',
}
const body = problemBody(tooMany)

// A refusal costs more than half of a bid from memory, so that refusing all who ask again at once could take the whole processor. They
// were told to wait for a second.
const deafMs = 250

/**
 * Hands over the requests that are admitted, and refuses the others at once: before they are routed, before a token is looked at,
 * and before anything of a body is read. A connection on which a request was refused is not read for a moment. Probes are always
 * handed over. A flood is reported by its begin and its end.
 */
export function refuseOverload(
  handle: RequestListener,
  gate: OverloadGate,
  requestIds: RequestIds,
  logger: Logger,
  watch?: ServerWatch,
): RequestListener {
  const { status } = problemType(tooMany.code)
  const headers = { ...problemHeaders(tooMany), 'content-length': body.length }
  const reportRefused = reportEpisodes(
    () => logger.warn('more requests come than can be served; those beyond MAX_REQUESTS_AT_ONCE are refused'),
    (refused) => logger.info({ refused }, 'for a minute, no request was too many'),
  )

  return (request, response) => {
    if (gate.admits() || isProbe(request.url ?? '')) {
      handle(request, response)
      return
    }
    reportRefused()
    watch?.onEarlyRefusal?.(tooMany)
    const { socket } = request
    const leaveUnread = () => {
      socket.pause()
      setTimeout(() => socket.resume(), deafMs)
    }
    // Node reads on for the rest of a body that nobody has taken: only after that a pause lasts, and at once, as the next request may
    // be there already.
    response.once('close', () => (request.closed ? leaveUnread() : request.once('close', leaveUnread)))
    response.writeHead(status, { ...headers, 'x-request-id': requestIds.of(request) }).end(body)
  }
}
