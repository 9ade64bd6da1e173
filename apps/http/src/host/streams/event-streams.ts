import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { commonHeaders, type Problem } from '../answers/problem.ts'
import { shuttingDown } from '../answers/unknown-outcome.ts'
import { callerOf, isAnonymous } from '../security/callers.ts'
import { clientAddress, type PeerAddress } from '../security/rate-limit/client-address.ts'
import { createTurns } from '../server/turns.ts'
import type { ServerWatch, StreamEnd } from '../server/watch.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Whether the reply is an event stream, which is open for minutes and is not work in progress. */
    isEventStream: boolean
  }
}

/** An event of a stream (HTML, section 9.2, server-sent events). */
type Frame = {
  readonly event: string
  /** The position from which a reader continues after this event; undefined for an event that has none. */
  readonly id?: number
  readonly data: object
}

/** Encodes an event for all readers. JSON has no line breaks, so the data is one line. */
export function encodeFrame({ event, id, data }: Frame): Buffer {
  const position = id === undefined ? '' : `id: ${id}\n`
  return Buffer.from(`${position}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}

/** Keeps the connection open in proxies, and shows the client that the server is alive. */
const heartbeat = ':\n\n'

export type EventStream = {
  /** Whether the reader keeps up. If not, write nothing until `onReady` is called. */
  isReady(): boolean
  write(encoded: Buffer): void
  end(reason: Exclude<StreamEnd, 'client'>): void
}

/** What a stream is about, watched from the creation of the subscription on, so that nothing is between its reads and its events. */
export type Subscription = {
  /** Reads what the stream begins with. Undefined if no event follows: the response is not a stream. */
  read(): Promise<
    | { readonly ok: true; readonly value: ((stream: EventStream) => void) | undefined }
    | { readonly ok: false; readonly refusal: Problem }
  >
  /** Continues when a reader that was behind has read everything. */
  resume(): void
  /** Called once, when the stream has ended, the client has disconnected, or the response is not a stream. */
  leave(): void
}

export type StreamLimits = {
  readonly maxStreams: number
  readonly maxStreamsPerCaller: number
  readonly maxStreamsPerAddress: number
  /** The address that a connection counts for, if any. */
  readonly addressOf: PeerAddress
}

export type EventStreams = ReturnType<typeof addEventStreams>

/** Proxies commonly end connections that are silent for a minute. */
const heartbeatMs = 15_000
/** Streams end so that load spreads over servers and permissions are checked again. */
const ageMs = 10 * 60_000
const shortestRetryMs = 1_000
const longestRetryMs = 5_000

/** The number of writes to readers of shared data that one turn of the event loop makes: about 2 ms. */
const writesPerTurn = 64
export const takeTurn = createTurns(writesPerTurn)

const streamHeaders = {
  ...commonHeaders,
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Otherwise nginx would buffer the events.
  'x-accel-buffering': 'no',
  // The end of the connection is the end of the stream.
  connection: 'close',
}

export const asksForEvents = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  accept.split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === 'text/event-stream' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })

/** Counts how often each key is in use, up to `max` times. */
function createCounter(max: number) {
  const counts = new Map<string, number>()
  return {
    isFull: (key: string | undefined): boolean => key !== undefined && (counts.get(key) ?? 0) >= max,
    add(key: string | undefined, change: 1 | -1): void {
      if (key === undefined) return
      const count = (counts.get(key) ?? 0) + change
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    },
  }
}

/**
 * The event streams of a server. Their number is limited in total, per caller and per address, of whose connections they use at most half. A
 * reader that is behind has at most about 128 KiB unread.
 */
export function addEventStreams(
  app: FastifyInstance,
  { maxStreams, maxStreamsPerCaller, maxStreamsPerAddress, addressOf }: StreamLimits,
  onStream: ServerWatch['onStream'],
) {
  const open = new Set<EventStream>()
  const ofCallers = createCounter(maxStreamsPerCaller)
  const ofAddresses = createCounter(maxStreamsPerAddress)
  const { promise: allEnded, resolve: noteAllEnded } = Promise.withResolvers<void>()
  let places = 0
  let isDraining = false
  app.decorateReply('isEventStream', false)
  app.addHook('preClose', (done) => {
    void endAll(0)
    done()
  })

  function refusal(caller: string, address: string | undefined): Problem | undefined {
    if (isDraining) return shuttingDown
    if (ofCallers.isFull(caller)) return tooMany(maxStreamsPerCaller)
    if (ofAddresses.isFull(address)) return tooMany(maxStreamsPerAddress)
    if (places < maxStreams) return undefined
    return { code: 'overloaded', message: 'This server has reached its limit of open streams; try again later.' }
  }

  /**
   * Responds with an event stream, which counts for the caller of the request, or for its address if it is anonymous; or returns the
   * problem that prevents it.
   */
  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    subscribe: () => Subscription,
  ): Promise<Problem | undefined> {
    const { key, expiresAtMs } = callerOf(request)
    const caller = isAnonymous(request) ? clientAddress(request) : key
    const address = addressOf(request.socket)
    const problem = refusal(caller, address)
    if (problem !== undefined) return problem
    const count = (change: 1 | -1) => {
      places += change
      ofCallers.add(caller, change)
      ofAddresses.add(address, change)
    }
    count(1)
    const { read, resume, leave } = subscribe()
    const end = () => {
      leave()
      count(-1)
    }
    let isOpen = false
    try {
      const begin = await read()
      if (!begin.ok) return begin.refusal
      if (begin.value === undefined) reply.headers(commonHeaders).code(204).send()
      else if (request.method === 'HEAD') reply.headers(streamHeaders).send()
      else if (!request.raw.destroyed) {
        isOpen = true
        begin.value(openStream(reply, expiresAtMs, resume, end))
      }
      return undefined
    } finally {
      if (!isOpen) end()
    }
  }

  function openStream(reply: FastifyReply, expiresAtMs: number, onReady: () => void, onClose: () => void): EventStream {
    const { raw } = reply
    const onEnd = onStream?.()
    let ended: StreamEnd | undefined
    reply.hijack()
    reply.isEventStream = true
    // Without chunks, the same bytes are for all readers.
    raw.removeHeader('transfer-encoding')
    raw.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...streamHeaders }) // Fastify's type adds undefined.
    // How long the client waits before it reconnects.
    raw.write(`retry: ${Math.round(between(shortestRetryMs, longestRetryMs))}\n\n`)

    const beat = setInterval(() => stream.isReady() && raw.write(heartbeat), heartbeatMs).unref()
    const oldMs = ageMs * between(0.8, 1.2)
    const leftMs = Math.max(0, expiresAtMs - Date.now())
    const last = setTimeout(() => stream.end(leftMs < oldMs ? 'token-expired' : 'age'), Math.min(oldMs, leftMs)).unref()
    const stream: EventStream = {
      isReady: () => ended === undefined && !raw.writableNeedDrain,
      write(encoded) {
        if (ended !== undefined) return
        raw.write(encoded)
        beat.refresh()
      },
      end(reason) {
        if (ended !== undefined) return
        ended = reason
        if (reason === 'over') raw.end()
        // A reader that is behind would keep the connection open.
        else if (raw.writableNeedDrain) raw.destroy()
        else raw.end(encodeFrame({ event: 'bye', data: { reason } }))
      },
    }
    open.add(stream)
    raw.on('drain', onReady)
    raw.once('close', () => {
      clearInterval(beat)
      clearTimeout(last)
      open.delete(stream)
      onEnd?.(ended ?? 'client')
      ended ??= 'over'
      onClose()
      if (isDraining && open.size === 0) noteAllEnded()
    })
    // The server may have begun to close while the auction was read.
    if (isDraining) stream.end('draining')
    return stream
  }

  /**
   * Refuses new streams, and ends the open ones, spread over a time, because their clients reconnect at once. Resolves when all have
   * ended.
   */
  function endAll(overMs: number): Promise<void> {
    isDraining = true
    if (open.size === 0) noteAllEnded()
    for (const stream of open) {
      if (overMs === 0) stream.end('draining')
      else setTimeout(() => stream.end('draining'), Math.random() * overMs)
    }
    return allEnded
  }

  return { answer, endAll }
}

/** The problem of a caller or an address with as many streams as it may have. */
const tooMany = (max: number): Problem => ({
  code: 'rate-limited',
  message: `The limit of ${max} open streams is reached; close one and try again.`,
  headers: { 'retry-after': String(longestRetryMs / 1000) },
})

const between = (least: number, most: number): number => least + (most - least) * Math.random()
