import { createMemoryStore } from '@auction/adapters/memory'
import type { Store } from '@auction/domain/store'
import { moduleSetting, type StoreModule } from './on-module.ts'

/** Opens the store of the module under test, as an HTTP server opens a file. No webhooks use its checkpoints. */
export async function openSqliteStore(description: string) {
  const { openStore }: StoreModule = await import(process.env[moduleSetting] ?? '')
  const store = await openStore()
  return { checkpoints: createMemoryStore().checkpoints, ...store, description, ping: () => ping(store) }
}

const ping = async (store: Store): Promise<void> => void (await store.listAuctions({ order: 'newest', limit: 1 }))
