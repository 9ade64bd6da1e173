import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A stretch of network between a client and a server that a test can break. */
export type TcpProxy = {
  readonly port: number
  /** Breaks all connections, and refuses new ones at once. */
  cut(): void
  /** Holds back all that is sent, both ways, as a stopped server or a bad link does. */
  hang(): void
  /** Takes connections again, and delivers what was held back. */
  restore(): void
  close(): Promise<void>
}

export async function tcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let state: 'open' | 'cut' | 'hanging' = 'open'

  const forward = (from: Socket, to: Socket): void => {
    sockets.add(from)
    from.on('data', (chunk) => to.write(chunk))
    from.on('error', () => undefined)
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    if (state === 'hanging') from.pause()
  }

  const server = createServer((client) => {
    if (state === 'cut') {
      client.destroy()
      return
    }
    const upstream = connect(target)
    forward(client, upstream)
    forward(upstream, client)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')

  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    // The cast: a server that listens on a port has an address of this form.
    port: (server.address() as AddressInfo).port,
    cut() {
      state = 'cut'
      destroyAll()
    },
    hang() {
      state = 'hanging'
      for (const socket of sockets) socket.pause()
    },
    restore() {
      state = 'open'
      for (const socket of sockets) socket.resume()
    },
    async close() {
      destroyAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
