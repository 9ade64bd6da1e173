import type { Store } from '@auction/domain/store'
import type { StoreChoice } from '../configuration/configuration.ts'
import type { SettingName } from '../configuration/settings.ts'

/** A store that is open, with what the process needs to know of it. */
export type OpenStore = Store & {
  /** For people, without credentials. */
  readonly description: string
  /** @throws StoreUnavailableError when it does not answer */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The setting that a fault of each store is told under. */
export const storeSettingOf: Readonly<Record<StoreChoice['kind'], SettingName>> = {
  mongodb: 'MONGODB_URI',
  postgresql: 'POSTGRESQL_URI',
  sqlite: 'SQLITE_FILE',
  memory: 'STORE',
}

/** @throws Error with one line that says why the store can't be used, a StoreUnavailableError where that may pass */
export type OpenTheStore = () => Promise<OpenStore>

/**
 * Loads what opens the store that is chosen, and nothing for the others: the driver of MongoDB alone takes longer to load than
 * all of this service.
 */
export async function loadStore(choice: StoreChoice, onNotice: (text: string) => void): Promise<OpenTheStore> {
  switch (choice.kind) {
    case 'mongodb': {
      const { connectMongoStore } = await import('@auction/adapters/mongodb')
      return () => connectMongoStore(choice.uri, { onNotice })
    }
    case 'postgresql': {
      const { connectPostgresqlStore } = await import('@auction/adapters/postgresql')
      return () => connectPostgresqlStore(choice.uri)
    }
    case 'sqlite': {
      const { openSqliteStore } = await import('@auction/adapters/sqlite')
      return async () => {
        const store = await openSqliteStore(choice.file)
        return { ...store, description: `${store.description}: kept after the process ends` }
      }
    }
    case 'memory': {
      const { createMemoryStore } = await import('@auction/adapters/memory')
      const description = 'in-memory: kept until the process ends'
      const done = async () => undefined
      return async () => ({ ...createMemoryStore(), description, ping: done, close: done })
    }
    default:
      return choice satisfies never
  }
}
