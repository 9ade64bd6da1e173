import type { CallSignal } from '@auction/domain/store'
import { StoreUnavailableError } from '@auction/domain/store-unavailable'
import { MongoBulkWriteError, MongoServerSelectionError } from 'mongodb'
import type { Connection } from './connection.ts'

/**
 * Does what the server is asked for, unless the caller has stopped waiting, or throws a StoreUnavailableError. `what` completes
 * "MongoDB could not …".
 */
export type DriverCall = <Value>(
  what: string,
  operation: () => Promise<Value>,
  signal?: CallSignal | undefined,
) => Promise<Value>

/**
 * The one place where the driver's errors become the domain's. The driver bounds the steps of an operation, each on its own,
 * and repeats reads; `timeoutMs` bounds them together, so that nobody waits longer on a server that hangs.
 */
export const createDriverCall =
  (timeoutMs: number, connection: Pick<Connection, 'during' | 'noteReached' | 'noteUnreachable'>): DriverCall =>
  async (what, operation, signal) => {
    if (signal?.aborted === true) {
      throw new StoreUnavailableError(`MongoDB was not asked to ${what}, since the caller stopped waiting`)
    }
    try {
      const value = await connection.during(within(timeoutMs, operation()))
      connection.noteReached()
      return value
    } catch (cause) {
      if (isWithoutServer(cause)) connection.noteUnreachable()
      throw new StoreUnavailableError(`MongoDB could not ${what}`, { cause })
    }
  }

/** Whether the driver knew of no server to ask. For many documents it wraps that into the error of a bulk write. */
const isWithoutServer = (error: unknown): boolean =>
  error instanceof MongoBulkWriteError
    ? isWithoutServer(error.errorResponse)
    : error instanceof MongoServerSelectionError

/** The outcome of a promise, or a StoreUnavailableError when it takes too long; what becomes of it later is ignored. */
export async function within<Value>(timeoutMs: number, promise: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new StoreUnavailableError(`no answer within ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
