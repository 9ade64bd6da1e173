import { IncomingMessage } from 'node:http'

/** Requests that know when they had arrived whole. */
declare module 'node:http' {
  interface IncomingMessage {
    /** When the last byte of the request was read, in milliseconds since 1970; undefined until then. */
    arrivedAtMs?: number
  }
}

/**
 * Creates the class of a server's requests, which note when they had arrived whole. Neither the first byte counts, or a client could choose
 * the body after a deadline, nor the moment at which the body is used, before which the server may wait for the keys of tokens or for Redis.
 */
export const timedRequests = (nowMs: () => number): typeof IncomingMessage =>
  class TimedRequest extends IncomingMessage {
    /** Node's parser pushes each part of the body as soon as it is read, and null after the last one. */
    override push(chunk: unknown, encoding?: BufferEncoding): boolean {
      if (chunk === null) this.arrivedAtMs ??= nowMs()
      return super.push(chunk, encoding)
    }
  }
