import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { createBag } from './bag.ts'
import { logRequest } from './request-log.ts'
import type { ServerWatch } from './watch.ts'

/** The requests that have arrived, and whose responses have not ended. */
export type RequestsUnderWay = {
  /** Counts a request and names it in its response. When that has ended, the request has its line in the log. */
  open(request: FastifyRequest, reply: FastifyReply): void
  /** How many have arrived whole, were admitted, and have no answer yet. It looks at all of them. */
  inWork(): number
  /** Those that have no answer yet. */
  unanswered(): readonly FastifyReply[]
  /** Calls back at once if there are none, and each time that the last of them has ended. */
  onIdle(callback: () => void): void
}

export function createRequestsUnderWay(logger: Logger, watch?: ServerWatch): RequestsUnderWay {
  const replies = createBag<FastifyReply>()
  const idleCallbacks: (() => void)[] = []

  return {
    // Not by Fastify's onResponse: that stays silent when the client leaves before it has the answer.
    open(request, reply) {
      const startMs = performance.now()
      const place = replies.add(reply)
      reply.header('x-request-id', request.id)
      const onEnd = watch?.onRequest?.(request, reply)
      reply.raw.on('close', () => {
        replies.remove(place)
        logRequest(logger, request, reply, startMs)
        onEnd?.()
        if (replies.items.length === 0) for (const callback of idleCallbacks) callback()
      })
    },
    inWork() {
      let count = 0
      for (const { raw, request } of replies.items) {
        // Neither what its client is still sending, nor what it is slow to read, nor a token that waits to be verified.
        if (!raw.writableEnded && request.raw.complete && request.caller !== undefined) count += 1
      }
      return count
    },
    unanswered: () => replies.items.filter(({ sent }) => !sent),
    onIdle(callback) {
      idleCallbacks.push(callback)
      if (replies.items.length === 0) callback()
    },
  }
}
