import type { PingedStore } from '../api/readiness.ts'
import type { StoreChoice } from '../configuration/configuration.ts'
import type { SettingName } from '../configuration/settings.ts'

export type OpenStore = PingedStore & {
  /** For messages, without credentials. */
  readonly description: string
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
      const open: StoreAdapter['open'] = (onNotice) => connectMongoStore(choice.uri, { onNotice })
      return { setting: 'MONGODB_URI', open, inspect: () => inspectMongoDatabase(choice.uri) }
    }
    case 'postgresql': {
      const { connectPostgresqlStore, inspectPostgresqlDatabase } = await import('@auction/adapters/postgresql')
      const open = () => connectPostgresqlStore(choice.uri)
      return { setting: 'POSTGRESQL_URI', open, inspect: () => inspectPostgresqlDatabase(choice.uri) }
    }
    case 'sqlite': {
      const { inspectSqliteFile, openSqliteStore } = await import('@auction/adapters/sqlite')
      const open = async () => {
        const store = await openSqliteStore(choice.file)
        return { ...store, description: `${store.description}: kept after the process ends` }
      }
      return { setting: 'SQLITE_FILE', open, inspect: () => inspectSqliteFile(choice.file) }
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
