import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

export type Pipelines = {
  /** Hands over the requests of each connection one at a time: the next one when the answer before has gone out. */
  oneAtATime(handle: RequestListener): RequestListener
  /** The response of the last request that waits on a connection, if any does. */
  lastWaiting(socket: Duplex): ServerResponse | undefined
}

/** Requests of one connection that are read, and wait until those before them are answered. */
type Queue = { length: number; last: ServerResponse | undefined }

// One read of a connection is parsed whole, and may hold thousands of requests. One that waits takes some kilobytes.
const maxWaitingOnConnection = 1_000
const maxWaiting = 10_000

/**
 * Node starts all the requests that a client sends without waiting for answers, and keeps the answers until their turn. So one
 * connection could hold any number of answers, and requests would be carried out whose client is gone. Here they wait unstarted,
 * the connection is not read meanwhile, and what waits ends with it. A connection on which too many wait is closed, and where too
 * many wait on all of them, the one that has the most: a client that pipelines has to expect that, and to send again what was not
 * answered (RFC 9112, section 9.3.2).
 */
export function createPipelines(onTooMany: () => void): Pipelines {
  const queues = new Map<Duplex, Queue>()
  let waiting = 0

  function openQueue(socket: Duplex): Queue {
    const queue: Queue = { length: 0, last: undefined }
    queues.set(socket, queue)
    // Node itself resumes the connection at the end of each request that it has read, those that wait included.
    socket.on('resume', () => {
      if (queue.length > 0) socket.pause()
    })
    socket.once('close', () => forget(socket, queue))
    return queue
  }

  function forget(socket: Duplex, queue: Queue): void {
    queues.delete(socket)
    waiting -= queue.length
    queue.length = 0
  }

  function cutOff(socket: Duplex, queue: Queue): void {
    onTooMany()
    forget(socket, queue)
    socket.destroy()
  }

  function cutOffWorst(): void {
    const [socket, queue] = [...queues].reduce((most, other) => (other[1].length > most[1].length ? other : most))
    cutOff(socket, queue)
  }

  function wait({ socket }: IncomingMessage, response: ServerResponse, start: () => void): void {
    // Read together with what has ended the connection.
    if (socket.destroyed) return
    const queue = queues.get(socket) ?? openQueue(socket)
    if (queue.length >= maxWaitingOnConnection) cutOff(socket, queue)
    else if (waiting >= maxWaiting) cutOffWorst()
    if (socket.destroyed) return
    queue.length += 1
    queue.last = response
    waiting += 1
    socket.pause()
    response.once('socket', () => {
      if (socket.destroyed) return
      queue.length -= 1
      waiting -= 1
      if (queue.length === 0) {
        queue.last = undefined
        socket.resume()
      }
      // Node is still busy with the answer before.
      process.nextTick(() => {
        if (socket.writable) start()
      })
    })
  }

  return {
    oneAtATime: (handle) => (request, response) => {
      // Node gives a response its socket when those before it have gone out.
      if (response.socket !== null) handle(request, response)
      else wait(request, response, () => handle(request, response))
    },
    lastWaiting: (socket) => queues.get(socket)?.last,
  }
}
