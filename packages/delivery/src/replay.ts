import type { Clock } from '@auction/domain'
import { findReadable, inGroups, pause, unreadableCauseOf } from '@auction/domain/extension'
import { type AuctionId, toAuctionId } from '@auction/domain/ids'
import { type AuctionPage, auctionPages, type Store } from '@auction/domain/store'
import { createAttempts, createPauses } from './attempts.ts'
import type { SafeDeliveryObserver } from './observer.ts'
import type { EventReader } from './read-events.ts'
import { maxDeliveries, type SubscribedEvent, type Subscriber } from './subscriber.ts'

/** Which events to deliver again: those of an auction, or those recorded in a time, with both ends. */
export type ReplayRange = { readonly auctionId: AuctionId } | { readonly sinceMs: number; readonly untilMs: number }

export type ReplayReport = {
  /** Delivered events. */
  readonly delivered: number
  /** Auctions whose remaining events were left out, because each of several attempts for one failed or the auction is unreadable. */
  readonly failed: number
}

/** Delivers events again, each auction's in order. It neither reads nor changes checkpoints. */
export type Replay = (subscriber: Omit<Subscriber, 'name'>, range: ReplayRange) => Promise<ReplayReport>

export type ReplayParts = {
  readonly store: Pick<Store, 'listAuctions' | 'findHeads'>
  readonly readEvents: EventReader
  readonly clock: Clock
  readonly observer: SafeDeliveryObserver
}

const maxAttempts = 4
const auctionsPerPage = 100

export function createReplay({ store, readEvents, clock, observer }: ReplayParts): Replay {
  /** The auctions of a page that were created or have entries since a time. */
  async function touchedSince({ items, unreadable = [] }: AuctionPage, sinceMs: number): Promise<readonly AuctionId[]> {
    for (const error of unreadable) observer.onUnreadable(error)
    const ids = items.map(({ auction }) => auction.id)
    const heads = await findReadable(ids, (some) => store.findHeads(some), observer)
    const touched = new Set(heads.flatMap(({ auctionId, atMs }) => (atMs >= sinceMs ? [auctionId] : [])))
    return items.flatMap(({ auction: { id, createdAtMs } }) => (createdAtMs >= sinceMs || touched.has(id) ? [id] : []))
  }

  return async ({ types, deliver }, range) => {
    const { sinceMs, untilMs } =
      'sinceMs' in range ? range : { sinceMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY }
    const attempt = createAttempts(deliver, clock)
    const pauses = createPauses()
    let delivered = 0
    let failed = 0

    async function isDelivered(event: SubscribedEvent): Promise<boolean> {
      for (let attempts = 1; ; attempts++) {
        const result = await attempt(event, attempts)
        if (result.ok) return true
        if (attempts === maxAttempts) return false
        const pauseMs = pauses.afterAttempt(attempts, result)
        await pause(clock, pauseMs)
      }
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
      for (const some of inGroups(auctionIds, maxDeliveries)) {
        const outcomes = await Promise.all(some.map((id) => replayAuction(id).catch(failUnlessUnreadable)))
        failed += outcomes.filter((isComplete) => !isComplete).length
      }
    }

    function failUnlessUnreadable(error: unknown): false {
      const unreadable = unreadableCauseOf(error)
      if (unreadable === undefined) throw error
      observer.onUnreadable(unreadable)
      return false
    }

    if ('auctionId' in range) await replayAll([range.auctionId])
    else {
      const after = { order: 'newest', timeMs: untilMs + 1, id: toAuctionId(1) } as const
      const pages = auctionPages(store, { order: 'newest', limit: auctionsPerPage, after })
      for await (const page of pages) await replayAll(await touchedSince(page, sinceMs))
    }
    return { delivered, failed }
  }
}
