import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { commonHeaders } from '../responses/problem.ts'
import type { StreamEnd } from '../server/server-observer.ts'
import { between } from '../time.ts'

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
/** Proxies commonly end connections that are silent for a minute. */
const heartbeatMs = 15_000
/** Streams end so that load spreads over servers and permissions are checked again. */
const ageMs = 10 * 60_000
const shortestRetryMs = 1_000
export const longestRetryMs = 5_000

export const streamHeaders = {
  ...commonHeaders,
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // nginx would buffer the events without it.
  'x-accel-buffering': 'no',
  // The end of the connection is the end of the stream.
  connection: 'close',
}

export type EventStream = {
  /** Whether the reader keeps up. If not, write nothing until `onReady` is called. */
  isReady(): boolean
  write(encoded: Buffer): void
  end(reason: Exclude<StreamEnd, 'client'>): void
}

type StreamParts = {
  /** When the token of the reader expires, which ends the stream. */
  readonly expiresAtMs: number
  /** Called when a reader that was behind has read everything. */
  readonly onReady: () => void
  /** Called once, when the stream has ended or the client has disconnected. */
  readonly onClose: (reason: StreamEnd) => void
}

/** Responds with an event stream, from its head to its end. */
export function openStream(reply: FastifyReply, { expiresAtMs, onReady, onClose }: StreamParts): EventStream {
  const { raw } = reply
  let ended: StreamEnd | undefined
  reply.hijack()
  reply.isEventStream = true
  // All readers get the same bytes, which chunks would prevent.
  raw.removeHeader('transfer-encoding')
  raw.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...streamHeaders }) // Fastify's type adds undefined.
  // How long the client waits before it reconnects.
  raw.write(`retry: ${Math.round(between(shortestRetryMs, longestRetryMs))}\n\n`)

  const beat = setInterval(() => stream.isReady() && raw.write(heartbeat), heartbeatMs).unref()
  const oldMs = wholeSeconds(ageMs * between(0.8, 1.2))
  const leftMs = wholeSeconds(Math.max(0, expiresAtMs - Date.now()))
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
  raw.on('drain', onReady)
  raw.once('close', () => {
    clearInterval(beat)
    clearTimeout(last)
    ended ??= 'client'
    onClose(ended)
  })
  return stream
}

/** Node.js keeps a list for each duration of a timer until that time has passed, even after the timer is cleared. */
const wholeSeconds = (ms: number): number => Math.floor(ms / 1_000) * 1_000
