import type { ServerResponse } from 'node:http'
import type { FastifyReply, onRequestHookHandler } from 'fastify'
import type { Logger } from 'pino'
import { type Problem, sendProblem } from '../../answers/problem.ts'
import type { ConnectionLimits } from '../../configuration/configuration.ts'
import { reportEpisodes } from '../../log/report-episodes.ts'
import type { ServerWatch } from '../watch.ts'

/** Bounds how much memory is taken by answers that are written and that their clients do not read, and for how long. */
export type UnreadAnswers = {
  /** Counts an answer that was just sent, if it did not go out at once. */
  note(reply: FastifyReply): void
  /** Counts none of an answer whose body is the same for all that ask, and takes no memory of its own; only its time has the bound. */
  noteShared(reply: FastifyReply): void
  /** Refuses requests of a caller who leaves too much unread. Comes after the hook that tells the caller. */
  readonly refuse: onRequestHookHandler
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly unreadAnswers: UnreadAnswers
  }
}

type Unread = { bytes: number; readonly responses: Set<ServerResponse> }

// Whoever shows no valid token. Together, as they can't be told apart.
const nobody = ''

/**
 * A caller is refused new requests before anything is done for them, so that a slow reader gets all it has asked for, and
 * learns why it gets no more. With the bound for all, refusing would let a few callers shut out the others: there, whoever
 * leaves the most unread is cut off, as often as needed.
 */
export function createUnreadAnswers(limits: ConnectionLimits, logger: Logger, watch?: ServerWatch): UnreadAnswers {
  const { maxUnreadBytesPerCaller, maxUnreadBytes, idleTimeoutSeconds } = limits
  const callers = new Map<string, Unread>()
  let bytesInAll = 0
  const reportCutOff = reportEpisodes(
    () =>
      logger.warn(
        { maxUnreadBytes },
        'clients leave more than MAX_UNREAD_BYTES unread; who leaves the most is cut off',
      ),
    (times) => logger.info({ times }, 'for a minute, nobody was cut off for what is unread'),
  )

  function add(key: string, response: ServerResponse, bytes: number): void {
    const unread = callers.get(key) ?? { bytes: 0, responses: new Set() }
    callers.set(key, unread)
    unread.responses.add(response)
    unread.bytes += bytes
    bytesInAll += bytes
    response.once('close', () => {
      // Not there any more if it was cut off.
      if (!unread.responses.delete(response)) return
      unread.bytes -= bytes
      bytesInAll -= bytes
      if (unread.bytes === 0) callers.delete(key)
    })
  }

  function cutOffWorst(): void {
    const worst = [...callers].reduce((most, other) => (other[1].bytes > most[1].bytes ? other : most))
    const [key, { bytes, responses }] = worst
    callers.delete(key)
    bytesInAll -= bytes
    const sockets = [...responses]
    responses.clear()
    for (const response of sockets) {
      response.destroy()
      watch?.onDroppedConnection?.('too-much-unread')
    }
    reportCutOff()
  }

  /** Every part that is read begins this time anew; with the next answer, Node sets its own. */
  function boundTime({ socket }: ServerResponse): void {
    socket?.setTimeout(idleTimeoutSeconds * 1000)
  }

  return {
    note({ raw, request }) {
      // What the kernel has taken does not count, and it mostly has taken all.
      if (raw.writableLength === 0) return
      add(request.caller?.key ?? nobody, raw, raw.writableLength)
      boundTime(raw)
      // No other caller has added as much as the worst has, so one is enough.
      if (bytesInAll > maxUnreadBytes) cutOffWorst()
    },
    noteShared({ raw }) {
      if (raw.writableLength > 0) boundTime(raw)
    },
    refuse({ caller }, reply, done) {
      const unread = bytesInAll === 0 || caller === undefined ? undefined : callers.get(caller.key)
      if (unread !== undefined && unread.bytes > maxUnreadBytesPerCaller) sendProblem(reply, tooMuchUnread)
      else done()
    },
  }
}

const tooMuchUnread: Problem = {
  code: 'overloaded',
  message:
    'Too much of what this caller was answered is not read yet; nothing was done. Read it, then send this again.',
}
