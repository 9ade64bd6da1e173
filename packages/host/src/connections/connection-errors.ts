import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { badRequest, type Problem, problemBody, problemHeaders, typeOf } from '../responses/problem.ts'
import { nextRequestId } from '../server/requests.ts'
import type { ServerObserver } from '../server/server-observer.ts'

type ClientError = Error & { readonly code?: string }

/** Returns the handlers of input that is not a request: bytes that are not HTTP or arrive too slowly, and CONNECT. */
export function createConnectionErrors(
  closeAfterResponse: (socket: Duplex) => boolean,
  problemUrn: string,
  observer?: ServerObserver,
) {
  const failed = new WeakSet<Duplex>()

  function endWith(socket: Duplex, problem: Problem): void {
    if (!socket.writable) {
      socket.destroy()
      return
    }
    observer?.onEarlyRefusal?.(problem)
    const bytes = bytesOf(problem, problemUrn)
    if (problem.code === 'request-timeout') {
      socket.end(bytes)
      // A late request must not run.
      socket.destroy()
    } else endGently(socket, bytes)
  }

  return {
    onClientError(error: ClientError, socket: Duplex): void {
      if (error.code === 'ECONNRESET') socket.destroy()
      // Input after an error is an error, too. After a response that closes the connection, no other is sent.
      if (failed.has(socket) || socket.writableEnded) return
      failed.add(socket)
      // After a complete request, the response to that request closes the connection.
      if (!closeAfterResponse(socket)) endWith(socket, problemFor(error.code))
    },
    onConnect(socket: Duplex): void {
      if (!closeAfterResponse(socket)) endWith(socket, badRequest('CONNECT is not supported.'))
    },
  }
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

/**
 * Ends a connection, and reads for a while what the client still sends: otherwise the system of the client would
 * discard the last response (RFC 9112, section 9.6).
 */
export function endGently(socket: Duplex, lastBytes?: Buffer): void {
  socket.end(lastBytes)
  socket.resume()
  const linger = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(linger))
}

function bytesOf(problem: Problem, problemUrn: string): Buffer {
  const { status } = typeOf(problem)
  const body = problemBody(problem, problemUrn)
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
