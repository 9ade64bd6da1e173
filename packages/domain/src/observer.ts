import type { AuctionId } from './ids.ts'
import type { Entry } from './ledger/entry.ts'
import type { Store } from './store.ts'
import type { Outcome } from './store-unavailable.ts'
import type { UnreadableStoredError } from './unreadable-stored.ts'

export type StoreOperation = keyof Store

/** Entries that are sent to the store together. */
export type AppendStart = {
  /** Of one auction, in the order in which they are stored; at least one. */
  readonly entries: readonly Entry[]
}

/** What became of an append. Of one that failed, any part may be stored; `onUnknownOutcome` tells what is found out about it. */
export type AppendEnd =
  | { readonly outcome: 'stored' }
  /** A key of the next entry was taken. `stored` counts those before it. */
  | { readonly outcome: 'conflict'; readonly stored: number }
  | { readonly outcome: 'failed'; readonly error: unknown }

/** What was done about a write whose answer was lost. */
export type UnknownOutcome = {
  readonly what: 'entries' | 'auction'
  /**
   * `found`: they are stored. `sent-again`: they were not found, and were sent once more, which stores them once at the most.
   * `given-up`: whoever asked for them is told that it is not known.
   */
  readonly settled: 'found' | 'sent-again' | 'given-up'
  /** How many. */
  readonly count: number
}

export type Conflict = {
  /** Another process has gone on in the auction (`sequence`), or the key of the request has made an entry before (`request-key`). */
  readonly over: 'sequence' | 'request-key'
  /** How many commands are decided again because of it. */
  readonly commands: number
}

export type Closing = {
  readonly auctionId: AuctionId
  /** How long after it was due: after its end, and the margin for clocks. In milliseconds, by this process's clock. */
  readonly lateMs: number
}

/**
 * Is told what happens inside a service while it happens, for metrics and traces. Any part may be left out. Calls are made in the
 * midst of the work, so they must be quick, and must not call the service; what they throw is dropped. Times are the observer's own
 * to take: where something lasts, a call tells of its start, and what it returns is called once with its end.
 */
export type Observer = {
  /** Entries are sent to the store. */
  readonly onAppend?: (start: AppendStart) => (end: AppendEnd) => void
  /**
   * The store is asked for something, appends included. The end comes without an error, or with the one that the service goes by:
   * what the store threw the last time, that it took too long, or that what it reported can't be.
   */
  readonly onStoreCall?: (operation: StoreOperation) => (error?: { readonly cause: unknown }) => void
  /** The store failed, and is asked once more within the same call. */
  readonly onStoreRetry?: (operation: StoreOperation) => void
  readonly onConflict?: (conflict: Conflict) => void
  readonly onUnknownOutcome?: (settled: UnknownOutcome) => void
  /** A command took too long. `unknown` says that it may be stored all the same. */
  readonly onDeadline?: (outcome: Outcome) => void
  /**
   * Something is stored and can't be read, and was left out of a list, or was not closed. Each is reported once, up to 1,000 of them.
   */
  readonly onUnreadable?: (error: UnreadableStoredError) => void
  /** The end of an auction was recorded, by this service. */
  readonly onClosed?: (closing: Closing) => void
}

/** What waits in a service at some moment. */
export type Backlog = {
  /** Commands that are not settled yet: those that wait, and those on their way into the ledger. */
  readonly commands: number
  /** Auctions that have any. */
  readonly lanes: number
  /** How many commands wait behind those of the auction that are on their way, in the lane where the most do. */
  readonly longestLane: number
  /** Auctions that are known to be due for closing, and are not closed. */
  readonly closingsDue: number
  /** How long the first of them has been due, in milliseconds; 0 where none is. */
  readonly longestDueMs: number
}

/** An observer with all its parts, none of which throws. */
export type SafeObserver = Required<Observer>

const ignore = (): void => undefined
const ignoreStart = () => ignore

/** What is observed must not change because somebody looks: what an observer throws ends here. */
export const createSafeObserver = (observer: Observer): SafeObserver => ({
  onAppend: startSafely(observer.onAppend),
  onStoreCall: startSafely(observer.onStoreCall),
  onStoreRetry: tellSafely(observer.onStoreRetry),
  onConflict: tellSafely(observer.onConflict),
  onUnknownOutcome: tellSafely(observer.onUnknownOutcome),
  onDeadline: tellSafely(observer.onDeadline),
  onUnreadable: once(tellSafely(observer.onUnreadable)),
  onClosed: tellSafely(observer.onClosed),
})

function tellSafely<Value>(tell: ((value: Value) => void) | undefined): (value: Value) => void {
  if (tell === undefined) return ignore
  return (value) => {
    try {
      tell(value)
    } catch {
      // Dropped, as the type says.
    }
  }
}

function startSafely<Start, End>(
  start: ((value: Start) => (end: End) => void) | undefined,
): (value: Start) => (end: End) => void {
  if (start === undefined) return ignoreStart
  return (value) => {
    try {
      return tellSafely(start(value))
    } catch {
      return ignore
    }
  }
}

const maxReported = 1_000

/** Errors with the same message are reported once: lists meet what they can't read again and again. */
function once(report: (error: UnreadableStoredError) => void): (error: UnreadableStoredError) => void {
  const reported = new Set<string>()
  return (error) => {
    if (reported.has(error.message) || reported.size === maxReported) return
    reported.add(error.message)
    report(error)
  }
}
