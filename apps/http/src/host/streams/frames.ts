// The frames of an event stream (HTML, section 9.2, server-sent events). Encoded once for all readers.

export type Frame = {
  /** The name of the event. */
  readonly event: string
  /** The position from which a reader continues after this event; undefined for an event that has none. */
  readonly id?: number
  readonly data: object
}

/** JSON has no line breaks, so the data is one line. */
export function encodeFrame({ event, id, data }: Frame): Buffer {
  const position = id === undefined ? '' : `id: ${id}\n`
  return Buffer.from(`${position}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}

/** Keeps the connection open in proxies, and shows the client that the server is alive. */
export const heartbeat = Buffer.from(':\n\n')

/** How long a client waits before it reconnects. */
export const encodeRetry = (ms: number): Buffer => Buffer.from(`retry: ${ms}\n\n`)
