import type { Fault } from './faults.ts'
import type { Row } from './values.ts'

/** What the worker is given when it starts. */
export type WorkerSettings = {
  readonly file: string
  readonly timeoutMs: number
}

/** What the worker is asked for, under a number of the call's own. */
export type Call =
  | { readonly call: number; readonly kind: 'read'; readonly sql: string; readonly params: Row }
  /** Runs the statement for each row in order, up to the first for which it changes nothing. Returns for how many it did. */
  | { readonly call: number; readonly kind: 'write'; readonly sql: string; readonly rows: readonly Row[] }
  /** Closes the file when all that came before is done. */
  | { readonly call: number; readonly kind: 'close' }

export type Reply =
  | { readonly call: number; readonly value: readonly Row[] | number | undefined }
  | { readonly call: number; readonly fault: Fault }

/** What the worker tells: that it could not open the file, or replies. */
export type Report = { readonly opened: true } | { readonly notOpened: Fault } | readonly Reply[]
