import { LRUCache } from 'lru-cache'
import { type Auction, type ListedAuction, type Terms, termsOf } from '../auction/auction.ts'
import { effectiveEndMs } from '../auction/ends.ts'
import type { ListedView } from '../auction-view.ts'
import type { Clock } from '../clock.ts'
import type { AuctionId } from '../ids.ts'
import type { Lanes } from '../ledger/lanes.ts'
import { findReadableHeads } from '../ledger/readable-heads.ts'
import type { Limits } from '../limits.ts'
import type { Backlog, SafeObserver } from '../observer.ts'
import type { Store } from '../store.ts'
import { unreadableBehind } from '../unreadable-stored.ts'
import { createClosedPeriods } from './closed-periods.ts'
import { type EndPosition, listEnded, placeBefore } from './ended-auctions.ts'

export type ClosingReport = {
  /** How many auctions got their result now. */
  readonly closed: number
  /** How many are due and could not be closed; they are tried again soon. Those whose end has moved are not due. */
  readonly left: number
}

/**
 * Records the end of every auction that is due. A host calls it again and again, once a second, say: while nothing is due, the
 * store is not asked. Any number of hosts may do so at once.
 */
export type CloseDue = () => Promise<ClosingReport>

/** Records the end of an auction that was read and found overdue, in the background: a read never waits for it, or fails. */
export type CloseOverdue = (view: ListedView) => void

export type Closer = {
  readonly closeDue: CloseDue
  readonly closeOverdue: CloseOverdue
  /** Is told of an auction that this process has created. */
  readonly noteCreated: (auction: Auction) => void
  readonly backlog: () => Pick<Backlog, 'closingsDue' | 'longestDueMs'>
  /** What it has found out about auctions in overtime. */
  readonly overtime: KnownOvertime
}

/** What need not be looked for, or looked at, where auctions in overtime are. */
export type KnownOvertime = {
  /** Up to there, every auction is closed; undefined where that is not known. */
  closedUpTo(): EndPosition | undefined
  /** Whether an auction with a soft close is known to be closed. */
  isClosed(id: AuctionId): boolean
}

export type CloserParts = {
  readonly store: Pick<Store, 'listAuctions' | 'findHeads' | 'claimIdBlock' | 'highestIdBlock'>
  readonly clock: Clock
  readonly limits: Pick<Limits, 'clockSkewMs' | 'deadlineMs'>
  readonly lanes: Pick<Lanes, 'close'>
  readonly observer?: SafeObserver | undefined
}

/** How many auctions are closed at once: their entries go into appends together with bids, which must not wait long for them. */
const auctionsAtOnce = 200
/**
 * After so many closings, or heads read, everything else that is ready comes first: that is a few milliseconds of work, and where
 * heads are slow to read, so many are read within the time for one call.
 */
const auctionsPerSlice = 100
/** Past so many that can't be closed, those behind them wait: something is wrong with the store as a whole. */
const maxLeft = 2_000
/** Past so many that bids keep open, those behind them wait. */
const maxInOvertime = 20_000
/** Of auctions with a soft close, so many are known to be closed. */
const maxKnownClosed = 20_000
/** Auctions that other processes created, and did not live to close, are found no later than this. */
const lookAgainMs = 60_000
/** What could not be closed is tried again after this. */
const tryAgainMs = 1_000
/** A creation that was sent may be stored after its deadline. By so many deadlines after an auction's end, it is. */
const lateDeadlines = 60

/** An auction that is to be closed, with when it ends as far as is known: bids may have moved that. */
type Due = { readonly auction: Terms; readonly endMs: number }

/** What has come of trying to close an auction: somebody else has, its end has moved, or its ledger can't be read. */
type CloseOutcome = 'closed' | 'closed-before' | 'not-due' | 'unreadable' | 'failed'

/** What has come of a walk along the ends of auctions. */
type Walk = {
  readonly closed: number
  /** Behind the last auction that had ended. */
  readonly place: EndPosition | undefined
  /** The first that had not. */
  readonly following: ListedAuction | undefined
  /** Whether all that had ended were seen. */
  readonly isComplete: boolean
}

/**
 * Walks along auctions in the order of their ends, closes what is due, and remembers how far it has come. What is stored behind its
 * back, long after its end, is found by a second walk, some minutes behind; what that has seen is recorded for processes that start.
 */
