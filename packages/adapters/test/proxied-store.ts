import type { StoreSubject } from '@auction/testing/store-contract'
import { expect } from 'vitest'
import { type TcpProxy, tcpProxy } from '../../../tools/vitest/tcp-proxy.ts'
import type { KeepingStore } from './reused-subjects.ts'

/** A store on a server. */
export type ServerStore = KeepingStore & { ping(): Promise<void>; close(): Promise<void> }

/** A store on its own data, through a proxy that a test can interrupt. */
export type ProxiedStore = {
  readonly store: ServerStore
  readonly proxy: TcpProxy
  /** Opens another store on the same data, as another process has it. */
  readonly open: () => Promise<ServerStore>
  /** Restores the network, and waits until the store is available again. */
  readonly restore: () => Promise<void>
  /** Closes all stores and removes the data. */
  readonly close: () => Promise<void>
}

export type ProxiedParts = {
  readonly uri: URL
  readonly defaultPort: number
  readonly connect: (uri: string) => Promise<ServerStore>
  /** Removes the data. */
  readonly drop: () => Promise<unknown>
}

export async function proxyStore({ uri, defaultPort, connect, drop }: ProxiedParts): Promise<ProxiedStore> {
  const proxied = new URL(uri)
  const proxy = await tcpProxy({ host: proxied.hostname, port: Number(proxied.port || defaultPort) })
  proxied.host = `127.0.0.1:${proxy.port}`
  const opened: ServerStore[] = []
  async function open(): Promise<ServerStore> {
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
      await expect.poll(() => isUp(store), { timeout: 20_000 }).toBe(true)
    },
    async close() {
      await Promise.all(opened.map((each) => each.close()))
      await proxy.close()
      await drop()
    },
  }
}

const isUp = (store: ServerStore): Promise<boolean> =>
  store.ping().then(
    () => true,
    () => false,
  )

const atOnce = 'a connection that breaks at once'

/** The faults of a connection, and what a write stores under each. */
export const connectionFaults = { [atOnce]: 'nothing', 'a connection that breaks before the answer': 'all' } as const

/** The hooks of the contract that need only the proxy. `isCall` recognizes the requests that may meet a fault. */
export const hooksOf = ({ store, open, proxy, restore }: ProxiedStore, isCall: (request: Buffer) => boolean) =>
  ({
    openSecondHandle: open,
    closeStore: store.close,
    async reopen() {
      await store.close()
      return open()
    },
    async breakStore() {
      proxy.cut()
      return restore
    },
    failNext: async (fault: string) => proxy.cutNext(fault === atOnce ? 'before' : 'after', isCall),
  }) satisfies Partial<StoreSubject>
