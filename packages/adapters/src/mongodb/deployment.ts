import type { AuctionId } from '@auction/domain/ids'
import type { Db } from 'mongodb'
import { withinTime } from './driver-call.ts'

/** The kind of the server. It determines how appends are grouped, and which unique indexes are possible. */
export type Deployment = 'server-or-replica-set' | 'sharded-cluster'

/**
 * Detects the kind of the server.
 * @throws Error for an unreliable router
 */
export async function findDeployment(database: Db, timeoutMs: number): Promise<Deployment> {
  const { msg } = await withinTime(timeoutMs, database.admin().command({ hello: 1 }))
  if (msg !== 'isdbgrid') return 'server-or-replica-set' // Only a mongos returns this.
  await refuseLossyRouter(database, timeoutMs)
  return 'sharded-cluster'
}

/**
 * Refuses a router (mongos) that drops the error of a write concern if the write itself fails, too: entries before a
 * taken key would count as stored without a majority. MongoDB fixed that in 5.0.30, 6.0.14 and 7.0.6.
 */
async function refuseLossyRouter(database: Db, timeoutMs: number): Promise<void> {
  const { version } = await withinTime(timeoutMs, database.admin().command({ buildInfo: 1 }))
  const [named, ...numbers] = /^(\d+)\.(\d+)\.(\d+)/.exec(String(version)) ?? []
  if (named !== undefined && reportsEveryError(numbers.map(Number))) return
  const described = named === undefined ? 'of an unknown version' : version
  throw new Error(
    `mongos ${described} can lose the error of a write that no majority has acknowledged; use mongos 7.0.6 or later`,
  )
}

/** The first fixed patch of each series. Every series after 7.0 is fixed. */
const fixedPatches: Readonly<Record<string, number>> = { '5.0': 30, '6.0': 14, '7.0': 6 }

function reportsEveryError([major = 0, minor = 0, patch = 0]: readonly number[]): boolean {
  if (major > 7 || (major === 7 && minor > 0)) return true
  return patch >= (fixedPatches[`${major}.${minor}`] ?? Number.POSITIVE_INFINITY)
}

/**
 * Entries are sharded by a small number that is computed from the auction's id, and then by that id. Ids only increase,
 * so sharding by id alone would put all new entries on one shard. With the id, MongoDB can split a bucket of any size,
 * and move it in parts; all entries of an auction are on one shard. The number is in every entry, and cannot change.
 */
const buckets = 64
export const bucketOf = (auctionId: AuctionId): number => auctionId % buckets

/**
 * The number of group commits, and of concurrent writes in each, of contended appends and of others. The zones of a
 * cluster keep whole buckets on a shard, so each bucket has a separate one: a shard that hangs does not delay the others.
 * Each bucket also has its own connections for reads that settle writes: two for heads, and one each for ids and keys.
 */
export const groupingOf = (deployment: Deployment) =>
  deployment === 'sharded-cluster'
    ? { groups: buckets, maxWrites: 1, maxContendedWrites: 4, maxReads: 4 }
    : { groups: 1, maxWrites: 2, maxContendedWrites: 32, maxReads: 0 }

/** The number of heads of one bucket that are read at once. */
export const bucketReadsAtOnce = 2
