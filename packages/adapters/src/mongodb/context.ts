import type { Db } from 'mongodb'
import type { Ask } from './asking.ts'

/** What the collections share. */
export type MongoContext = {
  readonly database: Db
  readonly ask: Ask
  /** When the server itself gives up on a read, so that it does not work on for a caller who has gone. */
  readonly maxReadMs: number
}
