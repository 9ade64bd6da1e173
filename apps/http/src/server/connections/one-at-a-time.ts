import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** What Node keeps on the socket of a connection, and documents nowhere. Its parser calls this for each head. */
type Parsed = { readonly parser: { onIncoming: (request: IncomingMessage, keepAlive: boolean) => number } }

// Says that what follows the head is not HTTP.
const stop = 2

/**
 * Takes one request at a time from a connection: one that comes before the last answer is complete is emitted as `upgrade`, and
 * nothing behind it is parsed. Node's parser would go through all that was read, 64 KiB or 3,000 requests, before anything is answered;
 * pausing it has no effect in the middle of what was read, but for a request that upgrades its connection.
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
