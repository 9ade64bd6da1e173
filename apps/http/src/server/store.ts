import { createMemoryStore } from '@auction/adapters/memory'
import { connectMongoStore } from '@auction/adapters/mongodb'
import type { Store } from '@auction/domain/store'

/** A store that is open, with what the process needs to know of it. */
export type OpenStore = Store & {
  /** For people, without credentials. */
  readonly description: string
  close(): Promise<void>
}

/**
 * Opens the store that is configured: MongoDB, or without a URI this process's memory.
 * @throws Error with one line that says why MongoDB can't be used
 */
export async function openStore(uri: string | undefined, onNotice: (text: string) => void): Promise<OpenStore> {
  if (uri !== undefined) return connectMongoStore(uri, { onNotice })
  return {
    ...createMemoryStore(),
    description: 'in-memory: kept until the process ends',
    close: async () => undefined,
  }
}
