import type { AuctionEntry } from '../auction/entry.ts'
import { formatOf, type Named } from '../auction/formats/formats.ts'
import { isPublicEntry, publicSequenceOf } from '../auction/public-sequence.ts'
import type { Clock } from '../clock.ts'
import type { LedgerEntry } from '../ledger/entry.ts'
import type { Written } from '../ledger/recording.ts'
import type { Lifetime } from '../lifetime.ts'
import { notifySafely, type SafeObserver } from '../observer.ts'
import type { SaleEntry } from '../sale/events.ts'
import { findReadable, StoreUnavailableError } from '../store/errors.ts'
import type { AppendedSince, Store } from '../store/store.ts'
import { type TimeLimit, withinTime } from '../time-limit.ts'
import { inGroups } from '../values/groups.ts'
import { type AuctionId, ledgerIdOf, type SaleId } from '../values/ids.ts'

/**
 * Calls back with the sequence of the last entry whenever the auction has new entries. It is a hint: entries of this
 * service are noticed at once, and those of others about a quarter of a second late, or some milliseconds with an
 * `appendedSince` of the store, unless bids on the auction are secret. One call may be for many entries, and the first
 * call may be for entries that are known. So read the auction or its events after this function returns, and again
 * after each call that has a higher sequence: `listEvents` with that sequence as `through` usually reads nothing from
 * the store for entries that this service has just stored.
 * The callback runs within other work, so it must be quick. It is not called after `close`.
 * @returns a function that ends the calls
 */
export type WatchAuction = (auctionId: AuctionId, onEntries: (sequence: number) => void) => () => void

/**
 * Calls back, as `WatchAuction` does, whenever lots were added to a sale or the sale was extended. Entries of its lots
 * are theirs.
 */
export type WatchSale = (saleId: SaleId, onEntries: (sequence: number) => void) => () => void

export type Watching = {
  readonly watchAuction: WatchAuction
  readonly watchSale: WatchSale
  readonly isWatched: (auctionId: AuctionId) => boolean
  onWritten(written: Written<AuctionEntry>, entries: readonly AuctionEntry[]): void
  /** Notes what this service has stored of a sale. */
  onSaleWritten(stored: readonly LedgerEntry[]): void
  close(): void
}

type WatchingParts = {
  readonly store: Pick<Store, 'findAuctions' | 'findHeads' | 'partOf'> & {
    readonly appendedSince: Store['appendedSince'] | undefined
  }
  readonly clock: Clock
  readonly limit: TimeLimit
  readonly inBackground: Lifetime['inBackground']
  readonly observer?: SafeObserver | undefined
}

/** How often the last entries of watched auctions are read from a store that does not report appends. */
export const pollMs = 250
/** How often another store is read for what was appended. */
export const tailMs = 25
/** How often the last entry of each watched auction is read although the store reports appends, in case it errs. */
export const checkMs = 15_000
/** The part of the time that reads of last entries may take, so that they do not hold up other work. */
const shareOfTime = 0.05
const longestRestMs = 2_000
const auctionsPerRead = 100

type Watched = {
  /** The sequence of the last entry that callbacks know; 0 at the beginning. */
  sequence: number
  /** Whether the auction is over: nothing that matters follows. */
  isOver: boolean
  /** Whether not everyone may see all of its entries. Undefined until its terms or an entry were read. */
  hidesEntries: boolean | undefined
  readonly callbacks: Set<(sequence: number) => void>
}

const hidesEntries = (named: Named): boolean => formatOf(named).publicSequences !== undefined

