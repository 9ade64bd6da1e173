import { InvalidValueError } from './invalid-value.ts'

/** Limits of queues, caches, retries and times. */
export type Limits = {
  /** Waiting commands per auction; further commands are refused as `overloaded`. */
  readonly maxWaitingPerAuction: number
  /** Commands in progress; further commands are refused as `overloaded`. */
  readonly maxWaiting: number
  /** Reads and lists in progress; further reads are refused as `overloaded`. */
  readonly maxReads: number
  /** Entries per append. */
  readonly maxEntriesPerAppend: number
  /** The estimated size of the cache of auctions, in bytes. */
  readonly maxCachedBytes: number
  /** How often a command is decided again because another process was first; then it is refused as `overloaded`. */
  readonly maxConflicts: number
  /** Attempts of a store call, including the first. */
  readonly maxTries: number
  /** The maximum time until a command has a result, in milliseconds, even if the store hangs. */
  readonly deadlineMs: number
  /** The maximum difference between the clocks of processes that share a store, in milliseconds. Auctions close that long after their end. */
  readonly clockSkewMs: number
}

export const defaultLimits: Limits = {
  maxWaitingPerAuction: 1_000,
  maxWaiting: 20_000,
  maxReads: 2_000,
  maxEntriesPerAppend: 500,
  maxCachedBytes: 64 * 1024 * 1024,
  maxConflicts: 100,
  maxTries: 3,
  deadlineMs: 10_000,
  clockSkewMs: 2_000,
}

const least: Readonly<Record<keyof Limits, number>> = {
  maxWaitingPerAuction: 1,
  maxWaiting: 1,
  maxReads: 1,
  maxEntriesPerAppend: 1,
  maxCachedBytes: 1,
  maxConflicts: 0,
  maxTries: 1,
  deadlineMs: 20,
  clockSkewMs: 0,
}

/**
 * Merges limits with the defaults.
 * @throws InvalidValueError that names the first unknown or invalid limit
 */
export function limitsWith(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(least, name)) throw new InvalidValueError(`unknown limit ${name}`)
    const minimum = least[name as keyof Limits] // Checked in the line above.
    if (!Number.isSafeInteger(value) || value < minimum || value > 2 ** 31 - 1) {
      throw new InvalidValueError(
        `the limit ${name} must be an integer from ${minimum} to ${2 ** 31 - 1}; got ${value}`,
      )
    }
  }
  return { ...defaultLimits, ...given }
}
