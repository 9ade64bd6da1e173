import type { Fault } from './faults.ts'
import type { FileIdentity } from './file-identity.ts'
import type { Row } from './statements.ts'

/** What the worker is given when it starts. */
export type WorkerSettings = {
  readonly file: string
  readonly timeoutMs: number
  /** The file that has to be found there; undefined for whichever there is. */
  readonly identity: FileIdentity | undefined
}

export type Read = { readonly kind: 'read'; readonly sql: string; readonly params: Row }

/** Rows for which a statement runs in order, up to the first for which it changes nothing. */
export type Write = {
  readonly sql: string
  readonly rows: readonly Row[]
  /** The statement runs for all rows, whatever it changes. */
  readonly isEach?: boolean
}

/** Writes of one transaction. The value is the number of rows for each, up to the first for which nothing was changed. */
export type WriteGroup = { readonly kind: 'write'; readonly writes: readonly Write[] }

/** What the worker is asked for, under a number of the request's own; or to close the file, and end. */
export type Call = { readonly call: number; readonly request: Read | WriteGroup } | 'close'

/** What has become of a request. */
export type Outcome<Value> = { readonly value: Value } | { readonly fault: Fault }

type Reply = { readonly call: number; readonly outcome: Outcome<unknown> }

/** What the worker tells: which file it has opened, or why it could not, and then its replies. */
export type Report = { readonly opened: FileIdentity } | { readonly notOpened: Fault } | Reply
