import { InvalidValueError } from './values/validation.ts'

/** Limits of queues, caches, retries and times: the default and the minimum of each. */
const table = {
  /** Waiting commands per auction; further commands are refused as `overloaded`. */
  maxWaitingPerAuction: { normal: 1_000, least: 1 },
  /** Commands in progress; further commands are refused as `overloaded`. */
  maxWaiting: { normal: 20_000, least: 1 },
  /** Reads and lists in progress; further reads are refused as `overloaded`. */
  maxReads: { normal: 2_000, least: 1 },
  /** Entries per append. */
  maxEntriesPerAppend: { normal: 500, least: 1 },
  /** The estimated size of the cache of auctions, in bytes. */
  maxCachedBytes: { normal: 64 * 1024 * 1024, least: 1 },
  /** How often a command is decided again because another process was first; then it is refused as `overloaded`. */
  maxConflicts: { normal: 100, least: 0 },
  /** Attempts of a store call, including the first. */
  maxTries: { normal: 3, least: 1 },
  /** The maximum time until a command has a result, in milliseconds, even if the store hangs. */
  deadlineMs: { normal: 10_000, least: 20 },
  /**
   * How long after its end an auction is closed, in milliseconds. Until then, bids that arrived in time can be recorded. It covers the difference
   * between the clocks of processes that share a store, and the time that the store takes.
   */
  clockSkewMs: { normal: 2_000, least: 0 },
}

export type Limits = { readonly [Name in keyof typeof table]: number }

export const defaultLimits = Object.fromEntries(
  Object.entries(table).map(([name, { normal }]) => [name, normal]),
) as Limits // The cast: it has the names of the table.

/**
 * Merges limits with the defaults.
 * @throws InvalidValueError that names the first unknown or invalid limit
 */
export function limitsWith(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(table, name)) throw new InvalidValueError(`unknown limit ${name}`)
    const { least } = table[name as keyof Limits] // Checked in the line above.
    if (!Number.isSafeInteger(value) || value < least || value > 2 ** 31 - 1) {
      throw new InvalidValueError(`the limit ${name} must be an integer from ${least} to ${2 ** 31 - 1}; got ${value}`)
    }
  }
  return { ...defaultLimits, ...given }
}
