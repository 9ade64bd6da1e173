import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { commonHeaders, type Problem, shuttingDown } from '../responses/problem.ts'
import { asksFor } from '../responses/success.ts'
import type { Result } from '../result.ts'
import { callerOf } from '../security/callers.ts'
import { createTurns } from '../server/event-loop.ts'
import type { ServerObserver, StreamEnd } from '../server/server-observer.ts'
import { between } from '../time.ts'
import { type EventStream, openStream, streamHeaders } from './open-stream.ts'
import { createStreamLimiter, type StreamLimits } from './stream-limits.ts'

/**
 * What a stream is about, watched from the creation of the subscription on, so that nothing is between its reads and
 * its events.
 */
export type StreamSource = {
  /** Reads what the stream begins with. Undefined if no event follows: the response is not a stream. */
  read(): Promise<Result<((stream: EventStream) => void) | undefined, Problem>>
  /** Continues when a reader that was behind has read everything. */
  resume(): void
  /** Called once, when the stream has ended, the client has disconnected, or the response is not a stream. */
  leave(): void
}

export type EventStreams = ReturnType<typeof addEventStreams>

/** The number of writes to readers of shared data that one turn of the event loop makes: about 2 ms. */
const writesPerTurn = 64
export const takeTurn = createTurns(writesPerTurn)

export const asksForEvents = (request: FastifyRequest): boolean => asksFor(request, 'text/event-stream')

/**
 * The event streams of a server. Their number is limited in total, per caller and per address, of whose connections
 * they use at most half. A reader that is behind has at most about 128 KiB unread.
 */
export function addEventStreams(app: FastifyInstance, limits: StreamLimits, onStream: ServerObserver['onStream']) {
  const limiter = createStreamLimiter(limits)
  const open = new Set<EventStream>()
  const { promise: allEnded, resolve: noteAllEnded } = Promise.withResolvers<void>()
  let isDraining = false
  app.decorateReply('isEventStream', false)
  app.addHook('preClose', (done) => {
    void endAll(0)
    done()
  })

  /** Responds with an event stream, or returns the problem that prevents it. */
  async function respond(
    request: FastifyRequest,
    reply: FastifyReply,
    subscribe: () => StreamSource,
  ): Promise<Problem | undefined> {
    if (isDraining) return shuttingDown
    const acquired = limiter.acquire(request)
    if (!acquired.ok) return acquired.refusal
    const { read, resume, leave } = subscribe()
    const end = () => {
      leave()
      acquired.value()
    }
    let isOpen = false
    try {
      const begin = await read()
      if (!begin.ok) return begin.refusal
      if (begin.value === undefined) reply.headers(commonHeaders).code(204).send()
      else if (request.method === 'HEAD') reply.headers(streamHeaders).send()
      else if (!request.raw.destroyed) {
        isOpen = true
        begin.value(start(reply, resume, end))
      }
      return undefined
    } finally {
      if (!isOpen) end()
    }
  }

  /** Opens a stream, and ends it with the others when the server closes. */
  function start(reply: FastifyReply, onReady: () => void, onEnd: () => void): EventStream {
    const { expiresAtMs } = callerOf(reply.request)
    const noteEnd = onStream?.()
    const onClose = (reason: StreamEnd) => {
      open.delete(stream)
      noteEnd?.(reason)
      onEnd()
      if (isDraining && open.size === 0) noteAllEnded()
    }
    const stream = openStream(reply, { expiresAtMs, onReady, onClose })
    open.add(stream)
    // The server may have begun to close during the read.
    if (isDraining) stream.end('draining')
    return stream
  }

  /**
   * Refuses new streams, and ends the open ones, spread over a time, because their clients reconnect at once. Resolves
   * when all have ended.
   */
  function endAll(overMs: number): Promise<void> {
    isDraining = true
    if (open.size === 0) noteAllEnded()
    for (const stream of open) {
      if (overMs === 0) stream.end('draining')
      else setTimeout(() => stream.end('draining'), between(0, overMs))
    }
    return allEnded
  }

  return { respond, endAll }
}
