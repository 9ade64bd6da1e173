import { sampleEntry } from '@auction/domain/testing/samples'
import { openFileStore } from './file-store.ts'

// Stores one entry after the other in the file that it is given, and prints the id of each that is stored, until it is killed.
const store = await openFileStore(process.argv[2] ?? '')
for (let id = 1; ; id++) {
  if ((await store.append([sampleEntry({ id, sequence: id })])) === 1) process.stdout.write(`${id}\n`)
}
