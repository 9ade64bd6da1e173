import { createBatcher } from '@auction/domain/batching'
import { StoreUnavailableError } from '@auction/domain/errors'
import type { CallSignal } from '@auction/domain/store'
import { MongoBulkWriteError, MongoServerSelectionError } from 'mongodb'
import { unlessLate } from '../shared/unless-late.ts'
import type { Connection } from './connection.ts'

/**
 * Runs an operation, unless the caller has stopped waiting. Throws a StoreUnavailableError for every failure. `what`
 * completes "MongoDB could not …".
 */
export type DriverCall = <Value>(
  what: string,
  operation: () => Promise<Value>,
  signal?: CallSignal | undefined,
) => Promise<Value>

/**
 * The only function that converts the driver's errors to the domain's. The driver limits the time of each step of an
 * operation, and repeats reads; `timeoutMs` limits all steps together, so that no caller waits longer for a server that
 * hangs.
 */
export const createDriverCall =
  (timeoutMs: number, connection: Pick<Connection, 'during' | 'noteReached' | 'noteUnreachable'>): DriverCall =>
  async (what, operation, signal) => {
    if (signal?.aborted === true) {
      throw new StoreUnavailableError(`MongoDB did not ${what}, because the caller stopped waiting`)
    }
    try {
      const value = await connection.during(withinTime(timeoutMs, operation()))
      connection.noteReached()
      return value
    } catch (cause) {
      if (isWithoutServer(cause)) connection.noteUnreachable()
      throw new StoreUnavailableError(`MongoDB could not ${what}`, { cause })
    }
  }

/** Limits concurrent calls. Further ones wait, unless their callers stop waiting. */
export function limitCalls(
  driverCall: DriverCall,
  connection: Pick<Connection, 'during'>,
  maxCalls: number,
): DriverCall {
  const batcher = createBatcher<() => Promise<unknown>, unknown>({
    maxCalls,
    maxWeight: 1,
    run: (calls) => Promise.all(calls.map((call) => call())),
  })
  return <Value>(what: string, operation: () => Promise<Value>, signal?: CallSignal) => {
    const call = () => driverCall(what, operation, signal)
    return connection.during(batcher.add(call, signal)) as Promise<Value> // The value of this call.
  }
}

/** Whether the driver knew no server. For many documents it wraps this error into that of a bulk write. */
const isWithoutServer = (error: unknown): boolean =>
  error instanceof MongoBulkWriteError
    ? isWithoutServer(error.errorResponse)
    : error instanceof MongoServerSelectionError

/** The outcome of a promise, or a StoreUnavailableError after the time limit. A later outcome is ignored. */
export const withinTime = <Value>(timeoutMs: number, promise: Promise<Value>): Promise<Value> =>
  unlessLate(timeoutMs, promise, () => {
    throw new StoreUnavailableError(`no response within ${timeoutMs} ms`)
  })
