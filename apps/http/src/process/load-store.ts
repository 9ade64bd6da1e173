import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Checkpoints } from '@auction/delivery/checkpoints'
import type { PingedStore } from '../api/readiness.ts'
import type { StoreChoice } from '../configuration/configuration.ts'
import type { SettingName } from '../configuration/settings.ts'

export type OpenStore = PingedStore & {
  readonly checkpoints: Checkpoints
  /** Names the store in messages, without credentials. */
  readonly description: string
  close(): Promise<void>
}

/** Opens a store, or pings it. Errors have one line; a StoreUnavailableError may be temporary. */
type StoreAdapter = {
  /** The setting that messages name. */
  readonly setting: SettingName
  open(onNotice: (text: string) => void): Promise<OpenStore>
  /** Changes nothing. Returns the description of the store. @throws if it does not respond */
  ping(): Promise<string>
  /** Upgrades data of an earlier format, if there was one. Returns how many documents of each kind were changed. */
  upgrade?(onNotice: (text: string) => void): Promise<Readonly<Record<string, number>> | undefined>
}

/**
 * Loads the adapter of the chosen store only: MongoDB's driver alone takes longer to load than the rest of the service.
 */
export async function loadStore(choice: StoreChoice): Promise<StoreAdapter> {
  switch (choice.kind) {
    case 'mongodb': {
      const { connectMongoStore, pingMongoDatabase, upgradeMongoDatabase } = await import('@auction/adapters/mongodb')
      return {
        setting: 'MONGODB_URI',
        open: (onNotice) => connectMongoStore(choice.uri, { onNotice }),
        ping: () => pingMongoDatabase(choice.uri),
        upgrade: (onNotice) => upgradeMongoDatabase(choice.uri, { onNotice }),
      }
    }
    case 'postgresql': {
      const { connectPostgresqlStore, pingPostgresqlDatabase } = await import('@auction/adapters/postgresql')
      const open = () => connectPostgresqlStore(choice.uri)
      return { setting: 'POSTGRESQL_URI', open, ping: () => pingPostgresqlDatabase(choice.uri) }
    }
    case 'sqlite': {
      const { openSqliteStore } = await import('@auction/adapters/sqlite')
      const open = async () => {
        const store = await openSqliteStore(choice.file)
        return { ...store, description: `${store.description}: kept after the process ends` }
      }
      const ping = async () =>
        `SQLite file ${resolve(choice.file)}, ${existsSync(choice.file) ? 'which exists' : 'which a start would create'}`
      return { setting: 'SQLITE_FILE', open, ping }
    }
    case 'memory': {
      const { createMemoryStore } = await import('@auction/adapters/memory')
      const description = 'in-memory: kept until the process ends'
      const done = async () => undefined
      const open = async () => ({ ...createMemoryStore(), description, ping: done, close: done })
      return { setting: 'STORE', open, ping: async () => 'in-memory' }
    }
    default:
      return choice satisfies never
  }
}
