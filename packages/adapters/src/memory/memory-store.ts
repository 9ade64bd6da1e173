import type { AuctionId, BidId } from '@auction/domain/ids'
import type { AuctionStore } from '@auction/domain/ports/auction-store'
import type { IdSource } from '@auction/domain/ports/id-source'
import type { IdempotencyStore } from '@auction/domain/ports/idempotency-store'
import type { Ledger } from '@auction/domain/ports/ledger'
import { memoryAuctions } from './auctions.ts'
import { memoryIdempotencyKeys } from './idempotency-keys.ts'
import { memoryLedger } from './ledger.ts'
import { sequentialIds } from './sequential-ids.ts'

/** Ids whose next one can be told before it is taken, as long as nobody else takes it. */
type PeekableIds<Id> = IdSource<Id> & { peek(): Promise<Id> }

/** Everything the use cases ask of a store, named as their ports are. */
export type MemoryStore = {
  readonly auctions: AuctionStore
  readonly ledger: Ledger
  readonly auctionIds: PeekableIds<AuctionId>
  readonly bidIds: PeekableIds<BidId>
  readonly idempotencyKeys: IdempotencyStore
}

/** A store that lives as long as its process, with ids 1, 2, 3 …: for tests, and to try the service out. */
export function memoryStore(): MemoryStore {
  return {
    auctions: memoryAuctions(),
    ledger: memoryLedger(),
    auctionIds: sequentialIds<AuctionId>(),
    bidIds: sequentialIds<BidId>(),
    idempotencyKeys: memoryIdempotencyKeys(),
  }
}
