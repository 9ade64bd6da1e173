import type { Clock } from '../../clock.ts'
import type { SafeObserver } from '../../observer.ts'
import { findReadable, unreadableCauseOf } from '../../store/errors.ts'
import type { AuctionPage, AuctionPosition, Store } from '../../store/store.ts'
import { type AuctionId, toAuctionId } from '../../values/ids.ts'
import { createAttempts, createPauses } from './attempts.ts'
import type { ReadEvents } from './read-events.ts'
import type { Replay, SubscribedEvent } from './subscriber.ts'

export type ReplayParts = {
  readonly store: Pick<Store, 'listAuctions' | 'findHeads'>
  readonly readEvents: ReadEvents
  readonly clock: Clock
  readonly observer?: SafeObserver | undefined
}

const maxAttempts = 4
const auctionsPerPage = 100

export function replayUseCase({ store, readEvents, clock, observer }: ReplayParts): Replay {
  /** The auctions of a page that were created or have entries since a time. */
  async function touchedSince({ items, unreadable = [] }: AuctionPage, sinceMs: number): Promise<readonly AuctionId[]> {
    for (const error of unreadable) observer?.onUnreadable(error)
    const ids = items.map(({ auction }) => auction.id)
    const heads = await findReadable(ids, (some) => store.findHeads(some), observer)
    const touched = new Set(heads.flatMap(({ auctionId, atMs }) => (atMs >= sinceMs ? [auctionId] : [])))
    return items.flatMap(({ auction: { id, createdAtMs } }) => (createdAtMs >= sinceMs || touched.has(id) ? [id] : []))
  }

  return async (subscriber, range, { signal } = {}) => {
    const { types, maxDeliveries = 32 } = subscriber
    const { sinceMs, untilMs } =
      'sinceMs' in range ? range : { sinceMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY }
    const attempt = createAttempts(subscriber, clock)
    const pauses = createPauses()
    let delivered = 0
    let failed = 0

    async function isDelivered(event: SubscribedEvent): Promise<boolean> {
      for (let attempts = 1; signal?.aborted !== true; attempts++) {
        const delivery = await attempt(event, attempts)
        if (delivery.ok) return true
        if (attempts === maxAttempts) break
        const pauseMs = pauses.afterAttempt(attempts, delivery)
        await new Promise<void>((resolve) => void clock.after(pauseMs, resolve))
      }
      return false
    }

    /** False if the remaining events are left out. */
    async function replayAuction(auctionId: AuctionId): Promise<boolean> {
      for (let position = -1, isAtHead = false; !isAtHead; ) {
        const page = await readEvents(auctionId, position)
        if (page === undefined) return false
        for (const event of page.items) {
          if (event.atMs > untilMs) return true
          if (event.atMs < sinceMs || types?.includes(event.type) === false) continue
          if (!(await isDelivered(event))) return false
          delivered += 1
        }
        ;({ position, isAtHead } = page)
      }
      return true
    }

    async function replayAll(auctionIds: readonly AuctionId[]): Promise<void> {
      for (let from = 0; from < auctionIds.length; from += maxDeliveries) {
        const some = auctionIds.slice(from, from + maxDeliveries)
        const outcomes = await Promise.all(some.map((id) => replayAuction(id).catch(failUnlessUnreadable)))
        failed += outcomes.filter((isComplete) => !isComplete).length
      }
    }

    function failUnlessUnreadable(error: unknown): false {
      const unreadable = unreadableCauseOf(error)
      if (unreadable === undefined) throw error
      observer?.onUnreadable(unreadable)
      return false
    }

    if ('auctionId' in range) await replayAll([range.auctionId])
    else {
      let after: AuctionPosition | undefined = { order: 'newest', timeMs: untilMs + 1, id: toAuctionId(1) }
      while (after !== undefined && signal?.aborted !== true) {
        const page: AuctionPage = await store.listAuctions({ order: 'newest', limit: auctionsPerPage, after })
        await replayAll(await touchedSince(page, sinceMs))
        after = page.next
      }
    }
    return { delivered, failed }
  }
}
