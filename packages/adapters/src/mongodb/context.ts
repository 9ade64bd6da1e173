import type { Ask } from './asking.ts'
import type { Connection } from './connection.ts'

/** What the collections share. */
export type MongoContext = {
  readonly connection: Connection
  readonly ask: Ask
  /** When the server itself gives up on a read, so that it does not work on for a caller who has gone. */
  readonly maxReadMs: number
}
