import type { AuctionId } from '@auction/domain/ids'

/** Identifies a checkpoint. Checkpoints are ordered by auction, then by the code units of the name. */
export type CheckpointKey = {
  readonly auctionId: AuctionId
  /** The name of a subscriber: 1 to 32 of the characters `a` to `z`, `0` to `9` and `-`. */
  readonly name: string
}

/** The sequence up to which a subscriber has received the events of an auction: -1 for nothing, 0 after the creation. */
export type Checkpoint = CheckpointKey & { readonly sequence: number }

/**
 * The port of deliveries: how far subscribers have received the events of auctions. Checkpoints may be of unknown auctions. Operations
 * may run concurrently, and throw a StoreUnavailableError with a `cause` if the store is unavailable.
 */
export interface Checkpoints {
  /** Saves checkpoints of different keys durably. A sequence never goes down: a lower one than the saved one changes nothing. */
  save(checkpoints: readonly Checkpoint[]): Promise<void>
  /** The checkpoints of these auctions, of all names, in any order. */
  find(auctionIds: readonly AuctionId[]): Promise<readonly Checkpoint[]>
  /** The first checkpoints after a key, in order, at most `limit`. */
  list(query: { readonly after?: CheckpointKey | undefined; readonly limit: number }): Promise<readonly Checkpoint[]>
  /** Removes checkpoints. Ignores unknown ones. */
  remove(keys: readonly CheckpointKey[]): Promise<void>
}
