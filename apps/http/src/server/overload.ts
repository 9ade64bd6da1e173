import type { RequestListener } from 'node:http'
import type { Logger } from 'pino'
import { type Problem, problemBody, problemHeaders } from '../answers/problem.ts'
import { problemType } from '../answers/problem-types.ts'
import { reportEpisodes } from '../log/report-episodes.ts'
import { isProbe } from './probe-paths.ts'
import type { RequestIds } from './request-ids.ts'
import type { ServerWatch } from './watch.ts'

export type OverloadGate = {
  /** Whether one more request may be taken on. Call it once for each. */
  admits(): boolean
}

export type OverloadParts = {
  /** How many requests may be taken on in one turn of the event loop, those included that wait for the store. */
  readonly maxAtOnce: number
  /** How many wait for the store now. */
  readonly inWork: () => number
  readonly nowMs: () => number
}

// For so long, all in all, may turns of the event loop take on more than they should: a burst is served, however large its turn.
const standingMs = 100
// Time in which no more comes than should makes up for as much, and for no more than this.
const longestMemoryMs = 1_000
// No burst is larger than this.
const burstFactor = 8

/**
 * Tells overload by its queue. One turn of the event loop takes on all requests that have arrived: what comes meanwhile waits for
 * the next turn, so how many a turn takes on is how many have waited. With clients that wait for answers, it is no more than there
 * are clients. Where more come than can be served, it grows until all connections wait; a queue that has lasted for a while is cut.
 *
 * No measure of time alone: the processor may belong to others, and a turn with little in it is no overload however long it takes.
 */
export function createOverloadGate({ maxAtOnce, inWork, nowMs }: OverloadParts): OverloadGate {
  let isInTurn = false
  let taken = 0
  let offered = 0
  let turnBeganAtMs = 0
  let turnEndedAtMs = nowMs()
  let queuedMs = 0

  /** Counts a time in which there was a queue, or there was none. */
  function count(ms: number, hadQueue: boolean): void {
    queuedMs = Math.min(longestMemoryMs, Math.max(0, queuedMs + (hadQueue ? ms : -ms)))
  }

  function beginTurn(): void {
    isInTurn = true
    taken = inWork()
    offered = taken
    turnBeganAtMs = nowMs()
    count(turnBeganAtMs - turnEndedAtMs, taken > maxAtOnce)
    setImmediate(endTurn)
  }

  function endTurn(): void {
    isInTurn = false
    turnEndedAtMs = nowMs()
    count(turnEndedAtMs - turnBeganAtMs, offered > maxAtOnce)
  }

  return {
    admits() {
      if (!isInTurn) beginTurn()
      offered += 1
      if (taken >= (queuedMs < standingMs ? maxAtOnce * burstFactor : maxAtOnce)) return false
      taken += 1
      return true
    },
  }
}

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
    response.once('close', () => {
      socket.pause()
      setTimeout(() => socket.resume(), deafMs)
    })
    response.writeHead(status, { ...headers, 'x-request-id': requestIds.of(request) }).end(body)
  }
}
