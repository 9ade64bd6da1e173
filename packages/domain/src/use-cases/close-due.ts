import { type ListedAuction, type Terms, termsOf } from '../auction/auction.ts'
import { effectiveEndMs } from '../auction/ends.ts'
import type { ListedView } from '../auction-view.ts'
import type { Clock } from '../clock.ts'
import type { AuctionId } from '../ids.ts'
import type { Entry } from '../ledger/entry.ts'
import type { Lanes } from '../ledger/lanes.ts'
import { findReadableHeads, type ReadableHeads } from '../ledger/readable-heads.ts'
import type { Lifetime } from '../lifetime.ts'
import type { Limits } from '../limits.ts'
import type { Backlog, SafeObserver } from '../observer.ts'
import type { Store } from '../store.ts'
import { isStoreUnavailable } from '../store-unavailable.ts'
import { unreadableBehind } from '../unreadable-stored.ts'
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
  readonly store: Pick<Store, 'listAuctions' | 'findHeads'>
  readonly clock: Clock
  readonly limits: Pick<Limits, 'clockSkewMs'>
  readonly lanes: Pick<Lanes, 'close'>
  readonly updateAgenda: UpdateAgenda
  /** For what reads begin, and nobody waits for but the end of the service. */
  readonly inBackground: Lifetime['inBackground']
  readonly observer?: SafeObserver | undefined
}

/** So many auctions are closed at once. Their entries share appends with bids, which must not wait long for them. */
const auctionsAtOnce = 100
/** Where heads are slow to read, so many are read within the time for one call. */
const headsAtOnce = 25
/** Past so many that can't be closed, those behind them wait: something is wrong with the store as a whole. */
const maxLeft = 2_000
/** When an auction that can't be read is looked at again. */
const lookAgainMs = 60_000

/** What has come of a look at an auction that may be due: it is closed now, there is nothing to do, or it could not be closed. */
type Outcome = 'closed' | 'settled' | 'failed'

/** Follows the agenda: what is due is closed by its ledger, or gets the place that its ledger says. */
export function createCloser(parts: CloserParts): Closer {
  const { store, clock, limits, lanes, updateAgenda, inBackground, observer } = parts
  const { clockSkewMs } = limits
  let underWay: Promise<ClosingReport> | undefined
  /** When each that is known to be due has ended. */
  const due = new Map<AuctionId, number>()
  /** What is looked at since it was read. Many may read it meanwhile, and must not fill the room that bids wait in. */
  const lookedAt = new Set<AuctionId>()

  async function closeAllDue(): Promise<ClosingReport> {
    const query = { order: 'agenda', dueByMs: clock.nowMs() - clockSkewMs, limit: auctionsAtOnce } as const
    let page = await store.listAuctions(query)
    due.clear()
    let closed = 0
    for (;;) {
      for (const error of page.unreadable ?? []) observer?.onUnreadable(error)
      for (const { auction, position } of page.items) due.set(auction.id, position.timeMs)
      closed += await closeEach(page.items.map(({ auction }) => auction))
      if (page.next === undefined || due.size > maxLeft) return { closed, left: due.size }
      await giveWay()
      page = await store.listAuctions({ ...query, after: page.next })
    }
  }

  /** Resolves when all else that is ready has had its turn: a store that answers at once leaves none to it. */
  const giveWay = (): Promise<void> => new Promise((resolve) => void clock.after(0, resolve))

  async function closeEach(auctions: readonly ListedAuction[]): Promise<number> {
    const looks: Promise<Outcome>[] = []
    for (let from = 0; from < auctions.length; from += headsAtOnce) {
      looks.push(...(await beginLooks(auctions.slice(from, from + headsAtOnce))))
    }
    return (await Promise.all(looks)).filter((outcome) => outcome === 'closed').length
  }

  /** Reads the heads of some, and begins to look at each. What the store fails on stays due, and keeps no other from being closed. */
  async function beginLooks(auctions: readonly ListedAuction[]): Promise<readonly Promise<Outcome>[]> {
    const ids = auctions.map(({ id }) => id)
    let found: ReadableHeads
    try {
      found = await findReadableHeads(store, ids)
    } catch (error) {
      if (isStoreUnavailable(error)) throw error
      if (auctions.length === 1) return []
      const half = Math.ceil(auctions.length / 2)
      return [...(await beginLooks(auctions.slice(0, half))), ...(await beginLooks(auctions.slice(half)))]
    }
    const { heads, unreadable } = found
    const headOf = new Map(heads.map((head) => [head.auctionId, head]))
    return auctions.map(async (auction) => {
      const { id } = auction
      const error = unreadable.get(id)
      const outcome = await (error === undefined ? look(termsOf(auction), headOf.get(id)) : passOver(id, error))
      if (outcome !== 'failed') due.delete(id)
      return outcome
    })
  }

  /** Closes an auction that may be due, or does what follows from its ledger. */
  async function look(auction: Terms, head: Entry | undefined): Promise<Outcome> {
    try {
      const result = await lanes.close(auction, head, { type: 'close', marginMs: clockSkewMs })
      if (!result.ok) return afterRefusal(auction.id, result.refusal)
      const { atMs, state: closed } = result.value
      const lateMs = atMs - effectiveEndMs(auction, closed) - clockSkewMs
      observer?.onClosed({ auctionId: auction.id, lateMs })
      await updateAgenda({ auctionId: auction.id, endedMs: atMs })
      return 'closed'
    } catch (error) {
      const unreadable = unreadableBehind(error)
      return unreadable === undefined ? 'failed' : passOver(auction.id, unreadable)
    }
  }

  async function settleAt(update: Parameters<UpdateAgenda>[0]): Promise<Outcome> {
    await updateAgenda(update)
    return 'settled'
  }

  /** It is closed already, or a bid has moved its end. */
  function afterRefusal(
    auctionId: AuctionId,
    refusal: Extract<Awaited<ReturnType<Lanes['close']>>, { ok: false }>['refusal'],
  ): Promise<Outcome> | Outcome {
    if (refusal.code === 'not-due') return settleAt({ auctionId, dueMs: refusal.endTime.epochMs })
    if (refusal.code === 'already-closed') return settleAt({ auctionId, endedMs: refusal.endedMs })
    return 'failed'
  }

  /** What can't be read is no reason to look at it each second. */
  function passOver(auctionId: AuctionId, error: Parameters<SafeObserver['onUnreadable']>[0]): Promise<Outcome> {
    observer?.onUnreadable(error)
    return settleAt({ auctionId, dueMs: clock.nowMs() + lookAgainMs })
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
      void inBackground(closeEach)([auction])
        .catch(() => undefined)
        .finally(() => lookedAt.delete(auction.id))
    },
    backlog() {
      const nowMs = clock.nowMs()
      const firstMs = Math.min(nowMs, ...[...due.values()].map((endMs) => endMs + clockSkewMs))
      return { closingsDue: due.size, longestDueMs: nowMs - firstMs }
    },
  }
}
