import { isStoreUnavailable } from '@auction/domain/errors'
import type { Store } from '@auction/domain/store'
import { wait } from './race/timers.ts'
import { sampleAuction } from './samples.ts'
import type { StoreSubject } from './store-contract/suite.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** A store on a server. */
export type ServerStore = Store & { ping?(): Promise<void>; close(): Promise<void> }

/** A store on its own data, through a proxy that a test can interrupt. */
export type ProxiedStore<Kept extends ServerStore = ServerStore> = {
  readonly store: Kept
  readonly proxy: TcpProxy
  /** Opens another store on the same data, as another process has it. */
  readonly open: () => Promise<Kept>
  /** Restores the network, and waits until the store is available again. */
  readonly restore: () => Promise<void>
  /** Closes all stores and removes the data. */
  readonly close: () => Promise<void>
}

export type ProxiedParts<Kept extends ServerStore> = {
  /** A URI of the server, with one host. */
  readonly uri: URL
  /** The port of a URI without one. */
  readonly defaultPort: number
  readonly connect: (uri: string) => Promise<Kept>
  /** Removes the data. */
  readonly drop: () => Promise<unknown>
}

/** How long a store may take until it is available again. */
const maxRecoveryMs = 20_000
const pollMs = 20

export async function proxyStore<Kept extends ServerStore>(parts: ProxiedParts<Kept>): Promise<ProxiedStore<Kept>> {
  const { uri, defaultPort, connect, drop } = parts
  const proxied = new URL(uri)
  const proxy = await startTcpProxy({ host: proxied.hostname, port: Number(proxied.port || defaultPort) })
  proxied.host = `127.0.0.1:${proxy.port}`
  const opened: Kept[] = []
  async function open(): Promise<Kept> {
    const store = await connect(proxied.href)
    opened.push(store)
    return store
  }
  const store = await open()
  return {
    store,
    proxy,
    open,
    async restore() {
      proxy.restore()
      const startMs = Date.now()
      while (!(await isUp(store))) {
        await wait(pollMs)
        if (Date.now() - startMs > maxRecoveryMs) throw new Error('the store is not available again after 20 s')
      }
    },
    async close() {
      await Promise.all(opened.map((each) => each.close()))
      await proxy.close()
      await drop()
    },
  }
}

const isUp = (store: ServerStore): Promise<boolean> =>
  (store.ping?.() ?? store.findAuction(sampleAuction().id)).then(
    () => true,
    (error: unknown) => {
      if (isStoreUnavailable(error)) return false
      throw error
    },
  )

const atOnce = 'a connection that breaks at once'

/** The faults of a connection, for the option `faults` of `storeContract`, and what a write stores under each. */
export const connectionFaults = { [atOnce]: 'nothing', 'a connection that breaks before the response': 'all' } as const

/**
 * The hooks of `storeContract` that need only the proxy.
 * @param isCall recognizes the messages of calls, which may meet a fault, among those that set up a connection. The
 *   text has a character for each byte (Latin-1)
 */
export const proxyHooks = <Kept extends ServerStore>(
  { store, open, proxy, restore }: ProxiedStore<Kept>,
  isCall: (message: string) => boolean,
) =>
  ({
    openSecondHandle: open,
    closeStore: () => store.close(),
    async reopen() {
      await store.close()
      return open()
    },
    async breakStore() {
      proxy.cut()
      return restore
    },
    // Like SIGSTOP, which would stop the server of other tests: connections stay open, and nothing responds.
    async halt() {
      proxy.hang()
      return restore
    },
    bytesRead: async () => proxy.receivedBytes(),
    failNext: async (fault: string) => proxy.cutNext(fault === atOnce ? 'before' : 'after', isCall),
  }) satisfies Partial<StoreSubject>