export function createCloser(parts: CloserParts): Closer {
  const { store, clock, lanes, observer } = parts
  const { clockSkewMs, deadlineMs } = parts.limits
  const periods = createClosedPeriods(store)
  const lateMs = lateDeadlines * deadlineMs
  let nextLookMs = Number.NEGATIVE_INFINITY
  let nextSweepMs = Number.NEGATIVE_INFINITY
  let underWay: Promise<ClosingReport> | undefined
  let hasBegun = false
  /** Behind what was found due, and behind what was looked at once more. */
  let place: EndPosition | undefined
  let swept: EndPosition | undefined
  /** What is due and could not be closed yet. */
  const left = new Map<AuctionId, Due>()
  /** What bids keep open past its `endTime`. */
  const inOvertime = new Map<AuctionId, Due>()
  /** What is found due, while it is being closed. */
  const inHand = new Map<AuctionId, Due>()
  const knownClosed = new LRUCache<AuctionId, true>({ max: maxKnownClosed })
  /** Closings that were begun, and where they wait for what else there is to do. */
  let begun = 0
  let slice: Promise<void> | undefined
  /** What is being closed since it was read. Many may read it meanwhile, and must not fill the room that bids wait in. */
  const closedOnRead = new Set<AuctionId>()

  function isTimeToLook(): boolean {
    const nowMs = clock.nowMs()
    // A clock that was set back makes the next look seem far away.
    return nowMs >= nextLookMs || nextLookMs - nowMs > lookAgainMs
  }

  async function closeAllDue(): Promise<ClosingReport> {
    const startMs = clock.nowMs()
    // Before the first look: an end that is noted from now on counts, since what is read may not show it yet.
    nextLookMs = startMs + lookAgainMs
    try {
      let closed = await closeAll([...left.values(), ...overtimeDue()])
      // Whoever is in overtime may have been noted long before this look.
      for (const { endMs } of inOvertime.values()) lookAt(endMs + clockSkewMs)
      const wasSetBack = place !== undefined && place.endMs > startMs - clockSkewMs
      closed += !hasBegun || wasSetBack ? await begin() : await goOn()
      if (clock.nowMs() >= nextSweepMs || wasSetBack) closed += await sweep()
      if (left.size > 0) lookAt(startMs + tryAgainMs)
      return { closed, left: left.size }
    } catch (error) {
      lookAt(startMs + tryAgainMs)
      throw error
    }
  }

  /** Where nothing is known, most of what has ended is closed, long since or by others. */
  async function begin(): Promise<number> {
    hasBegun = false
    const recordedMs = await periods.lastEndMs()
    const untilMs = clock.nowMs() - clockSkewMs
    // What is recorded of the future was recorded by a clock that was wrong.
    const from = recordedMs !== undefined && recordedMs <= untilMs ? placeBefore(recordedMs) : undefined
    const walk = await walkFrom(from, untilMs, 'those-not-closed')
    hasBegun = walk.isComplete
    place = walk.place
    swept = from
    noteEnd(walk.following)
    return walk.closed
  }

  async function goOn(): Promise<number> {
    const walk = await walkFrom(place, clock.nowMs() - clockSkewMs, 'all')
    place = walk.place
    noteEnd(walk.following)
    return walk.closed
  }

  async function sweep(): Promise<number> {
    nextSweepMs = clock.nowMs() + lookAgainMs
    const untilMs = clock.nowMs() - clockSkewMs - lateMs
    const walk = await walkFrom(swept, untilMs, 'those-not-closed')
    const hasFound = walk.place !== swept
    swept = walk.place
    // Where nothing has ended, there is nothing that a process which starts would look at in vain.
    if (walk.isComplete && hasFound) await periods.record(Math.min(untilMs, firstOpenEndMs()))
    return walk.closed
  }

  /** The first `endTime` of an auction that is known to be open past it. */
  function firstOpenEndMs(): number {
    let firstMs = Number.POSITIVE_INFINITY
    for (const open of [left, inOvertime]) {
      for (const { auction } of open.values()) firstMs = Math.min(firstMs, auction.endTime.epochMs)
    }
    return firstMs
  }

  const isFull = (): boolean => left.size > maxLeft || inOvertime.size > maxInOvertime

  /** Closes what has ended behind a place, up to a time. What can't be closed is left for later. */
  async function walkFrom(
    from: EndPosition | undefined,
    untilMs: number,
    which: 'all' | 'those-not-closed',
  ): Promise<Walk> {
    let walk: Walk = { closed: 0, place: from, following: undefined, isComplete: false }
    if (isFull()) return walk
    for await (const { ended, place, following } of listEnded(store, from, untilMs)) {
      const open = which === 'all' ? ended : await withoutClosed(ended)
      const closed = await closeAll(open.map(dueAsKnown))
      walk = { closed: walk.closed + closed, place, following, isComplete: false }
      if (isFull()) return walk
    }
    return { ...walk, isComplete: true }
  }

  async function withoutClosed(auctions: readonly ListedAuction[]): Promise<readonly ListedAuction[]> {
    const open: ListedAuction[] = []
    for (let first = 0; first < auctions.length; first += auctionsPerSlice) {
      if (first > 0) await giveWay()
      const group = auctions.slice(first, first + auctionsPerSlice)
      const ids = group.map(({ id }) => id)
      const { heads, unreadable } = await findReadableHeads(store, ids)
      for (const error of unreadable.values()) observer?.onUnreadable(error)
      const closed = new Set(heads.filter(({ state }) => state.phase === 'closed').map(({ auctionId }) => auctionId))
      for (const auction of group) if (closed.has(auction.id)) noteClosed(auction)
      open.push(...group.filter(({ id }) => !closed.has(id) && !unreadable.has(id)))
    }
    return open
  }

  /** Resolves when all else that is ready has had its turn: a store that answers at once leaves none to it. */
  const giveWay = (): Promise<void> => new Promise((resolve) => void clock.after(0, resolve))

  /** Closes a bounded number at once: as soon as one is closed the next is begun, so that appends never run empty. */
  async function closeAll(dues: readonly Due[]): Promise<number> {
    let closed = 0
    for (const due of dues) inHand.set(due.auction.id, due)
    const rest = dues.values()
    const closeInSequence = async () => {
      for (const due of rest) {
        begun += 1
        if (begun % auctionsPerSlice === 0) slice = giveWay()
        await slice
        if ((await close(due)) === 'closed') closed += 1
      }
    }
    await Promise.all(Array.from({ length: auctionsAtOnce }, closeInSequence))
    return closed
  }

  async function close(due: Due): Promise<CloseOutcome> {
    const { id } = due.auction
    const outcome = await tryToClose(due.auction)
    if (outcome === 'failed') {
      left.set(id, due)
      inOvertime.delete(id)
    } else left.delete(id)
    inHand.delete(id)
    return outcome
  }

  async function tryToClose(auction: Terms): Promise<CloseOutcome> {
    try {
      const result = await lanes.close(auction, { type: 'close', marginMs: clockSkewMs })
      if (result.ok) {
        noteClosed(auction)
        const endMs = effectiveEndMs(auction, result.value.state)
        observer?.onClosed({ auctionId: auction.id, lateMs: result.value.atMs - endMs - clockSkewMs })
        return 'closed'
      }
      const { refusal } = result
      if (refusal.code === 'not-due') return noteOvertime(auction, refusal.endTime.epochMs)
      if (refusal.code !== 'already-closed') return 'failed'
      noteClosed(auction)
      return 'closed-before'
    } catch (error) {
      const unreadable = unreadableBehind(error)
      if (unreadable === undefined) return 'failed' // Whoever comes next tries again.
      observer?.onUnreadable(unreadable)
      inOvertime.delete(auction.id)
      return 'unreadable'
    }
  }

  /** Bids have moved the end, and may move it again: it is looked at when it is due then. */
  function noteOvertime(auction: Terms, endMs: number): 'not-due' {
    inOvertime.set(auction.id, { auction, endMs })
    lookAt(endMs + clockSkewMs)
    return 'not-due'
  }

  /** Where none of them can be closed, they must not be more than may be left. */
  function overtimeDue(): readonly Due[] {
    const endedMs = clock.nowMs() - clockSkewMs
    const due = [...inOvertime.values()].filter(({ endMs }) => endMs <= endedMs)
    return due.slice(0, Math.max(0, maxLeft - left.size))
  }

  function noteClosed({ id, softClose }: Terms): void {
    inOvertime.delete(id)
    if (softClose !== undefined) knownClosed.set(id, true)
  }

  const dueAsKnown = (auction: ListedAuction): Due =>
    inOvertime.get(auction.id) ?? left.get(auction.id) ?? dueOf(auction)

  const dueMs = ({ endTime }: Terms): number => endTime.epochMs + clockSkewMs
  const isDue = (auction: Terms): boolean => clock.nowMs() >= dueMs(auction)

  function noteEnd(auction: Terms | undefined): void {
    if (auction !== undefined) lookAt(dueMs(auction))
  }

  function lookAt(ms: number): void {
    nextLookMs = Math.min(nextLookMs, ms)
  }

  return {
    async closeDue() {
      if (underWay === undefined && !isTimeToLook()) return { closed: 0, left: 0 }
      underWay ??= closeAllDue().finally(() => {
        underWay = undefined
      })
      return underWay
    },
    closeOverdue({ auction, effectiveEndTime, result }) {
      if (result !== undefined) {
        noteClosed(auction)
        return
      }
      const isOver = clock.nowMs() >= effectiveEndTime.epochMs + clockSkewMs
      if (!isOver || closedOnRead.has(auction.id)) return
      closedOnRead.add(auction.id)
      void tryToClose(termsOf(auction)).finally(() => closedOnRead.delete(auction.id))
    },
    noteCreated(auction) {
      // It was stored so late that the walk may have passed its place.
      if (isDue(auction) && left.size <= maxLeft) left.set(auction.id, dueOf(auction))
      noteEnd(auction)
    },
    backlog() {
      const due = new Map([...left, ...inHand])
      let firstMs = clock.nowMs()
      for (const { endMs } of due.values()) firstMs = Math.min(firstMs, endMs + clockSkewMs)
      return { closingsDue: due.size, longestDueMs: clock.nowMs() - firstMs }
    },
    overtime: {
      closedUpTo() {
        if (!hasBegun || place === undefined) return undefined
        const firstMs = firstOpenEndMs()
        return firstMs <= place.endMs ? placeBefore(firstMs) : place
      },
      isClosed: (id) => knownClosed.has(id),
    },
  }
}

const dueOf = (auction: ListedAuction): Due => ({ auction: termsOf(auction), endMs: auction.endTime.epochMs })
