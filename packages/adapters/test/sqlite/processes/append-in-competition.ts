// One of several processes that append to auction 1: each appends its entries after the current head.
import { sampleAuction, sampleEntry } from '@auction/testing/samples'
import { openSqliteStore } from '../../../src/sqlite/sqlite-store.ts'

const [file = '', number = '0', count = '0'] = process.argv.slice(2)
const store = await openSqliteStore(file)
for (let done = 0; done < Number(count); ) {
  const [head] = await store.findHeads([sampleAuction().id])
  const id = Number(number) * 1_000 + done
  const sequence = (head?.sequence ?? 0) + 1
  const stored = await store.append([sampleEntry({ id, sequence })])
  if (stored === 1) process.stdout.write(`${JSON.stringify({ id, sequence })}\n`)
  done += stored
}
await store.close()
