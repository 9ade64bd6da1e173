import { type Auction, termsOf } from '../auction/auction.ts'
import type { AuctionView } from '../auction-view.ts'
import type { Clock } from '../clock.ts'
import type { AuctionId } from '../ids.ts'
import type { Lanes } from '../ledger/lanes.ts'
import type { Limits } from '../limits.ts'
import type { Store } from '../store.ts'

export type ClosingReport = {
  /** How many auctions got their result now. */
  readonly closed: number
  /** How many are due and were not closed, or may look so as their hint was not removed; they are tried again soon. */
  readonly left: number
}

/**
 * Records the end of every auction that is due. A host calls it again and again, once a second, say: while nothing is due, the
 * store is not asked. Any number of hosts may do so at once.
 */
export type CloseDue = () => Promise<ClosingReport>

/** Records the end of an auction that was read and found overdue, in the background: a read never waits for it, or fails. */
export type CloseOverdue = (view: AuctionView) => void

export type Closer = {
  readonly closeDue: CloseDue
  readonly closeOverdue: CloseOverdue
  /** Is told of an auction that this process has created. */
  readonly noteEnd: (auction: Pick<Auction, 'endTime'>) => void
}

export type CloserParts = {
  readonly store: Pick<Store, 'findDue' | 'forgetDue'>
  readonly clock: Clock
  readonly limits: Pick<Limits, 'clockSkewMs'>
  readonly lanes: Pick<Lanes, 'close'>
}

type Outcome = 'closed' | 'closed-before' | 'failed'

/** How many auctions the store is asked for at once. */
const auctionsPerLook = 1_000
/** How many auctions are forgotten at once, while the next ones are closed. */
const auctionsPerGroup = 500
/** How many auctions are closed at once: their entries go into appends together with bids, which must not wait long for them. */
const auctionsAtOnce = 200
/** Past so many that can't be closed, those behind them wait: something is wrong with the store as a whole. */
const maxStuck = 2_000
/** Auctions that other processes created, and did not live to close, are found no later than this. */
const lookAgainMs = 60_000
/** What could not be closed is tried again after this. */
const tryAgainMs = 1_000

export function createCloser({ store, clock, limits: { clockSkewMs }, lanes }: CloserParts): Closer {
  let nextLookMs = Number.NEGATIVE_INFINITY
  let underWay: Promise<ClosingReport> | undefined
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
      const report = await closeGroups()
      if (report.left > 0) lookAt(startMs + tryAgainMs)
      else (await store.findDue(Number.MAX_SAFE_INTEGER, 1)).forEach(noteEnd)
      return report
    } catch (error) {
      lookAt(startMs + tryAgainMs)
      throw error
    }
  }

  async function closeGroups(): Promise<ClosingReport> {
    const tried = new Set<AuctionId>()
    let closed = 0
    let stuck = 0
    for (;;) {
      const limit = auctionsPerLook + stuck
      const due = await store.findDue(clock.nowMs() - clockSkewMs, limit)
      // What is found again could not be closed, or its hint got lost. It must not hold up what is due behind it.
      const fresh = due.filter(({ id }) => !tried.has(id))
      stuck = due.length - fresh.length
      if (stuck > maxStuck) return { closed, left: due.length }
      const report = await closeInTurn(fresh)
      for (const { id } of fresh) tried.add(id)
      closed += report.closed
      if (due.length < limit) return { closed, left: due.length - report.forgotten }
    }
  }

  /** Closes auctions group by group. While one is closed, those of the group before are forgotten. */
  async function closeInTurn(auctions: readonly Auction[]): Promise<{ closed: number; forgotten: number }> {
    let closed = 0
    let forgotten = 0
    let over: readonly Auction[] = []
    for (let done = 0; done < auctions.length; done += auctionsPerGroup) {
      const group = auctions.slice(done, done + auctionsPerGroup)
      const [outcomes, count] = await Promise.all([closeGroup(group), forget(over)])
      closed += outcomes.filter((outcome) => outcome === 'closed').length
      forgotten += count
      over = group.filter((_, index) => outcomes[index] !== 'failed')
    }
    forgotten += await forget(over)
    return { closed, forgotten }
  }

  /** Closes a bounded number at once: as soon as one is closed the next is begun, so that appends never run empty. */
  async function closeGroup(group: readonly Auction[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = []
    const rest = group.entries()
    const closeInSequence = async () => {
      for (const [index, auction] of rest) outcomes[index] = await close(auction)
    }
    await Promise.all(Array.from({ length: auctionsAtOnce }, closeInSequence))
    return outcomes
  }

  /** Returns how many are forgotten. They are closed all the same: a hint that can't be written holds up nothing. */
  async function forget(auctions: readonly Auction[]): Promise<number> {
    if (auctions.length === 0) return 0
    try {
      await store.forgetDue(auctions.map(({ id }) => id))
      return auctions.length
    } catch {
      return 0 // They are found again, and forgotten then.
    }
  }

  async function close(auction: Auction): Promise<Outcome> {
    try {
      const result = await lanes.close(termsOf(auction), { type: 'close', marginMs: clockSkewMs })
      if (result.ok) return 'closed'
      return result.refusal.code === 'already-closed' ? 'closed-before' : 'failed'
    } catch {
      return 'failed' // Whoever comes next tries again.
    }
  }

  const noteEnd = ({ endTime }: Pick<Auction, 'endTime'>): void => lookAt(endTime.epochMs + clockSkewMs)

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
    closeOverdue({ auction, result }) {
      if (result !== undefined || clock.nowMs() < auction.endTime.epochMs + clockSkewMs || closedOnRead.has(auction.id))
        return
      closedOnRead.add(auction.id)
      void close(auction).finally(() => closedOnRead.delete(auction.id))
    },
    noteEnd,
  }
}
