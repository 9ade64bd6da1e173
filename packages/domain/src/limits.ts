import { InvalidValueError } from './invalid-value.ts'

/** Bounds for everything that waits, grows or is tried again. */
export type Limits = {
  /** Commands that may wait for one auction; past that they are refused as `overloaded`. */
  readonly maxWaitingPerAuction: number
  /** Commands that may be under way in all; past that they are refused as `overloaded`. */
  readonly maxWaiting: number
  /** Reads and lists that may be under way in all; past that they are refused as `overloaded`. */
  readonly maxReads: number
  /** Entries in one append. */
  readonly maxEntriesPerAppend: number
  /** What is remembered of auctions, the most recently used, in bytes as an estimate. */
  readonly maxCachedBytes: number
  /** How many times a command is decided again because another process was first; past that it is `overloaded`. */
  readonly maxConflicts: number
  /** How often the store is asked in vain before a read or a write is given up. */
  readonly maxTries: number
  /** The longest time from a command's arrival to its answer, whatever the store does, in milliseconds. */
  readonly deadlineMs: number
  /** By how much the clocks of those who serve one store may differ, in milliseconds: how long after its end an auction is closed. */
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
 * The default limits with others in their place.
 * @throws InvalidValueError that names the first limit which is not known, or is no integer in its bounds
 */
export function limitsWith(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(least, name)) throw new InvalidValueError(`there is no limit ${name}`)
    const minimum = least[name as keyof Limits] // It is one, by the line above.
    if (!Number.isSafeInteger(value) || value < minimum || value > 2 ** 31 - 1) {
      throw new InvalidValueError(
        `the limit ${name} must be an integer from ${minimum} to ${2 ** 31 - 1}, and is ${value}`,
      )
    }
  }
  return { ...defaultLimits, ...given }
}
