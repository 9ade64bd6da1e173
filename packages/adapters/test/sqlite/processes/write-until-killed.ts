// A process in which 32 clients write until it is killed, and which prints each acknowledged write.
import { sampleAuction, sampleEntry } from '@auction/testing/samples'
import { openSqliteStore } from '../../../src/sqlite/sqlite-store.ts'

const [file = '', times = '0'] = process.argv.slice(2)
const store = await openSqliteStore(file)
const description = 'x'.repeat(10_000)
let lastId = Number(times) * 1_000_000

async function write(): Promise<never> {
  const auctionId = ++lastId
  for (let sequence = 0; ; sequence += 3) {
    const id = ++lastId
    await store.insertAuction(sampleAuction({ id, description }))
    process.stdout.write(`auction ${id}\n`)
    const entries = [1, 2, 3].map((more) => sampleEntry({ id: ++lastId, auctionId, sequence: sequence + more }))
    await store.append(entries)
    process.stdout.write(`entries ${auctionId} ${sequence + 3}\n`)
    await store.claimIdBlock('entries', id)
    process.stdout.write(`block ${id}\n`)
  }
}

await Promise.all(Array.from({ length: 32 }, write))
