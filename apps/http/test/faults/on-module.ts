import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Checkpoints } from '@auction/delivery/checkpoints'
import type { Store } from '@auction/domain/store'
import type { StoreUnderTest } from './faults.ts'
import { haltOne, killDatabase, killOne } from './faults.ts'
import type { Settings } from './http-server.ts'

/** What a module of `--store ./my-store.ts` exports. */
export type StoreModule = {
  /** Opens the store, in this process and in those of the HTTP servers. The settings of `startServer` are in `process.env`. */
  openStore(): Promise<Store & { readonly checkpoints?: Checkpoints; close(): Promise<void> }>
  /** Starts a separate and empty server. Without it, `openStore` names one that runs. */
  startServer?(): Promise<{
    readonly settings: Settings
    kill(): Promise<void>
    /** Starts it again; resolves when it responds. */
    start(): Promise<void>
    stop(): Promise<void>
  }>
}

/** The setting of the HTTP servers that names the module. */
export const moduleSetting = 'FAULTS_STORE_MODULE'

/** The store of a module, which the HTTP servers use instead of that of a file. */
export async function onModule(path: string): Promise<StoreUnderTest> {
  const url = pathToFileURL(resolve(path)).href
  const { openStore, startServer }: StoreModule = await import(url)
  const server = await startServer?.()
  Object.assign(process.env, server?.settings)
  const settings = {
    ...server?.settings,
    [moduleSetting]: url,
    NODE_OPTIONS: `--import=${new URL('./use-module.ts', import.meta.url).href}`,
    SQLITE_FILE: path,
  }
  return {
    settings: [settings, settings],
    faults: [killOne, haltOne, ...(server === undefined ? [] : [killDatabase(server)])],
    open: openStore,
    stop: async () => server?.stop(),
  }
}
