import { StoreUnavailableError } from '@auction/domain/ports/store-unavailable'
import {
  type Collection,
  type Document,
  MongoBulkWriteError,
  MongoError,
  MongoServerError,
  MongoServerSelectionError,
  MongoWriteConcernError,
  type OptionalUnlessRequiredId,
} from 'mongodb'
import type { Connection } from './connection.ts'

/** Does what is asked of the server, or throws a StoreUnavailableError. `what` completes "MongoDB could not …". */
export type Ask = <Value>(what: string, operation: () => Promise<Value>) => Promise<Value>

/**
 * The one place where the driver's errors become the domain's. The driver bounds the steps of an operation, each on its own,
 * and repeats reads; `timeoutMs` bounds them together, so that nobody waits longer on a server that hangs.
 */
export const asking =
  (timeoutMs: number, connection: Pick<Connection, 'answered' | 'unreachable'>): Ask =>
  async (what, operation) => {
    try {
      const answer = await within(timeoutMs, operation())
      connection.answered()
      return answer
    } catch (cause) {
      if (isWithoutServer(cause)) connection.unreachable()
      throw new StoreUnavailableError(`MongoDB could not ${what}`, { cause })
    }
  }

/**
 * Asks once more when the driver tells of a failure, as when a primary steps down: for inserts to which it does no harm that
 * the first try may have taken their key. Not when the time is up, so that nobody waits twice as long.
 */
export async function askTwice<Value>(ask: Ask, what: string, operation: () => Promise<Value>): Promise<Value> {
  try {
    return await ask(what, operation)
  } catch (error) {
    if (!(error instanceof StoreUnavailableError && isWorthAnotherTry(error.cause))) throw error
    return await ask(what, operation)
  }
}

// What too few members have stored in time is not stored by more of them at once.
const isWorthAnotherTry = (cause: unknown): boolean =>
  cause instanceof MongoError && !(cause instanceof MongoWriteConcernError)

/** Whether the driver knew of no server to ask. For many documents it wraps that into the error of a bulk write. */
const isWithoutServer = (error: unknown): boolean =>
  error instanceof MongoBulkWriteError
    ? isWithoutServer(error.errorResponse)
    : error instanceof MongoServerSelectionError

/** The outcome of a promise, or an error when it takes too long; what becomes of it later is ignored. */
export async function within<Value>(timeoutMs: number, promise: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

const duplicateKeyCode = 11000

/**
 * Inserts documents in their order, up to the first that has a taken key, and answers how many were inserted. What took a
 * key may not be with a majority yet; MongoDB then holds the answer back until it is, as a write that failed on what it
 * found waits for `w: "majority"` like one that succeeded. So whoever hears of a taken key finds what took it.
 */
export async function insertInOrder<Stored extends Document>(
  collection: Collection<Stored>,
  documents: readonly OptionalUnlessRequiredId<Stored>[],
): Promise<number> {
  const [first] = documents
  if (first === undefined) return 0
  try {
    // A single document goes in a fifth faster without the machinery for many.
    if (documents.length === 1) await collection.insertOne(first)
    else await collection.insertMany(documents, { ordered: true })
    return documents.length
  } catch (error) {
    const stored = storedBeforeDuplicate(error)
    if (stored === undefined) throw error
    return stored
  }
}

/** How many were inserted when a taken key, and nothing else, is what went wrong. */
function storedBeforeDuplicate(error: unknown): number | undefined {
  if (error instanceof MongoBulkWriteError) {
    const [failed] = error.result.getWriteErrors()
    // With an error of the write concern too, what was inserted may not last.
    const isCertain = error.result.getWriteConcernError() === undefined && error.insertedCount === failed?.index
    return isCertain && failed.code === duplicateKeyCode ? failed.index : undefined
  }
  return error instanceof MongoServerError && error.code === duplicateKeyCode ? 0 : undefined
}
