import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** An undocumented property of Node's sockets. The parser calls `onIncoming` for each head. */
type Parsed = { readonly parser: { onIncoming: (request: IncomingMessage, keepAlive: boolean) => number } }

// Makes the parser stop after this head.
const stop = 2

/**
 * Accepts one request at a time on a connection. The server emits `upgrade` for a request that arrives before the last response is
 * complete, and parses nothing after it. Otherwise Node would parse all input, up to 3,000 requests in 64 KiB, before it sends a
 * response. Only a request that upgrades its connection stops the parser earlier.
 */
export function takeOneAtATime(socket: Socket, isAnswering: () => boolean): void {
  // The cast: see the type. Without a parser, this throws, and tests fail.
  const { parser } = socket as Socket & Parsed
  const { onIncoming } = parser
  parser.onIncoming = (request, keepAlive) => {
    if (!isAnswering()) return onIncoming(request, keepAlive)
    Object.assign(request, { upgrade: true })
    return stop
  }
}