/** The watched auctions, and which of them hide entries that the store may report. */
function createWatched(isTold: boolean) {
  const all = new Map<AuctionId, Watched>()
  /** Those that hide entries and are not over, if the store reports appends. */
  const hiding = new Set<AuctionId>()

  function noteFormat(auctionId: AuctionId, named: Named): void {
    const watched = all.get(auctionId)
    if (watched === undefined) return
    watched.hidesEntries ??= hidesEntries(named)
    if (isTold && watched.hidesEntries && !watched.isOver) hiding.add(auctionId)
  }

  function notice(auctionId: AuctionId, sequence: number): void {
    const watched = all.get(auctionId)
    if (watched === undefined || sequence <= watched.sequence) return
    watched.sequence = sequence
    for (const callback of watched.callbacks) callback(sequence)
  }

  return {
    all,
    noteFormat,
    notice,
    hidingIds: (): AuctionId[] => [...hiding],
    otherIds: (): AuctionId[] => [...all].flatMap(([id, { isOver }]) => (isOver || hiding.has(id) ? [] : [id])),
    onHead({ auctionId, sequence, state, kind }: AuctionEntry | SaleEntry): void {
      if (kind !== undefined) {
        notice(auctionId, sequence)
        return
      }
      const watched = all.get(auctionId)
      if (watched === undefined) return
      noteFormat(auctionId, state)
      if (state.phase === 'closed') {
        watched.isOver = true
        hiding.delete(auctionId)
      }
      notice(auctionId, publicSequenceOf(state, sequence))
    },
    forget(auctionId: AuctionId): void {
      all.delete(auctionId)
      hiding.delete(auctionId)
    },
  }
}

/**
 * Notices the entries of watched auctions: those of this service when they are stored, those of others as the store
 * reports them, and otherwise by reading the last entries of all. The last entries of auctions that hide some are read
 * at the same times with and without reports, because the time of a read, and of what waits for it, would reveal bids.
 */
export function createWatching({ store, clock, limit, inBackground, observer }: WatchingParts): Watching {
  const isTold = store.appendedSince !== undefined
  const { all, noteFormat, notice, hidingIds, otherIds, onHead, forget } = createWatched(isTold)
  const parts = { store, clock, observer, onHead }
  const heads = createHeadReads({ ...parts, idsOf: otherIds, minRestMs: 0 })
  // The rest ends before the next poll of a store that cannot tell for now.
  const headsOfHiding = createHeadReads({ ...parts, idsOf: hidingIds, minRestMs: pollMs - tailMs })
  let cancelPoll: (() => void) | undefined
  let isPolling = false
  let isClosed = false
  let mark: string | undefined
  let pauseMs = isTold ? tailMs : pollMs

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

  async function poll(): Promise<void> {
    const since = await readAppended(store, limit, mark)
    // The mark is older than the reads of last entries, which then include all that it covers.
    mark = since?.mark
    pauseMs = since === undefined ? pollMs : tailMs
    for (const { auctionId, sequence } of since?.appended ?? []) {
      const watched = all.get(auctionId)
      if (watched === undefined || watched.hidesEntries === true) continue
      if (watched.hidesEntries === false) notice(auctionId, sequence)
      else void inBackground(noticeOnceKnown)(auctionId, sequence)
    }
    if (isClosed) return
    // The reads may take longer than the pause: meanwhile the store reports other appends.
    void inBackground(heads.read)(since?.appended === undefined)
    void inBackground(headsOfHiding.read)(true)
  }

  async function noticeOnceKnown(auctionId: AuctionId, sequence: number): Promise<void> {
    await learnFormat(auctionId)
    const watched = all.get(auctionId)
    if (watched?.hidesEntries === false) notice(auctionId, sequence)
    // The terms are unreadable or unavailable, but the last entry may be readable.
    if (watched !== undefined && watched.hidesEntries === undefined) await heads.read(true)
  }

  /** Reads whether the auction hides entries, before any of them is noticed. A failure leaves that unknown. */
  async function learnFormat(auctionId: AuctionId): Promise<void> {
    const [found] = await store.findAuctions({ ids: [auctionId] }).catch(() => [])
    if (found !== undefined) noteFormat(auctionId, found.auction)
  }

  function stop(): void {
    cancelPoll?.()
    cancelPoll = undefined
    heads.stop()
    headsOfHiding.stop()
  }

  /** @param hidesEntries as far as it is known */
  function watch(auctionId: AuctionId, onEntries: (sequence: number) => void, hidesEntries?: boolean): () => void {
    const known = all.get(auctionId)
    const watched = known ?? { sequence: 0, isOver: false, hidesEntries, callbacks: new Set() }
    const callback = notifySafely(onEntries)
    if (!isClosed) all.set(auctionId, watched)
    if (isTold && !isClosed && !known && hidesEntries === undefined) void inBackground(learnFormat)(auctionId)
    watched.callbacks.add(callback)
    schedulePoll()
    return () => {
      watched.callbacks.delete(callback)
      if (watched.callbacks.size === 0 && all.get(auctionId) === watched) forget(auctionId)
      if (all.size === 0) stop()
    }
  }

  return {
    watchAuction: (auctionId, onEntries) => watch(auctionId, onEntries),
    watchSale: (saleId, onEntries) => watch(ledgerIdOf(saleId), onEntries, false),
    isWatched: (auctionId) => all.has(auctionId),
    onWritten({ stored, head }, entries) {
      const last = entries.findLast((entry, index) => index < stored && isPublicEntry(entry))
      if (last !== undefined) onHead(last)
      // A hidden bid that meets a conflict must not make the entry of another service known before a read does.
      if (head !== undefined && !hidesEntries(head.state)) onHead(head)
    },
    onSaleWritten(stored) {
      const last = stored.at(-1)
      if (last !== undefined) notice(last.auctionId, last.sequence)
    },
    close() {
      isClosed = true
      for (const id of all.keys()) forget(id)
      stop()
    },
  }
}

