import { DatabaseSync } from 'node:sqlite'
import { openSqliteStore } from '@auction/adapters/sqlite'
import { sampleEntry } from '@auction/domain/testing/samples'
import { type Keys, nextRequestKey } from '../bids/request-keys.ts'
import type { Contestant } from '../contest/contestant.ts'

/** The floor: the rows that our store writes, by Node's own driver in this process, each in a transaction of its own. */
export const rawInsert = (keys: Keys): Contestant<string> => ({
  id: keys === 'with-keys' ? 'sqlite-insert-with-keys' : 'sqlite-insert',
  label: `raw INSERT, a transaction a row${keys === 'with-keys' ? ', each with a key' : ''}`,
  perOperation: 1,
  // The driver holds up its caller until a row is stored, so that more clients would only wait for each other.
  clients: [1],
  async start(file) {
    const { names, pattern } = await patternOfEntries(file, keys)
    const database = new DatabaseSync(file)
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    const insert = database.prepare(
      `INSERT INTO entries (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})`,
    )
    let last = 1
    const operation = async () => {
      last += 1
      const requestKey = nextRequestKey(keys)
      insert.run({ ...pattern, id: last, sequence: last, ...(requestKey && { requestKey }) })
      return 'accepted' as const
    }
    return { operation, stop: async () => database.close() }
  },
})

/** A row as our store writes it, which stays in the file. */
async function patternOfEntries(file: string, keys: Keys) {
  const requestKey = nextRequestKey(keys)
  const store = await openSqliteStore(file)
  await store.append([sampleEntry(requestKey === undefined ? {} : { requestKey })])
  await store.close()
  const database = new DatabaseSync(file)
  const pattern = database.prepare('SELECT * FROM entries').get()
  database.close()
  if (pattern?.['id'] !== 1 || pattern['sequence'] !== 1) {
    throw new Error("the store's entries are no longer what is measured here")
  }
  return { names: Object.keys(pattern), pattern }
}
