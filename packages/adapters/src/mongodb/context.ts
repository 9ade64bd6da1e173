import type { Connection } from './connection.ts'
import type { Deployment } from './deployment.ts'
import type { DriverCall } from './driver-call.ts'

/** What the collections share. */
export type MongoContext = {
  readonly connection: Connection
  readonly driverCall: DriverCall
  readonly deployment: Deployment
  /** When the server itself gives up on a read, so that it does not work on for a caller who has gone. */
  readonly maxReadMs: number
  /** How many reads one call may have under way at once. */
  readonly readsAtOnce: number
}