/** What was appended since the mark. Undefined if the store does not tell or does not respond. */
async function readAppended(
  { appendedSince }: WatchingParts['store'],
  limit: TimeLimit,
  mark: string | undefined,
): Promise<AppendedSince | undefined> {
  if (appendedSince === undefined) return undefined
  const late = () => new StoreUnavailableError('the store did not respond in time')
  return withinTime(limit, () => appendedSince(mark), late).catch(() => undefined)
}

type HeadReadParts = Pick<WatchingParts, 'store' | 'clock' | 'observer'> & {
  readonly idsOf: () => AuctionId[]
  readonly onHead: (head: AuctionEntry) => void
  /** The minimum time between the end of a read and the next one. */
  readonly minRestMs: number
}

/** Reads the last entries of all auctions when they may have new ones, and otherwise those of some now and then. */
function createHeadReads({ store, clock, observer, idsOf, onHead, minRestMs }: HeadReadParts) {
  let mayHaveNew = false
  let isCheckDue = false
  let isReading = false
  let unread: (readonly AuctionId[])[] = []
  /** The number of reads for the last entries of all. */
  let reads = 0
  let cancelRest: (() => void) | undefined
  let cancelCheck: (() => void) | undefined

  /** Each read is of one part of the store. Returns the number of parts. */
  function begin(): number {
    const parts = Map.groupBy(idsOf(), (id) => store.partOf?.(id))
    unread = [...parts.values()].flatMap((ids) => inGroups(ids, auctionsPerRead))
    reads = unread.length
    return parts.size
  }

  /** Reads the last entries of the next auctions. False if the store is unavailable. */
  async function readNext(): Promise<boolean> {
    const ids = unread.shift() ?? []
    try {
      for (const head of await findReadable(ids, (readable) => store.findHeads(readable), observer)) onHead(head)
      return true
    } catch {
      return false
    }
  }

  /** As many reads run at once as the store has parts, so that a part that hangs does not stop the reads of others. */
  async function readAll(): Promise<void> {
    mayHaveNew = false
    const parts = begin()
    await Promise.all(Array.from({ length: parts }, readRest))
  }

  async function readRest(): Promise<void> {
    while (unread.length > 0) {
      if (await readNext()) continue
      mayHaveNew = true
      return
    }
  }

  async function readSome(): Promise<void> {
    if (unread.length === 0) begin()
    if (unread.length > 0 && !(await readNext())) mayHaveNew = true
  }

  function rest(tookMs: number): void {
    const restMs = Math.max(minRestMs, Math.min(tookMs / shareOfTime, longestRestMs))
    isCheckDue = reads === 0
    if (reads === 0) {
      endRest()
      return
    }
    cancelRest = clock.after(restMs, endRest)
    cancelCheck = clock.after(Math.max(restMs, checkMs / reads), () => {
      isCheckDue = true
    })
  }

  function endRest(): void {
    cancelRest?.()
    cancelRest = undefined
    isReading = false
  }

  return {
    /** @param isDoubtful whether any auction may have new entries */
    async read(isDoubtful: boolean): Promise<void> {
      mayHaveNew ||= isDoubtful
      if (isReading || !(mayHaveNew || isCheckDue)) return
      isReading = true
      cancelCheck?.()
      const startMs = clock.nowMs()
      await (mayHaveNew ? readAll() : readSome())
      rest(clock.nowMs() - startMs)
    },
    stop() {
      unread = []
      reads = 0
      cancelCheck?.()
      isCheckDue = true
      if (cancelRest !== undefined) endRest()
    },
  }
}
