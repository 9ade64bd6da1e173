import { StoreUnavailableError } from '@auction/domain/store-unavailable'
import type { Fault } from './faults.ts'

/** The one place where what went wrong becomes an error of the domain's. `what` completes "SQLite could not …". */
export const errorOf = (what: string, { message, kind }: Fault): Error =>
  kind === 'unexpected' ? new Error(`SQLite could not ${what}: ${message}`) : unavailable(what, message)

export const unavailable = (what: string, reason: string): StoreUnavailableError =>
  new StoreUnavailableError(`SQLite could not ${what}: ${reason}`)
