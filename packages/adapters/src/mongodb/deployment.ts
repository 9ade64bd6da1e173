import type { AuctionId } from '@auction/domain/ids'
import type { Db } from 'mongodb'
import { within } from './driver-call.ts'

/** What a client is connected to. It decides how appends are grouped, and which unique indexes there can be. */
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
 * Refuses a router (mongos) that drops the error of a write concern when it comes with the error of a write: what stands before
 * a taken key would count as stored, though no majority has it. MongoDB mended that in 5.0.30, 6.0.14 and 7.0.6.
 */
async function refuseLossyRouter(database: Db, timeoutMs: number): Promise<void> {
  const { version } = await within(timeoutMs, database.admin().command({ buildInfo: 1 }))
  const [named, ...numbers] = /^(\d+)\.(\d+)\.(\d+)/.exec(String(version)) ?? []
  if (named !== undefined && reportsEveryError(numbers.map(Number))) return
  const found = named === undefined ? 'of an unknown version' : version
  throw new Error(`mongos ${found} can lose the error of a write that no majority has; use mongos 7.0.6 or later`)
}

/** The first patches of their series that do; every series after 7.0 does. */
const mended: Readonly<Record<string, number>> = { '5.0': 30, '6.0': 14, '7.0': 6 }

function reportsEveryError([major = 0, minor = 0, patch = 0]: readonly number[]): boolean {
  if (major > 7 || (major === 7 && minor > 0)) return true
  return patch >= (mended[`${major}.${minor}`] ?? Number.POSITIVE_INFINITY)
}

/**
 * Entries are sharded by a small number that follows from the auction's id. The id itself only grows, so that all that is new
 * would go to one shard; a bucket holds the whole of an auction, and one shard has the whole of a bucket. The number is in every
 * entry, and can't change.
 */
export const buckets = 64
export const bucketOf = (auctionId: AuctionId): number => auctionId % buckets

/**
 * How many group commits there are, and how many writes each has under way, of contended appends and of others. The cluster moves
 * buckets between its shards as it likes, so each bucket has one: a shard that hangs delays no other.
 */
export const groupingOf = (deployment: Deployment) =>
  deployment === 'sharded-cluster'
    ? { groups: buckets, maxWrites: 1, maxContendedWrites: 4 }
    : { groups: 1, maxWrites: 2, maxContendedWrites: 32 }
