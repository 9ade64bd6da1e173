import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type Problem, problemBody, problemHeaders } from '../../answers/problem.ts'
import { problemType } from '../../answers/problem-types.ts'
import { STATUS_CODES } from '../node-http.ts'
import type { RequestIds } from '../request-ids.ts'
import type { ServerWatch } from '../watch.ts'
import type { Connections } from './connections.ts'

type ClientError = Error & { readonly code?: string }

/** Answers, in the envelope, what never becomes a request: bytes that are not HTTP, or that come too slowly. */
export function onClientError(connections: Connections, requestIds: RequestIds, watch?: ServerWatch) {
  const answered = new WeakSet<Duplex>()

  return (error: ClientError, socket: Duplex): void => {
    if (error.code === 'ECONNRESET') socket.destroy()
    // What comes behind an error is one as well, and an answer that ends the connection is the last.
    if (answered.has(socket) || socket.writableEnded) return
    answered.add(socket)
    // Behind a request that is answered, it takes nothing but the rest of the connection.
    if (connections.closeAfterAnswer(socket)) return
    endWith(socket, problemFor(error.code), requestIds.next(), watch)
  }
}

/** Fits a server out for what Node handles outside of requests, without the envelope or not at all. */
export function addConnectionHandlers(
  app: FastifyInstance,
  connections: Connections,
  requestIds: RequestIds,
  watch?: ServerWatch,
): void {
  // Expectations other than 100-continue may be ignored (RFC 9110, section 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) => {
    if (!connections.closeAfterAnswer(socket)) endWith(socket, noProxy, requestIds.next(), watch)
  })
}

const noProxy: Problem = { code: 'bad-request', message: 'This is no proxy; there is no CONNECT.' }

function problemFor(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { code: 'request-timeout', message: 'The request took too long to arrive.' }
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { code: 'headers-too-large', message: 'The request line and its headers are larger than 16 KiB.' }
  }
  return { code: 'bad-request', message: 'The request is not well-formed HTTP/1.1.' }
}

// Time for the client to take the answer and to close its side.
const lingerMs = 1_000

function endWith(socket: Duplex, problem: Problem, requestId: string, watch?: ServerWatch): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  watch?.onEarlyRefusal?.(problem)
  socket.end(bytesOf(problem, requestId))
  if (problem.code === 'request-timeout') {
    // What is late must not be carried out after all.
    socket.destroy()
    return
  }
  // The client may be sending still. Were that left unread, its system would throw the answer away (RFC 9112, section 9.6).
  socket.resume()
  const linger = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(linger))
}

function bytesOf(problem: Problem, requestId: string): Buffer {
  const { status } = problemType(problem.code)
  const body = problemBody(problem)
  const headers = {
    ...problemHeaders(problem),
    'x-request-id': requestId,
    'content-length': String(body.length),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n')
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body])
}
