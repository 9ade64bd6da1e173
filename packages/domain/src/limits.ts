import { createCallsInFlight } from './in-flight.ts'
import type { Overloaded } from './ledger/pending-command.ts'
import { idsPerBlock } from './values/ids.ts'
import { type Result, refused } from './values/result.ts'
import { InvalidValueError } from './values/validation.ts'

/**
 * The default and the minimum of each limit. Programs set the first two; the others are those of queues, caches and
 * retries, which tests make small.
 */
const table = {
  /** The maximum time until a command has a result, in milliseconds, even if the store hangs. */
  deadlineMs: { normal: 10_000, least: 20 },
  /**
   * How long after its end an auction is closed, in milliseconds. Until then, bids that arrived in time can be
   * recorded. It covers the difference between clocks of processes that share a store, and the time of the store.
   */
  clockSkewMs: { normal: 2_000, least: 0 },
  /** Waiting commands per auction; further commands are refused as `overloaded`. */
  maxWaitingPerAuction: { normal: 1_000, least: 1 },
  /** Commands in progress; further commands are refused as `overloaded`. */
  maxWaiting: { normal: 20_000, least: 1 },
  /** Reads and lists in progress; further reads are refused as `overloaded`. */
  maxReads: { normal: 2_000, least: 0 },
  /** Entries per append. */
  maxEntriesPerAppend: { normal: 500, least: 1 },
  /** The estimated size of the cache of auctions, in bytes. */
  maxCachedBytes: { normal: 64 * 1024 * 1024, least: 1 },
  /**
   * How often a command is decided again because another process was first; then it is refused as `overloaded`. A
   * nearer process may be first for a second or more before it pauses.
   */
  maxConflicts: { normal: 1_000, least: 1 },
  /** Tries of a store call, including the first. */
  maxTries: { normal: 3, least: 1 },
  // Services whose blocks have other sizes assign ids again, so these two must never differ for a store.
  auctionIdsPerBlock: { normal: idsPerBlock.auctions, least: 1 },
  entryIdsPerBlock: { normal: idsPerBlock.entries, least: 2 },
}

export type Limits = { readonly [Name in keyof typeof table]: number }

/**
 * Returns all limits: the changed ones, and the defaults of the others.
 * @throws InvalidValueError that names the first unknown or invalid limit
 */
export function limitsWith(changed: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(changed)) {
    if (!Object.hasOwn(table, name)) throw new InvalidValueError(`unknown limit ${name}`)
    const { least } = table[name as keyof Limits] // Checked in the line above.
    if (!Number.isSafeInteger(value) || value < least || value > 2 ** 31 - 1) {
      throw new InvalidValueError(`the limit ${name} must be an integer from ${least} to ${2 ** 31 - 1}; got ${value}`)
    }
  }
  const defaults = Object.fromEntries(Object.entries(table).map(([name, { normal }]) => [name, normal]))
  return { ...(defaults as Limits), ...changed } // Each has a default.
}

type Read<Values extends readonly unknown[], Value, Refusal> = (...values: Values) => Promise<Result<Value, Refusal>>

/** Limits the reads in flight: further ones are refused as `overloaded`, since too many would wait for the store. */
export function createReadLimit(maxReads: number) {
  const { count, during } = createCallsInFlight()
  return <Values extends readonly unknown[], Value, Refusal>(
    read: Read<Values, Value, Refusal>,
  ): Read<Values, Value, Refusal | Overloaded> =>
    async (...values) =>
      count() >= maxReads ? refused({ code: 'overloaded' }) : during(read(...values))
}
