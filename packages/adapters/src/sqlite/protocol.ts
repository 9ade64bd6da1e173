import type { Fault } from './faults.ts'
import type { FileIdentity } from './file-identity.ts'
import type { Row } from './values.ts'

/** What the worker is given when it starts. */
export type WorkerSettings = {
  readonly file: string
  readonly timeoutMs: number
  /** The file that has to be found there; undefined for whichever there is. */
  readonly identity: FileIdentity | undefined
}

/** What the worker is asked for, under a number of the call's own. */
export type Call =
  | { readonly call: number; readonly kind: 'read'; readonly sql: string; readonly params: Row }
  /** Looks whether the file is where it was, and can be read. */
  | { readonly call: number; readonly kind: 'ping' }
  /** Runs the statement for each row in order, up to the first for which it changes nothing. Returns for how many it did. */
  | { readonly call: number; readonly kind: 'write'; readonly sql: string; readonly rows: readonly Row[] }
  /** Closes the file when all that came before is done, and ends the thread. */
  | { readonly kind: 'close' }

export type Read = Extract<Call, { kind: 'read' }>
export type Write = Extract<Call, { kind: 'write' }>

export type Value = readonly Row[] | number

export type Reply = { readonly call: number; readonly value: Value } | { readonly call: number; readonly fault: Fault }

/** What the worker tells: which file it has opened, or why it could not, and then its replies. */
export type Report = { readonly opened: FileIdentity } | { readonly notOpened: Fault } | readonly Reply[]
