import type { Connection } from './connection.ts'
import type { Deployment } from './deployment.ts'
import type { DriverCall } from './driver-call.ts'

/** The parts that the collections share. */
export type MongoContext = {
  readonly connection: Connection
  readonly driverCall: DriverCall
  /** Lists of entries use it: on a sharded cluster, those of a shard that hangs leave connections for writes. */
  readonly listCall: DriverCall
  readonly deployment: Deployment
  /** The server's time limit for a read, so that it does not continue after the caller has stopped waiting. */
  readonly maxReadMs: number
  /** The maximum number of concurrent reads of one call. */
  readonly readsAtOnce: number
}
