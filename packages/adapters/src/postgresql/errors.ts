import { isStoreUnavailable } from '@auction/domain/errors'
import { DatabaseError } from 'pg'

/**
 * Codes and classes of codes (the SQLSTATE of the SQL standard) of servers that start, stop, fail over or are
 * overloaded.
 */
// 25006 means read-only, as a standby is; 55P03 and 57014 mean a time limit.
const passing = /^(?:08|53|57P|58)|^(?:25006|55P03|57014)$/

/** Messages of the driver, without a code, for a broken connection or a time-out of a new one. */
const brokenConnection = /^Connection terminated|^timeout e|^Query read timeout$/

/** Whether a failure may be temporary, such as an outage, but not a wrong password. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseError) return passing.test(error.code ?? '')
  const isOfNetwork = 'syscall' in error ? error.syscall !== 'open' : error instanceof AggregateError
  return isStoreUnavailable(error) || isOfNetwork || brokenConnection.test(error.message)
}

/**
 * Unique violation, deadlock and division by zero. A deadlock is only possible between two requests that use the same
 * keys for several auctions, in opposite orders. For the division by zero see `insertFreeSql`.
 */
const conflicts: readonly unknown[] = ['23505', '40P01', '22012']

/** Whether a statement changed nothing because others had its keys. */
export const isConflict = (error: unknown): boolean => error instanceof DatabaseError && conflicts.includes(error.code)
