import type { UnreadableStoredError, WriteOutcome } from './store/errors.ts'
import type { LedgerEntry, Store } from './store/store.ts'
import type { AuctionId } from './values/ids.ts'

/** The operations that a service guards and reports. */
export type StoreOperation = Exclude<keyof Store, 'appendedSince' | 'partOf'>

/** An append of entries to the store. */
export type AppendStart = {
  /** The entries are of one ledger, in order; at least one. */
  readonly entries: readonly LedgerEntry[]
}

/** The end of an append. After a failure, any entries may be stored; `onUnknownOutcome` reports the resolution. */
export type AppendEnd =
  | { readonly outcome: 'stored' }
  /** A key of an entry was taken. `stored` counts the entries before it. */
  | { readonly outcome: 'conflict'; readonly stored: number }
  | { readonly outcome: 'failed'; readonly error: unknown }

/** The resolution of a write without a response. */
export type UnknownOutcome = {
  readonly what: 'entries' | 'auction'
  /**
   * `found`: they are stored. `sent-again`: they were not found and were sent again, which stores them at most once.
   * `given-up`: the caller receives an unknown outcome.
   */
  readonly settled: 'found' | 'sent-again' | 'given-up'
  /** The number of entries or auctions. */
  readonly count: number
}

export type Conflict = {
  /** Another process appended first (`sequence`), or the request key already has an entry (`request-key`). */
  readonly over: 'sequence' | 'request-key'
  /** The number of commands that are decided again. */
  readonly commands: number
}

export type Closing = {
  readonly auctionId: AuctionId
  /** The delay in milliseconds after the auction was due (its end plus the margin), by the clock of this process. */
  readonly lateMs: number
}

/**
 * Receives internal events of a service, for metrics and traces. All methods are optional. They run synchronously, so
 * they must be fast and must not call the service; their errors are ignored. A method for an event with a duration is
 * called at the start, and returns a function that is called at the end.
 */
export type Observer = {
  /** An append begins. */
  readonly onAppend?: (start: AppendStart) => (end: AppendEnd) => void
  /**
   * A store call begins, including appends. The end receives the final error, if any: the last error of the store, a
   * timeout, or an impossible result.
   */
  readonly onStoreCall?: (operation: StoreOperation) => (error?: { readonly cause: unknown }) => void
  /** A store call is retried after an error. */
  readonly onStoreRetry?: (operation: StoreOperation) => void
  readonly onConflict?: (conflict: Conflict) => void
  readonly onUnknownOutcome?: (settled: UnknownOutcome) => void
  /** A command exceeded the deadline. With `unknown`, it may still be stored. */
  readonly onDeadline?: (outcome: WriteOutcome) => void
  /** A list or the closer skipped unreadable data. Each record is reported once, up to 1,000 records. */
  readonly onUnreadable?: (error: UnreadableStoredError) => void
  /**
   * A due auction waits for its result, because a bid cannot be opened: its key is missing, or it is damaged. The closer
   * tries again. Each auction is reported once, up to 20,000 auctions, of which 10,000 lack their key.
   */
  readonly onBidsUnopened?: (waiting: { readonly auctionId: AuctionId; readonly error: unknown }) => void
  /** This service closed an auction. */
  readonly onClosed?: (closing: Closing) => void
}

/** The current queues of a service. */
export type Backlog = {
  /** Commands in progress: waiting, or being stored. */
  readonly commands: number
  /** Auctions with commands in progress. */
  readonly lanes: number
  /** Waiting commands in the longest lane. */
  readonly longestLane: number
  /** Auctions known to be due for closing. */
  readonly closingsDue: number
  /** The longest time that an auction has been due, in milliseconds; 0 if none is. */
  readonly longestDueMs: number
}

/** An observer with all methods, none of which throws. */
export type SafeObserver = Required<Observer>

const ignore = (): void => undefined
const ignoreStart = () => ignore

/** Catches the errors of an observer, so that it cannot affect the service. */
export const createSafeObserver = (observer: Observer): SafeObserver => ({
  onAppend: startSafely(observer.onAppend),
  onStoreCall: startSafely(observer.onStoreCall),
  onStoreRetry: notifySafely(observer.onStoreRetry),
  onConflict: notifySafely(observer.onConflict),
  onUnknownOutcome: notifySafely(observer.onUnknownOutcome),
  onDeadline: notifySafely(observer.onDeadline),
  onUnreadable: once(notifySafely(observer.onUnreadable), ({ message }) => message, 1_000),
  onBidsUnopened: once(notifySafely(observer.onBidsUnopened), ({ auctionId }) => auctionId, 20_000),
  onClosed: notifySafely(observer.onClosed),
})

/** Wraps a function, whose errors are then ignored. */
export function notifySafely<Value>(notify: ((value: Value) => void) | undefined): (value: Value) => void {
  if (notify === undefined) return ignore
  return (value) => {
    try {
      notify(value)
    } catch {
      // Ignored; see `Observer`.
    }
  }
}

function startSafely<Start, End>(
  start: ((value: Start) => (end: End) => void) | undefined,
): (value: Start) => (end: End) => void {
  if (start === undefined) return ignoreStart
  return (value) => {
    try {
      return notifySafely(start(value))
    } catch {
      return ignore
    }
  }
}

/** Reports values with the same key once, because every list, or every try, encounters them. */
function once<Value>(
  report: (value: Value) => void,
  keyOf: (value: Value) => unknown,
  most: number,
): (value: Value) => void {
  const reported = new Set<unknown>()
  return (value) => {
    const key = keyOf(value)
    if (reported.has(key) || reported.size === most) return
    reported.add(key)
    report(value)
  }
}
