import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type Problem, problemBody, problemHeaders } from '../answers/problem.ts'
import { problemType } from '../answers/problem-types.ts'

/** Answers, in the envelope, what never becomes a request: bytes that are not HTTP, or that come too slowly. */
export const onClientError =
  (nextRequestId: () => string) =>
  (error: Error & { readonly code?: string }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const answer = () => endWith(socket, problemFor(error.code), nextRequestId())
    const pending = pendingResponse(socket)
    if (pending === undefined) answer()
    // An earlier request of the connection was read whole: the answer that it waits for must not be taken for this one.
    else pending.once('close', answer)
  }

/** Fits a server out for what Node handles outside of requests, without the envelope or not at all. */
export function addConnectionHandlers(app: FastifyInstance, nextRequestId: () => string): void {
  // Expectations other than 100-continue may be ignored (RFC 9110, section 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) => {
    endWith(socket, { code: 'bad-request', message: 'This is no proxy; there is no CONNECT.' }, nextRequestId())
  })
}

function problemFor(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { code: 'request-timeout', message: 'The request took too long to arrive.' }
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { code: 'headers-too-large', message: 'The request line and its headers are larger than 16 KiB.' }
  }
  return { code: 'bad-request', message: 'The request is not well-formed HTTP/1.1.' }
}

type Pending = NodeJS.EventEmitter & { readonly req?: IncomingMessage }

function pendingResponse(socket: Duplex): Pending | undefined {
  // Node keeps the response that is under way on its socket. It documents that nowhere, and its own handler reads it there.
  const { _httpMessage: response } = socket as { readonly _httpMessage?: Pending | null }
  return response?.req?.complete === true ? response : undefined
}

function endWith(socket: Duplex, problem: Problem, requestId: string): void {
  if (!socket.writable) return
  const { status } = problemType(problem.code)
  const body = problemBody(problem)
  const headers = {
    ...problemHeaders(problem),
    'x-request-id': requestId,
    'content-length': String(body.length),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(
    Buffer.concat([
      Buffer.from(`${[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n')}\r\n\r\n`),
      body,
    ]),
  )
}
