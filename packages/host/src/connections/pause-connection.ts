import type { IncomingMessage } from 'node:http'

export const pauseMs = 250

/**
 * Stops reading from the connection of a refused request for a while. A refusal costs more than half of a write in memory, so clients
 * that retry immediately could use all CPU time. Node reads the rest of an unused body, which would end a pause, so it begins after that.
 */
export function pauseConnection(request: IncomingMessage, ms = pauseMs): void {
  const { socket } = request
  const pause = () => {
    socket.pause()
    setTimeout(() => socket.resume(), ms)
  }
  if (request.closed) pause()
  else request.once('close', pause)
}
