// A process that stores auctions of 10 kB each until that fails, and writes a line for each one, and the failures.
import { isStoreUnavailable } from '@auction/domain/errors'
import { sampleAuction, sampleEntries } from '@auction/testing/samples'
import { openSqliteStore } from '../../../src/sqlite/sqlite-store.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
const describe = (error: unknown) => (isStoreUnavailable(error) ? `${error.code}: ${error.message}` : String(error))

const [file = ''] = process.argv.slice(2)
const store = await openSqliteStore(file)
let stored = 0
try {
  for (; ; stored++) {
    await store.insertAuction(sampleAuction({ id: stored + 1, description: 'x'.repeat(10_000) }))
    const page = await store.listAuctions({ order: 'newest', limit: 1 })
    say(`stored ${stored + 1}, reads ${page.items[0]?.auction.id}`)
  }
} catch (error) {
  say(describe(error))
}
await store.append(sampleEntries(500)).catch((error: unknown) => say(describe(error)))
await store.close()
