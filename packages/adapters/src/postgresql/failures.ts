import { isStoreUnavailable } from '@auction/domain/store-unavailable'
import { DatabaseError } from 'pg'

/** Codes and classes of codes (the SQLSTATE of the SQL standard) of servers that start, stop, fail over or are overloaded. */
const passing = /^(?:08|53|57P|58)|^(?:25006|55P03|57014)$/ // 25006: read-only, as a standby is; 55P03, 57014: a time limit.

/** What the driver says, without a code, of a connection that broke or was not made in time. */
const brokenConnection = /^Connection terminated|^timeout e|^Query read timeout$/

/** Whether what keeps a database from being used may pass by itself, as an outage does and a wrong password does not. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseError) return passing.test(error.code ?? '')
  const isOfNetwork = 'syscall' in error ? error.syscall !== 'open' : error instanceof AggregateError
  return isStoreUnavailable(error) || isOfNetwork || brokenConnection.test(error.message)
}

/**
 * Whether a statement changed nothing as others held or had taken keys of it. That is so of a deadlock too: it can only be one of two
 * requests that give the same keys to several auctions, in opposite order.
 */
export const isConflict = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '23505' || error.code === '40P01')
