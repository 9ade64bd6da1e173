import type { AuctionId } from '@auction/domain/ids'
import type { Store } from '@auction/domain/store'
import type { Db } from 'mongodb'
import { within } from './driver-call.ts'
import { refuseLossyRouter } from './routers.ts'

/** What a client is connected to. It decides how writes are partitioned, and which unique indexes there can be. */
export type Deployment = 'server-or-replica-set' | 'sharded-cluster'

/**
 * Asks the server what it is.
 * @throws Error for a router that can't be relied on.
 */
export async function findDeployment(database: Db, timeoutMs: number): Promise<Deployment> {
  const { msg } = await within(timeoutMs, database.admin().command({ hello: 1 }))
  if (msg !== 'isdbgrid') return 'server-or-replica-set' // What a mongos says of itself, and no other server.
  await refuseLossyRouter(database, timeoutMs)
  return 'sharded-cluster'
}

/**
 * Entries are sharded by a small number that follows from the auction's id. The id itself only grows, so that all that is new
 * would go to one shard; a bucket holds the whole of an auction, and one shard has the whole of a bucket. The number is in every
 * entry, and can't change.
 */
export const buckets = 64
export const bucketOf = (auctionId: AuctionId): number => auctionId % buckets

/** The cluster moves buckets between its shards as it likes, so each bucket is written by itself. */
export const partitioningOf = (deployment: Deployment): Pick<Store, 'partitions' | 'partitionOf'> =>
  deployment === 'sharded-cluster'
    ? { partitions: buckets, partitionOf: bucketOf }
    : { partitions: 1, partitionOf: () => 0 }
