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
