import type { Entry } from '../auction/entry.ts'
import type { Clock } from '../clock.ts'
import type { Written } from '../ledger/write.ts'
import type { Lifetime } from '../lifetime.ts'
import { notifySafely, type SafeObserver } from '../observer.ts'
import { findReadable, StoreUnavailableError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { type TimeLimit, withinTime } from '../time-limit.ts'
import type { AuctionId } from '../values/ids.ts'

/**
 * Calls back with the sequence of the last entry whenever the auction has new entries. It is a hint: entries of this
 * service are noticed at once, and those of others about a quarter of a second late, or less with a `commitMark` of the
 * store. One call may be for many entries, and the first call may be for entries that are known. So read the auction or
 * its events after this function returns, and again after each call that has a higher sequence. The callback runs
 * within other work, so it must be quick. It is not called after `close`.
 * @returns a function that ends the calls
 */
export type WatchAuction = (auctionId: AuctionId, onEntries: (sequence: number) => void) => () => void

type Watching = {
  readonly watchAuction: WatchAuction
  onWritten(written: Written, entries: readonly Entry[]): void
  close(): void
}

type WatchingParts = {
  readonly store: Pick<Store, 'findHeads'> & { readonly commitMark: Store['commitMark'] | undefined }
  readonly clock: Clock
  readonly limit: TimeLimit
  readonly inBackground: Lifetime['inBackground']
  readonly observer?: SafeObserver | undefined
}

/** How often the last entries of watched auctions are read from a store without commit marks. */
export const pollMs = 250
/** How often the mark of another store is read. */
export const markMs = 25
/**
 * How long the same mark prevents reads of last entries, in case the store errs, and how long no mark does after an
 * append of this service with an unknown outcome: it may be stored later, and need not change the mark.
 */
export const trustMs = 15_000
/** The part of the time that these reads may take, so that they do not hold up other work. */
const shareOfTime = 0.05
const longestPauseMs = 2_000
const auctionsPerRead = 100

type Watched = {
  /** The sequence of the last entry that callbacks know; 0 at the beginning. */
  sequence: number
  /** Whether the auction is over: nothing that matters follows. */
  isOver: boolean
  readonly callbacks: Set<(sequence: number) => void>
}

/** Notices the entries of watched auctions: those of this service when they are stored, others by reading heads. */
export function createWatching({ store, clock, limit, inBackground, observer }: WatchingParts): Watching {
  const all = new Map<AuctionId, Watched>()
  let cancelPoll: (() => void) | undefined
  let isPolling = false
  let isClosed = false
  let mark: number | string | undefined
  let readAtMs = 0
  let doubtfulUntilMs = 0
  let pauseMs = store.commitMark === undefined ? pollMs : markMs

  function schedulePoll(): void {
    if (isClosed || isPolling || cancelPoll !== undefined || all.size === 0) return
    cancelPoll = clock.after(pauseMs, () => {
      cancelPoll = undefined
      isPolling = true
      void inBackground(poll)().finally(() => {
        isPolling = false
        schedulePoll()
      })
    })
  }

  /** The mark of the store; undefined if it has none or does not respond. */
  async function readMark(): Promise<number | string | undefined> {
    const { commitMark } = store
    if (commitMark === undefined) return undefined
    try {
      return await withinTime(limit, commitMark, () => new StoreUnavailableError('the store did not respond in time'))
    } catch {
      return undefined
    }
  }

  async function poll(): Promise<void> {
    // The mark is read before the entries, which then include every append that it covers.
    const current = clock.nowMs() < doubtfulUntilMs ? undefined : await readMark()
    const startMs = clock.nowMs()
    pauseMs = current === undefined ? pollMs : markMs
    const isTrusted = startMs >= readAtMs && startMs - readAtMs < trustMs
    if (current !== undefined && current === mark && isTrusted) return
    mark = undefined
    const isRead = await readHeads()
    const endMs = clock.nowMs()
    pauseMs = Math.min(Math.max(pauseMs, (endMs - startMs) / shareOfTime), longestPauseMs)
    if (!isRead) return
    mark = current
    readAtMs = endMs
  }

  /** Reads the last entries. False if the store is unavailable: the next poll reads again. */
  async function readHeads(): Promise<boolean> {
    const ids = [...all].flatMap(([id, { isOver }]) => (isOver ? [] : [id]))
    for (let from = 0; from < ids.length && !isClosed; from += auctionsPerRead) {
      const group = ids.slice(from, from + auctionsPerRead)
      try {
        for (const head of await findReadable(group, (readable) => store.findHeads(readable), observer)) notice(head)
      } catch {
        return false
      }
    }
    return true
  }

  function notice({ auctionId, sequence, state }: Entry): void {
    const watched = all.get(auctionId)
    if (watched === undefined || sequence <= watched.sequence) return
    watched.sequence = sequence
    watched.isOver = state.phase === 'closed'
    for (const callback of watched.callbacks) callback(sequence)
  }

  return {
    watchAuction(auctionId, onEntries) {
      const watched = all.get(auctionId) ?? { sequence: 0, isOver: false, callbacks: new Set() }
      const callback = notifySafely(onEntries)
      if (!isClosed) all.set(auctionId, watched)
      watched.callbacks.add(callback)
      schedulePoll()
      return () => {
        watched.callbacks.delete(callback)
        if (watched.callbacks.size === 0 && all.get(auctionId) === watched) all.delete(auctionId)
        if (all.size > 0) return
        cancelPoll?.()
        cancelPoll = undefined
      }
    },
    onWritten({ stored, outcome, head }, entries) {
      for (const entry of [entries[stored - 1], head]) if (entry !== undefined) notice(entry)
      if (outcome === 'unknown') doubtfulUntilMs = clock.nowMs() + trustMs
    },
    close() {
      isClosed = true
      all.clear()
      cancelPoll?.()
    },
  }
}
