import { type Terms, termsOf } from '../auction/auction.ts'
import { effectiveEndMs } from '../auction/ends.ts'
import type { ListedView } from '../auction-view.ts'
import type { Clock } from '../clock.ts'
import type { AuctionId } from '../ids.ts'
import type { Lanes } from '../ledger/lanes.ts'
import type { Lifetime } from '../lifetime.ts'
import type { Limits } from '../limits.ts'
import type { Backlog, SafeObserver } from '../observer.ts'
import type { AgendaUpdate, Store } from '../store.ts'
import { unreadableCauseOf } from '../unreadable-stored.ts'
import type { UpdateAgenda } from './agenda.ts'

export type ClosingReport = {
  /** How many auctions got their result now. */
  readonly closed: number
  /** How many are due and could not be closed; the next call tries them again. */
  readonly left: number
}

/**
 * Records the end of every auction that is due, by the agenda of the store. A host calls it again and again, once a second, say. Any
 * number of hosts may do so at once.
 */
export type CloseDue = () => Promise<ClosingReport>

/** Records the end of an auction that was read and found overdue, in the background: a read never waits for it, or fails. */
export type CloseOverdue = (view: ListedView) => void

export type Closer = {
  readonly closeDue: CloseDue
  readonly closeOverdue: CloseOverdue
  readonly backlog: () => Pick<Backlog, 'closingsDue' | 'longestDueMs'>
}

export type CloserParts = {
  readonly store: Pick<Store, 'listAuctions'>
  readonly clock: Clock
  readonly limits: Pick<Limits, 'clockSkewMs'>
  readonly lanes: Pick<Lanes, 'close'>
  readonly updateAgenda: UpdateAgenda
  /** For what reads begin, and nobody waits for but the end of the service. */
  readonly inBackground: Lifetime['inBackground']
  readonly observer?: SafeObserver | undefined
}

/** So many are read from the agenda at once. */
const auctionsPerPage = 1_000
/** So many auctions are closed at once. Their entries share appends with bids, which must not wait long for them. */
const auctionsAtOnce = 100
/** Past so many that can't be closed, those behind them wait: something is wrong with the store as a whole. */
const maxLeft = 2_000
/** When an auction that can't be read is looked at again. */
const lookAgainMs = 60_000

/** What has come of a look at an auction that may be due: it is closed now, there is nothing to do, or it could not be closed. */
type Outcome = 'closed' | 'settled' | 'failed'
/** `updated` resolves when the agenda says so. */
type Settled = { readonly outcome: Outcome; readonly updated?: Promise<void> }

/** Follows the agenda: what is due is closed by its ledger, or gets the place that its ledger says. */
export function createCloser({
  store,
  clock,
  limits: { clockSkewMs },
  lanes,
  updateAgenda,
  inBackground,
  observer,
}: CloserParts): Closer {
  let underWay: Promise<ClosingReport> | undefined
  /** When each that is known to be due has ended. */
  const due = new Map<AuctionId, number>()
  /** What is looked at since it was read. Many may read it meanwhile, and must not fill the room that bids wait in. */
  const lookedAt = new Set<AuctionId>()

  async function closeAllDue(): Promise<ClosingReport> {
    const query = { order: 'agenda', dueByMs: clock.nowMs() - clockSkewMs, limit: auctionsPerPage } as const
    let page = await store.listAuctions(query)
    due.clear()
    let closed = 0
    for (;;) {
      for (const error of page.unreadable ?? []) observer?.onUnreadable(error)
      for (const { auction, position } of page.items) due.set(auction.id, position.timeMs)
      const settled: Settled[] = []
      for (let from = 0; from < page.items.length; from += auctionsAtOnce) {
        if (from > 0) await giveWay()
        const some = page.items.slice(from, from + auctionsAtOnce)
        settled.push(...(await Promise.all(some.map(({ auction }) => look(termsOf(auction))))))
      }
      closed += settled.filter(({ outcome }) => outcome === 'closed').length
      await Promise.all(settled.map(({ updated }) => updated))
      if (page.next === undefined || due.size > maxLeft) return { closed, left: due.size }
      page = await store.listAuctions({ ...query, after: page.next })
    }
  }

  /** Resolves when all else that is ready has had its turn: a store that answers at once leaves none to it. */
  const giveWay = (): Promise<void> => new Promise((resolve) => void clock.after(0, resolve))

  async function look(auction: Terms): Promise<Settled> {
    const settled = await settle(auction)
    if (settled.outcome !== 'failed') due.delete(auction.id)
    return settled
  }

  /** Closes an auction that may be due, or does what follows from its ledger. What the store fails on stays due. */
  async function settle(auction: Terms): Promise<Settled> {
    const { id: auctionId } = auction
    const settleAt = (update: AgendaUpdate): Settled => ({ outcome: 'settled', updated: updateAgenda(update) })
    try {
      const result = await lanes.close(auction, { type: 'close', marginMs: clockSkewMs })
      if (result.ok) {
        const { atMs, state: closed } = result.value
        const endMs = effectiveEndMs(auction, closed)
        observer?.onClosed({ auctionId, lateMs: atMs - endMs - clockSkewMs })
        // Auctions that end at one moment get one and the same place.
        return { outcome: 'closed', updated: updateAgenda({ auctionId, endedMs: endMs }) }
      }
      const { refusal } = result
      if (refusal.code === 'not-due') return settleAt({ auctionId, dueMs: refusal.endTime.epochMs }) // A bid has moved its end.
      if (refusal.code === 'already-closed') return settleAt({ auctionId, endedMs: refusal.endedMs })
      return { outcome: 'failed' }
    } catch (error) {
      const unreadable = unreadableCauseOf(error)
      if (unreadable === undefined) return { outcome: 'failed' }
      observer?.onUnreadable(unreadable)
      // What can't be read is no reason to look at it each second.
      return settleAt({ auctionId, dueMs: clock.nowMs() + lookAgainMs })
    }
  }

  return {
    async closeDue() {
      underWay ??= closeAllDue().finally(() => {
        underWay = undefined
      })
      return underWay
    },
    closeOverdue({ auction, effectiveEndTime, result }) {
      const isOver = result === undefined && clock.nowMs() >= effectiveEndTime.epochMs + clockSkewMs
      if (!isOver || lookedAt.has(auction.id)) return
      lookedAt.add(auction.id)
      // What fails is left to whoever looks next.
      void inBackground(look)(termsOf(auction)).finally(() => lookedAt.delete(auction.id))
    },
    backlog() {
      const nowMs = clock.nowMs()
      const firstMs = Math.min(nowMs, ...[...due.values()].map((endMs) => endMs + clockSkewMs))
      return { closingsDue: due.size, longestDueMs: nowMs - firstMs }
    },
  }
}
