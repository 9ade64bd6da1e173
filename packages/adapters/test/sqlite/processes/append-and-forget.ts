// A process that appends the first entries of an auction, writes how many are stored or what went wrong, and closes
// nothing.
import { sampleEntries } from '@auction/testing/samples'
import { openSqliteStore } from '../../../src/sqlite/sqlite-store.ts'

const [file = '', count = '0'] = process.argv.slice(2)
try {
  const store = await openSqliteStore(file)
  const stored = await store.append(sampleEntries(Number(count)))
  process.stdout.write(`${stored}\n`)
} catch (error) {
  process.stdout.write(`${String(error)}\n`)
}
