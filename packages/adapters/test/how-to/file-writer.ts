import { sampleEntry } from '@auction/testing/samples'
import { openFileStore } from './file-store.ts'

// Appends entries to the given file until it is killed, and prints the id of each stored entry.
const store = await openFileStore(process.argv[2] ?? '')
for (let id = 1; ; id++) {
  const count = await store.append([sampleEntry({ id, sequence: id })])
  // Waits for the reader, so that at most one entry is stored and not printed.
  if (count === 1) await new Promise((resolve) => process.stdout.write(`${id}\n`, resolve))
}
