import type { Clock } from './clock.ts'
import { notifySafely, type SafeObserver } from './observer.ts'
import type { Store } from './store/store.ts'
import type { TimeLimit } from './time-limit.ts'
import type { ListEvents } from './use-cases/list-events.ts'
import type { AuctionId } from './values/ids.ts'

/** What this service has stored of an auction: its entries with these sequences, or its creation, at 0. */
export type Stored = { readonly auctionId: AuctionId; readonly first: number; readonly last: number }

/**
 * What a service calls for a program that follows all of its auctions, such as `@auction/delivery`. Hooks run
 * synchronously, so they must be fast and must not call the service. Without a hook, nothing is done.
 */
export type Hooks = {
  /**
   * This service has created an auction or stored entries of it. Not called for entries after the end, which show
   * nothing, and not for writes whose outcome is unknown. Its errors are ignored.
   */
  readonly onStored?: (stored: Stored) => void
  /**
   * These auctions ended and are about to leave the agenda. They leave it when the promise resolves. If it rejects,
   * they stay, and the hook is called again when the end is noticed again. Undefined if the auctions can leave at once.
   */
  readonly beforeLeavingAgenda?: (auctionIds: readonly AuctionId[]) => Promise<void> | undefined
}

/** What a service shares with a program that has hooks. */
export type Extended = {
  /** The store of the service. Its calls have the time limits of the service, and are reported to its observer. */
  readonly store: Store
  readonly clock: Clock
  /** The time limit of an operation. */
  readonly limit: TimeLimit
  readonly observer: SafeObserver | undefined
  /**
   * Lists events as the service does, but is never refused as `overloaded`, and also works while the service closes.
   */
  readonly listEvents: ListEvents
}

/** Adds hooks to a service, before it is used, and returns what the service shares. */
export type Extend = (hooks: Hooks) => Extended

/** The hooks of all programs as one. */
export function createHooks() {
  const all: Hooks[] = []
  return {
    add: (hooks: Hooks): void => void all.push(hooks),
    hasAny: (): boolean => all.length > 0,
    onStored(stored: Stored): void {
      for (const { onStored } of all) notifySafely(onStored)(stored)
    },
    async beforeLeavingAgenda(auctionIds: readonly AuctionId[]): Promise<void> {
      await Promise.all(all.map(({ beforeLeavingAgenda }) => beforeLeavingAgenda?.(auctionIds)))
    },
  }
}
