import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { badRequest, type Problem, problemBody, problemHeaders, typeOf } from '../answers/problem.ts'
import { nextRequestId } from '../server/request-ids.ts'
import type { ServerWatch } from '../server/watch.ts'
import type { Connections } from './connections.ts'

type ClientError = Error & { readonly code?: string }

/** Responds, in the envelope, to input that is not a request: bytes that are not HTTP, or that arrive too slowly. */
export function onClientError(connections: Connections, watch?: ServerWatch) {
  const answered = new WeakSet<Duplex>()

  return (error: ClientError, socket: Duplex): void => {
    if (error.code === 'ECONNRESET') socket.destroy()
    // Input after an error is an error, too. After a response that closes the connection, no other is sent.
    if (answered.has(socket) || socket.writableEnded) return
    answered.add(socket)
    // After a complete request, the response to that request closes the connection.
    if (connections.closeAfterAnswer(socket)) return
    endWith(socket, problemFor(error.code), watch)
  }
}

/** Adds handlers for events that Node handles without the envelope, or not at all. */
export function addConnectionHandlers(app: FastifyInstance, connections: Connections, watch?: ServerWatch): void {
  // Expectations other than 100-continue may be ignored (RFC 9110, section 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) => {
    if (!connections.closeAfterAnswer(socket)) endWith(socket, badRequest('CONNECT is not supported.'), watch)
  })
}

function problemFor(code: string | undefined): Problem {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { code: 'request-timeout', message: 'The request took too long to arrive.' }
    case 'HPE_HEADER_OVERFLOW':
      return { code: 'headers-too-large', message: 'The request line and its headers are larger than 16 KiB.' }
    default:
      return badRequest('The request is not well-formed HTTP/1.1.')
  }
}

// The time for the client to read the response and to close its side.
const lingerMs = 1_000

function endWith(socket: Duplex, problem: Problem, watch?: ServerWatch): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  watch?.onEarlyRefusal?.(problem)
  socket.end(bytesOf(problem))
  if (problem.code === 'request-timeout') {
    // A late request must not run.
    socket.destroy()
    return
  }
  // The client's system would discard the response if the server did not read what the client still sends (RFC 9112, section 9.6).
  socket.resume()
  const linger = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(linger))
}

function bytesOf(problem: Problem): Buffer {
  const { status } = typeOf(problem)
  const body = problemBody(problem)
  const headers = {
    ...problemHeaders(problem),
    'x-request-id': nextRequestId(),
    'content-length': String(body.length),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n')
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body])
}
