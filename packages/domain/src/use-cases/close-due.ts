import { type Terms, termsOf } from '../auction/auction.ts'
import { endedMs } from '../auction/status.ts'
import type { Clock } from '../clock.ts'
import type { Lanes } from '../ledger/lanes.ts'
import type { Limits } from '../limits.ts'
import type { Backlog, SafeObserver } from '../observer.ts'
import { unreadableCauseOf } from '../store/errors.ts'
import type { AgendaUpdate, Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'
import type { UpdateAgenda } from './agenda.ts'

export type ClosingReport = {
  /** The number of auctions that this call closed. */
  readonly closed: number
  /** The number of due auctions that could not be closed; the next call retries them. */
  readonly left: number
}

/**
 * Records the end of every auction that is due on the agenda of the store. A host calls it repeatedly, for example once
 * a second. Any number of hosts may do so at the same time.
 */
export type CloseDue = () => Promise<ClosingReport>

type Closer = {
  readonly closeDue: CloseDue
  readonly backlog: () => Pick<Backlog, 'closingsDue' | 'longestDueMs'>
}

type CloserParts = {
  readonly store: Pick<Store, 'listAuctions'>
  readonly clock: Clock
  readonly limits: Pick<Limits, 'clockSkewMs'>
  readonly lanes: Pick<Lanes, 'close'>
  readonly updateAgenda: UpdateAgenda
  readonly observer?: SafeObserver | undefined
}

const auctionsPerPage = 1_000
/** The number of auctions closed at once. Bids share appends with their entries, and must not wait long for them. */
const auctionsAtOnce = 100
/** If more auctions cannot be closed, later ones wait: the whole store has a problem. */
const maxLeft = 2_000
/** The time until an unreadable auction is read again. */
const readAgainMs = 60_000

/** The result for an auction that may be due: this call closed it, it was settled before, or it failed to close. */
type Settled = {
  readonly as: 'closed' | 'settled' | 'failed'
  /** Resolves when the agenda is updated. */
  readonly updated?: Promise<void>
}

/** Follows the agenda: a due auction is closed, or the agenda is corrected by its ledger. */
export function createCloser({ store, clock, limits, lanes, updateAgenda, observer }: CloserParts): Closer {
  const { clockSkewMs } = limits
  let inFlight: Promise<ClosingReport> | undefined
  /** The ends of auctions that are known to be due. */
  const due = new Map<AuctionId, number>()

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
        const slice = page.items.slice(from, from + auctionsAtOnce)
        settled.push(...(await Promise.all(slice.map(({ auction }) => settleDue(termsOf(auction))))))
      }
      closed += settled.filter(({ as }) => as === 'closed').length
      await Promise.all(settled.map(({ updated }) => updated))
      if (page.next === undefined || due.size > maxLeft) return { closed, left: due.size }
      page = await store.listAuctions({ ...query, after: page.next })
    }
  }

  /** Resolves after other work that is ready: with a store that responds immediately, it would otherwise not run. */
  const giveWay = (): Promise<void> => new Promise((resolve) => void clock.after(0, resolve))

  async function settleDue(auction: Terms): Promise<Settled> {
    const settled = await settle(auction)
    if (settled.as !== 'failed') due.delete(auction.id)
    return settled
  }

  /** Closes an auction that may be due, or corrects the agenda by its ledger. After a store failure, it stays due. */
  async function settle(auction: Terms): Promise<Settled> {
    const { id: auctionId } = auction
    const settleAt = (update: AgendaUpdate): Settled => ({ as: 'settled', updated: updateAgenda(update) })
    try {
      const result = await lanes.close(auction, { type: 'close', marginMs: clockSkewMs })
      if (result.ok) {
        const endMs = endedMs(auction, result.value.state)
        observer?.onClosed({ auctionId, lateMs: clock.nowMs() - endMs - clockSkewMs })
        // Auctions that end at the same time get the same position.
        return { as: 'closed', updated: updateAgenda({ auctionId, endedMs: endMs }) }
      }
      const { refusal } = result
      // A bid has moved its end.
      if (refusal.code === 'not-due') return settleAt({ auctionId, dueMs: refusal.endTime.epochMs })
      if (refusal.code === 'already-closed') return settleAt({ auctionId, endedMs: refusal.endedMs })
      return { as: 'failed' }
    } catch (error) {
      const unreadable = unreadableCauseOf(error)
      if (unreadable === undefined) return { as: 'failed' }
      observer?.onUnreadable(unreadable)
      // An unreadable auction need not be read every second.
      return settleAt({ auctionId, dueMs: clock.nowMs() + readAgainMs })
    }
  }

  return {
    async closeDue() {
      inFlight ??= closeAllDue().finally(() => {
        inFlight = undefined
      })
      return inFlight
    },
    backlog() {
      const nowMs = clock.nowMs()
      const firstMs = Math.min(nowMs, ...[...due.values()].map((endMs) => endMs + clockSkewMs))
      return { closingsDue: due.size, longestDueMs: nowMs - firstMs }
    },
  }
}
