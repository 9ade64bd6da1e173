import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy between a client and a server that a test can interrupt. */
export type TcpProxy = {
  readonly port: number
  /** The number of bytes that the server has sent so far. */
  receivedBytes(): number
  /** Closes all connections, and refuses new ones immediately. */
  cut(): void
  /**
   * Closes the connection of the next matching request, once: `before` its delivery, or `after` it, when the response
   * arrives. Other connections are not affected. The text of a request has a character for each byte (Latin-1).
   */
  cutNext(moment: 'before' | 'after', matches: (request: string) => boolean): void
  /** Holds all data in both directions, like a stopped server or a bad link. */
  hang(): void
  /** Hangs once the next request that matches is delivered, and resolves then. Its response is held back. */
  hangAfter(matches: (request: string) => boolean): Promise<void>
  /** Accepts connections again, and delivers the held data. */
  restore(): void
  close(): Promise<void>
}

export async function startTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let state: 'open' | 'cut' | 'hanging' = 'open'

  let receivedBytes = 0
  let nextCut: { readonly moment: 'before' | 'after'; readonly matches: (request: string) => boolean } | undefined

  let onRequest: ((request: string) => void) | undefined

  /** Whether a request is the next one to be cut off, which is true once. */
  function isCutAt(request: string): 'before' | 'after' | undefined {
    if (nextCut === undefined || !nextCut.matches(request)) return undefined
    const { moment } = nextCut
    nextCut = undefined
    return moment
  }

  const forward = (from: Socket, to: Socket, onData: (chunk: Buffer) => void = (chunk) => to.write(chunk)): void => {
    sockets.add(from)
    from.on('data', onData)
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
    let isForwarded = true
    forward(client, upstream, (request) => {
      const text = nextCut || onRequest ? request.toString('latin1') : ''
      const cut = isCutAt(text)
      if (cut === 'before') client.destroy()
      else upstream.write(request)
      onRequest?.(text)
      if (cut === 'after') isForwarded = false
    })
    forward(upstream, client, (response) => {
      receivedBytes += response.length
      if (isForwarded) client.write(response)
      else client.destroy()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')

  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const hang = () => {
    state = 'hanging'
    for (const socket of sockets) socket.pause()
  }
  return {
    // The cast: a server that listens on a port has an address of this form.
    port: (server.address() as AddressInfo).port,
    receivedBytes: () => receivedBytes,
    cut() {
      state = 'cut'
      destroyAll()
    },
    cutNext(moment, matches) {
      nextCut = { moment, matches }
    },
    hang,
    hangAfter(matches) {
      const { promise, resolve } = Promise.withResolvers<void>()
      onRequest = (request) => {
        if (!matches(request)) return
        onRequest = undefined
        hang()
        resolve()
      }
      return promise
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
