import { sampleEntry } from '@auction/testing/samples'
import { openFileStore } from './file-store.ts'

// Appends entries to the given file until it is killed, and prints the id of each stored entry.
const store = await openFileStore(process.argv[2] ?? '')
for (let id = 1; ; id++) {
  if ((await store.append([sampleEntry({ id, sequence: id })])) === 1) process.stdout.write(`${id}\n`)
}
