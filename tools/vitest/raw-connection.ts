import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A TCP connection on which a test sends raw bytes. */
export type RawConnection = {
  readonly socket: Socket
  write(bytes: string | Uint8Array): void
  /** Waits until the received text matches, and returns it. */
  until(pattern: RegExp): Promise<string>
  /** All received data, once the server has ended the connection. */
  ended(): Promise<string>
}

/** Connects to a port of this machine. `check` gets what was received before the test does. */
export async function rawConnection(
  port: number,
  check = (_received: string): void => undefined,
): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  await once(socket, 'connect')
  let received = ''
  const checked = () => {
    check(received)
    return received
  }
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk
  })
  const closed = new Promise<void>((resolve) => {
    socket.once('end', () => resolve())
    socket.once('close', () => resolve())
    // A reset is an end as well; the data before it counts.
    socket.once('error', () => resolve())
  })

  return {
    socket,
    write: (bytes) => socket.write(bytes),
    async until(pattern) {
      while (!pattern.test(received)) await Promise.race([once(socket, 'data'), closed.then(failed)])
      return checked()

      function failed(): never {
        throw new Error(`the connection ended before ${pattern} came: ${received}`)
      }
    },
    async ended() {
      await closed
      socket.destroy()
      return checked()
    },
  }
}

/** The statuses of the responses that a connection received. */
export const statusesIn = (received: string): readonly number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

/** The bytes of a request. */
export function requestBytes(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const all = {
    host: 'localhost',
    ...headers,
    ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
