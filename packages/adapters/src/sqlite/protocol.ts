import type { FileIdentity, Row } from './database.ts'
import type { SqliteError } from './errors.ts'

/** The settings of a new worker. */
export type WorkerSettings = {
  readonly file: string
  readonly timeoutMs: number
  /** The required identity of the file; undefined for any. */
  readonly identity: FileIdentity | undefined
}

export type Read = { readonly kind: 'read'; readonly sql: string; readonly params: Row }

/** Rows for which a statement runs in order, up to the first one that changes nothing. */
export type Write = {
  readonly sql: string
  readonly rows: readonly Row[]
  /** Whether the statement runs for all rows, even if one changes nothing. */
  readonly isEach?: boolean
  /** Whether the rows are those of `rowOfEntry`, of an append. */
  readonly isAppend?: boolean
  /** A write that follows in the same transaction, if each row changed something. */
  readonly then?: Write
}

/** The writes of one transaction. The value is the number of rows of each before the first one that changed nothing. */
export type WriteGroup = { readonly kind: 'write'; readonly writes: readonly Write[] }

/** A request to the worker with a unique number; or the order to close the file and to end. */
export type Call = { readonly call: number; readonly request: Read | WriteGroup } | 'close'

/** The outcome of a request. */
export type Outcome<Value> = { readonly value: Value } | { readonly error: SqliteError }

type Reply = { readonly call: number; readonly outcome: Outcome<unknown> }

/** A message of the worker: the file that it opened or the error, and then its replies. */
export type Report = { readonly opened: FileIdentity } | { readonly notOpened: SqliteError } | Reply
