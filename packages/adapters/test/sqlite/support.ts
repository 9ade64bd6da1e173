import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from '../../src/sqlite/sqlite-store.ts'

/** A file of a test's own, in a folder of its own. */
export type OwnFile = {
  readonly folder: string
  readonly file: string
  /** Opens the file as another process does. */
  readonly open: (options?: SqliteStoreOptions) => Promise<SqliteStore>
  /** Closes all stores, and removes the folder. */
  readonly close: () => Promise<void>
}

export async function ownFile(): Promise<OwnFile> {
  const folder = await mkdtemp(join(tmpdir(), 'auction-sqlite-'))
  const file = join(folder, 'auctions.sqlite')
  const opened: SqliteStore[] = []
  return {
    folder,
    file,
    async open(options) {
      const store = await openSqliteStore(file, options)
      opened.push(store)
      return store
    },
    async close() {
      await Promise.all(opened.map((store) => store.close()))
      await rm(folder, { recursive: true })
    },
  }
}
