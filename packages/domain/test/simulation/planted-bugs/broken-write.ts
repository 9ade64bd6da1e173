import type { Entry } from '../../../src/ledger/entry.ts'
import { type WriteContext, type Written, writeEntries } from '../../../src/ledger/write.ts'

type WriteStore = WriteContext['store']

export type WriteFaults = {
  /** The store that entries are written to in the place of the right one. */
  readonly store?: (right: WriteStore) => WriteStore
  /** What a lane is told, in the place of what it came to. */
  readonly tell?: (written: Written, entries: readonly Entry[]) => Written
}

/** The right way to write entries, with faults around it. */
export function createWriteThat(faults: WriteFaults): typeof writeEntries {
  const { store: plant = (right) => right, tell = (written) => written } = faults
  let planted: WriteStore | undefined
  return async (context, entries, options) => {
    planted ??= plant(context.store)
    return tell(await writeEntries({ ...context, store: planted }, entries, options), entries)
  }
}
