import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteStore } from '@auction/adapters/sqlite'
import { makeFolder } from '../resources.ts'
import { type BenchStore, rawEntries } from './bench-store.ts'

/** A file on the disk. The raw driver is Node’s, which blocks its caller until a commit is on the disk. */
export const sqlite: BenchStore = {
  isBlocking: true,
  version: async () => `SQLite ${process.versions['sqlite']}`,
  openScratch: async (_uri, defer) => join(await makeFolder(defer), 'auctions.sqlite'),
  open: (file) => openSqliteStore(file),
  async openRaw(file, isKeyed, defer) {
    const database = new DatabaseSync(file, { timeout: 5_000 })
    defer(() => database.close())
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = OFF;
      CREATE TABLE raw (id INTEGER PRIMARY KEY, auctionId INTEGER, sequence INTEGER, requestKey TEXT, data TEXT) STRICT;
      CREATE UNIQUE INDEX rawSequence ON raw (auctionId, sequence);
      CREATE UNIQUE INDEX rawKey ON raw (requestKey) WHERE requestKey IS NOT NULL`)
    const statement = database.prepare('INSERT INTO raw VALUES (?, ?, ?, ?, ?)')
    const nextEntry = rawEntries(isKeyed)
    async function insert(): Promise<void> {
      const { id, auctionId, sequence, requestKey, data } = nextEntry()
      statement.run(id, auctionId, sequence, requestKey, JSON.stringify(data))
    }
    // A sync is slower while the log grows. After the first checkpoint the log is overwritten, as in a store in use.
    for (let count = 0; count < 5_000; count++) await insert()
    database.exec('PRAGMA synchronous = FULL')
    return insert
  },
}
