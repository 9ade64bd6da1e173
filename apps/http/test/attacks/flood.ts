import { once } from 'node:events'
import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

/** The load of a thread. */
export type FloodOrder = {
  readonly port: number
  readonly connections: number
  /** The bytes of all connections together. A connection that the server ends is replaced until everything is sent. */
  readonly bytes: number
  /** Repeated on each connection, after `first`. */
  readonly repeated: string
  readonly first?: string
}

export type FloodReport = { readonly sentBytes: number; readonly connections: number }

async function sendFlood({ port, connections, bytes, repeated, first = '' }: FloodOrder): Promise<FloodReport> {
  const block = Buffer.from(repeated.repeat(Math.ceil(65_536 / repeated.length)), 'latin1')
  let sentBytes = 0
  let opened = 0

  /** Sends on one connection until the server ends it, or its share is sent. */
  async function sendOn(share: number): Promise<number> {
    opened += 1
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    // A server that has exited fails the attack.
    await once(socket, 'connect')
    socket.resume()
    socket.on('error', () => undefined)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    let sent = 0
    const write = (chunk: Buffer) => new Promise<boolean>((resolve) => socket.write(chunk, (error) => resolve(!error)))
    if (await write(Buffer.from(first, 'latin1'))) {
      while (sent < share && (await write(block))) sent += block.length
    }
    socket.destroy()
    await closed
    return sent
  }

  async function sendShare(): Promise<void> {
    for (let left = bytes / connections; left > 0; ) {
      const sent = await sendOn(left)
      left -= sent
      sentBytes += sent
    }
  }

  await Promise.all(Array.from({ length: connections }, sendShare))
  return { sentBytes, connections: opened }
}

parentPort?.postMessage(await sendFlood(workerData))
