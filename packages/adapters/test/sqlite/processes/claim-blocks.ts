// A process that opens a file as soon as it can, and claims ten of 40 blocks of ids; its argument states which ten.
import { openSqliteStore } from '../../../src/sqlite/sqlite-store.ts'

const [file = '', number = '0'] = process.argv.slice(2)
const store = await openSqliteStore(file)
for (let block = Number(number) + 1; block <= 40; block += 4) {
  if ((await store.claimIdBlock('entries', block)) === 'claimed') process.stdout.write(`${block}\n`)
}
await store.close()
