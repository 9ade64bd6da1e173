import { memoryStore } from '@auction/adapters/memory'
import { connectMongoStore } from '@auction/adapters/mongodb'
import type { AuctionId, BidId } from '@auction/domain/ids'
import type { AuctionStore } from '@auction/domain/ports/auction-store'
import type { IdSource } from '@auction/domain/ports/id-source'
import type { IdempotencyStore } from '@auction/domain/ports/idempotency-store'
import type { Ledger } from '@auction/domain/ports/ledger'

/** What the use cases ask of a store, named as their ports are. */
export type Store = {
  readonly auctions: AuctionStore
  readonly ledger: Ledger
  readonly auctionIds: IdSource<AuctionId>
  readonly bidIds: IdSource<BidId>
  readonly idempotencyKeys: IdempotencyStore
}

/** A store that is open, with what the process needs to know of it. */
export type OpenStore = Store & {
  /** For people, without credentials. */
  readonly description: string
  readonly auctionIds: IdSource<AuctionId> & { peek(): Promise<AuctionId> }
  close(): Promise<void>
}

/**
 * Opens the store that is configured: MongoDB, or without a URI this process's memory.
 * @throws Error with one line that says why MongoDB can't be used
 */
export async function openStore(uri: string | undefined, onNotice: (text: string) => void): Promise<OpenStore> {
  if (uri !== undefined) return connectMongoStore(uri, { onNotice })
  return { ...memoryStore(), description: 'in-memory: kept until the process ends', close: async () => undefined }
}
