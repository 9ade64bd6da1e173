import type { Entry } from '../../../src/auction/entry.ts'
import { type WriteContext, type Written, writeEntries } from '../../../src/ledger/write.ts'

type WriteStore = WriteContext['store']

export type WriteFaults = {
  /** The store that entries are written to, in place of the correct one. */
  readonly store?: (right: WriteStore) => WriteStore
  /** The outcome that a lane receives, in place of the actual one. */
  readonly tell?: (written: Written, entries: readonly Entry[]) => Written
}

/** The correct function that writes entries, with faults around it. */
export function createWriteThat(faults: WriteFaults): typeof writeEntries {
  const { store: plant = (right) => right, tell = (written) => written } = faults
  let planted: WriteStore | undefined
  return async (context, entries, options) => {
    planted ??= plant(context.store)
    return tell(await writeEntries({ ...context, store: planted }, entries, options), entries)
  }
}
