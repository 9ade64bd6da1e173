import { createBatcher } from './batcher.ts'
import type { Entry } from './ledger/entry.ts'
import type { Store } from './store.ts'

export type GroupCommitParts = {
  /**
   * Writes lists of entries, each of one auction, and returns how many of each list are stored. A taken key ends its own list, and
   * no other; where two services share the store, two lists may be of one auction, and take each other's keys. Where it throws,
   * any of them may be stored.
   */
  readonly write: (appends: readonly (readonly Entry[])[]) => Promise<readonly number[]>
  /** Entries in one write; 1,000 if left out. */
  readonly maxEntries?: number
  /** How many writes are under way at once; 1 if left out. */
  readonly maxWrites?: number
  /**
   * How many writes of contended appends are under way at once, beside the others; 1 if left out. Where a taken key makes a write
   * slower, each has one for itself: `maxContendedEntries` is 1 then.
   */
  readonly maxContendedWrites?: number
  /** Entries in one write of contended appends; `maxEntries` if left out. */
  readonly maxContendedEntries?: number
}

/**
 * The `append` of a store whose writes are shared, as databases share those of their logs: while one write is under way, appends
 * gather, and the next write takes them together. Nobody waits on a timer: what finds the store idle is written at once. Where the
 * store can't be asked, each append of the group fails; where it answers and fails, the group is written again in halves, so that
 * what it fails on fails alone. What was stored before is found taken then, and whoever asks looks whose it is.
 */
export function createGroupCommit(parts: GroupCommitParts): Store['append'] {
  const { write, maxEntries = 1_000, maxWrites = 1, maxContendedWrites = 1, maxContendedEntries = maxEntries } = parts
  const weightOf = (entries: readonly Entry[]): number => entries.length
  const shared = { run: write, weightOf, isHalved: true }
  const calm = createBatcher({ ...shared, maxCalls: maxWrites, maxWeight: maxEntries })
  const contended = createBatcher({ ...shared, maxCalls: maxContendedWrites, maxWeight: maxContendedEntries })
  return (entries, { isContended = false, signal } = {}) => (isContended ? contended : calm).add(entries, signal)
}
