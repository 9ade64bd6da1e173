import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { pauseConnection } from '../connections/connection-table.ts'
import { cut } from '../log/log.ts'
import { codeOf } from '../responses/problem.ts'
import { isProbe, pathOf, traceParentOf } from './requests.ts'
import type { ServerObserver } from './server-observer.ts'

export type RequestsInFlight = ReturnType<typeof createRequestsInFlight>

type InFlight = { readonly reply: FastifyReply; index: number }

/**
 * The requests that have arrived and whose responses have not ended.
 * @param pauseMsOf how long a connection is not read after a request that was not admitted; 0 if it is read at once
 */
export function createRequestsInFlight(
  logger: Logger,
  pauseMsOf: (socket: Duplex, wasRefused: boolean) => number,
  observer?: ServerObserver,
) {
  // A Set would keep requests alive in its old tables until the next full garbage collection, which took a third of the
  // CPU time.
  const all: InFlight[] = []
  const idleCallbacks: (() => void)[] = []

  function remove(removed: InFlight): void {
    const last = all.pop()
    if (last === undefined || last === removed) return
    all[removed.index] = last
    last.index = removed.index
  }

  return {
    /**
     * Adds a request and logs it when its response has ended. Fastify's onResponse is not called if the client
     * disconnects earlier.
     */
    open(request: FastifyRequest, reply: FastifyReply): void {
      const startMs = performance.now()
      const entry = { reply, index: all.length }
      all.push(entry)
      reply.header('x-request-id', request.id)
      const onEnd = observer?.onRequest?.(request, reply)
      reply.raw.once('close', () => {
        remove(entry)
        logRequest(logger, request, reply, startMs)
        onEnd?.()
        const pauseMs = isAdmitted(request, reply) ? 0 : pauseMsOf(request.raw.socket, isRefused(reply))
        if (pauseMs > 0) pauseConnection(request.raw, pauseMs)
        if (all.length === 0) for (const callback of idleCallbacks) callback()
      })
    },
    /** The number of complete and admitted requests without a response. It visits all requests. */
    inWork(): number {
      let count = 0
      for (const { reply } of all) {
        const { raw, request } = reply
        // Counts neither requests that the client is still sending or whose response has begun, as that of an event
        // stream, nor those whose token is not verified.
        if (!raw.headersSent && request.raw.complete && request.caller !== undefined) count += 1
      }
      return count
    },
    unsent: (): readonly FastifyReply[] => all.map(({ reply }) => reply).filter(({ sent }) => !sent),
    /** Calls back immediately if no request is in flight, and each time the last one has ended. */
    onIdle(callback: () => void): void {
      idleCallbacks.push(callback)
      if (all.length === 0) callback()
    },
  }
}

/**
 * Whether a request was admitted. Others cost their client little, such as a refusal or a health check. One address
 * could otherwise keep the event loop busy on many connections, and Node accepts only one new connection in each of its
 * turns.
 */
const isAdmitted = ({ caller }: FastifyRequest, { problem }: FastifyReply): boolean =>
  caller !== undefined && problem?.code !== 'rate-limited'

const isRefused = ({ problem, statusCode }: FastifyReply): boolean => problem !== undefined && statusCode < 500

/** Writes the request's line in the log. Text from the client is shortened. */
function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply, startMs: number): void {
  const { id: requestId, method, url } = request
  const { statusCode: status, problem } = reply
  // Health checks arrive every second, so only failures are logged.
  const level = status === 200 && isProbe(url) ? 'debug' : 'info'
  if (!logger.isLevelEnabled(level)) return
  const path = cut(pathOf(url))
  const caller = request.caller && cut(request.caller.key)
  const ms = Math.round((performance.now() - startMs) * 100) / 100
  const code = problem && codeOf(problem)
  // A client that disconnected early did not receive the status.
  const unseen = reply.raw.writableFinished ? undefined : true
  const trace = traceParentOf(request.headers)
  logger[level]({ requestId, ...trace, method, path, status, code, reason: problem?.reason, ms, caller, unseen })
}
