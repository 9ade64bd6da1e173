import type { Overloaded } from './ledger/pending-command.ts'
import type { IdKind } from './store/store.ts'
import { idsPerBlock } from './values/ids.ts'
import { type Result, refused } from './values/result.ts'
import { InvalidValueError } from './values/validation.ts'

/** The limits that a program sets: the default and the minimum of each. */
const table = {
  /** The maximum time until a command has a result, in milliseconds, even if the store hangs. */
  deadlineMs: { normal: 10_000, least: 20 },
  /**
   * How long after its end an auction is closed, in milliseconds. Until then, bids that arrived in time can be
   * recorded. It covers the difference between clocks of processes that share a store, and the time of the store.
   */
  clockSkewMs: { normal: 2_000, least: 0 },
}

/** The limits of queues, caches and retries. Programs need no others; tests pass smaller ones. */
const fixedLimits = {
  /** Waiting commands per auction; further commands are refused as `overloaded`. */
  maxWaitingPerAuction: 1_000,
  /** Commands in progress; further commands are refused as `overloaded`. */
  maxWaiting: 20_000,
  /** Reads and lists in progress; further reads are refused as `overloaded`. */
  maxReads: 2_000,
  /** Entries per append. */
  maxEntriesPerAppend: 500,
  /** The estimated size of the cache of auctions, in bytes. */
  maxCachedBytes: 64 * 1024 * 1024,
  /** How often a command is decided again because another process was first; then it is refused as `overloaded`. */
  maxConflicts: 100,
  /** Tries of a store call, including the first. */
  maxTries: 3,
  idsPerBlock,
}

export type Limits = { readonly [Name in keyof typeof table]: number }
export type FixedLimits = Omit<{ readonly [Name in keyof typeof fixedLimits]: number }, 'idsPerBlock'> & {
  readonly idsPerBlock: { readonly [Kind in IdKind]: number }
}
export type AllLimits = Limits & FixedLimits

/**
 * Returns all limits: the changed ones, and the defaults of the others.
 * @throws InvalidValueError that names the first unknown or invalid limit
 */
export function limitsWith(changed: Partial<Limits> = {}): AllLimits {
  for (const [name, value] of Object.entries(changed)) {
    if (!Object.hasOwn(table, name)) throw new InvalidValueError(`unknown limit ${name}`)
    const { least } = table[name as keyof Limits] // Checked in the line above.
    if (!Number.isSafeInteger(value) || value < least || value > 2 ** 31 - 1) {
      throw new InvalidValueError(`the limit ${name} must be an integer from ${least} to ${2 ** 31 - 1}; got ${value}`)
    }
  }
  const { deadlineMs, clockSkewMs } = table
  return { ...fixedLimits, deadlineMs: deadlineMs.normal, clockSkewMs: clockSkewMs.normal, ...changed }
}

type Read<Values extends readonly unknown[], Value, Refusal> = (...values: Values) => Promise<Result<Value, Refusal>>

/** Limits the reads in flight: further ones are refused as `overloaded`, since too many would wait for the store. */
export function createReadLimit(maxReads: number) {
  let inFlight = 0
  return <Values extends readonly unknown[], Value, Refusal>(
    read: Read<Values, Value, Refusal>,
  ): Read<Values, Value, Refusal | Overloaded> =>
    async (...values) => {
      if (inFlight >= maxReads) return refused({ code: 'overloaded' })
      inFlight += 1
      try {
        return await read(...values)
      } finally {
        inFlight -= 1
      }
    }
}
