import type { Store } from '@auction/domain/store'
import type { StoreChoice } from '../configuration/configuration.ts'
import type { SettingName } from '../configuration/settings.ts'

export type OpenStore = Store & {
  /** For messages, without credentials. */
  readonly description: string
  /** @throws StoreUnavailableError if it does not respond */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Opens and inspects a store. Errors have one line; a StoreUnavailableError may be temporary. */
export type StoreAdapter = {
  /** The setting that messages name. */
  readonly setting: SettingName
  open(onNotice: (text: string) => void): Promise<OpenStore>
  /** Changes nothing. Returns what a start would create. */
  inspect(): Promise<{ readonly description: string; readonly wouldMake: readonly string[] }>
}

/** Loads the adapter of the chosen store only: MongoDB's driver alone takes longer to load than the rest of the service. */
export async function loadStore(choice: StoreChoice): Promise<StoreAdapter> {
  switch (choice.kind) {
    case 'mongodb': {
      const { connectMongoStore, inspectMongoDatabase } = await import('@auction/adapters/mongodb')
      const { uri } = choice
      const open: StoreAdapter['open'] = (onNotice) => connectMongoStore(uri, { onNotice })
      return { setting: 'MONGODB_URI', open, inspect: () => inspectMongoDatabase(uri) }
    }
    case 'postgresql': {
      const { connectPostgresqlStore, inspectPostgresqlDatabase } = await import('@auction/adapters/postgresql')
      const { uri } = choice
      const open = () => connectPostgresqlStore(uri)
      return { setting: 'POSTGRESQL_URI', open, inspect: () => inspectPostgresqlDatabase(uri) }
    }
    case 'sqlite': {
      const { inspectSqliteFile, openSqliteStore } = await import('@auction/adapters/sqlite')
      const { file } = choice
      const open = async () => {
        const store = await openSqliteStore(file)
        return { ...store, description: `${store.description}: kept after the process ends` }
      }
      return { setting: 'SQLITE_FILE', open, inspect: () => inspectSqliteFile(file) }
    }
    case 'memory': {
      const { createMemoryStore } = await import('@auction/adapters/memory')
      const description = 'in-memory: kept until the process ends'
      const done = async () => undefined
      const open = async () => ({ ...createMemoryStore(), description, ping: done, close: done })
      return { setting: 'STORE', open, inspect: async () => ({ description: 'in-memory', wouldMake: [] }) }
    }
    default:
      return choice satisfies never
  }
}
