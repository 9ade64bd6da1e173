import { createBatcher } from '@auction/domain/batching'
import { createCallsInFlight } from '@auction/domain/closable'
import { StoreUnavailableError } from '@auction/domain/errors'
import type { CallSignal } from '@auction/domain/store'
import type { Row } from './database.ts'
import type { Outcome, Read, Write } from './protocol.ts'
import { createReader, type Reader } from './reader.ts'
import { createWorkerConnection, type StartWorker } from './worker-connection.ts'

/** The maximum number of keys of one read in the calling thread: those of a page. */
export const fewKeys = 100

/** The operations on the file. `what` completes "SQLite could not …". */
export type SqliteContext = {
  /** Reads a few rows by their keys. */
  find(what: string, sql: string, params: Row, signal?: CallSignal): Promise<readonly Row[]>
  /** Reads or examines many rows, in a queue. */
  list(what: string, sql: string, params: Row, signal?: CallSignal): Promise<readonly Row[]>
  /** Writes durably, and returns the number of rows before the first one that changed nothing. */
  write(what: string, write: Write, signal?: CallSignal): Promise<number>
  /** Checks whether the file can be read, before all waiting lists. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The maximum number of rows in a transaction of several writes. */
const maxRows = 1_000
/**
 * The maximum number of reads in the thread: the current one, and the next one. Writes and pings wait only for those.
 */
const maxReads = 2

/**
 * Opens both connections to a file: one in a separate thread for writes and lists, one in this thread for reads by key.
 */
export async function openConnections(
  file: string,
  timeoutMs: number,
  startWorker: StartWorker,
): Promise<SqliteContext> {
  const worker = createWorkerConnection({ file, timeoutMs, startWorker, onMoved: () => reader.noteMoved() })
  const identity = await worker.open()
  let reader: Reader
  try {
    reader = createReader(file, identity)
  } catch (error) {
    await worker.close()
    throw error
  }
  /** Group commit: many clients share one sync of the disk. */
  const writes = createBatcher<Write, Outcome<number>>({
    async run(group) {
      const outcome = await worker.write(group)
      return group.map((_, index) => ('error' in outcome ? outcome : { value: outcome.value[index] ?? 0 }))
    },
    maxCalls: 1,
    // All writes of one turn of the event loop share a transaction.
    defer: (start) => setImmediate(start),
    maxWeight: maxRows,
    weightOf: ({ rows }) => rows.length,
  })
  const reads = createBatcher<Pick<Read, 'sql' | 'params'>, Outcome<readonly Row[]>>({
    run: (group) => Promise.all(group.map(({ sql, params }) => worker.read(sql, params))),
    maxCalls: maxReads,
    maxWeight: 1,
  })
  const { during, ended } = createCallsInFlight()
  let closed: Promise<void> | undefined

  async function ask<Value>(what: string, request: () => Outcome<Value> | Promise<Outcome<Value>>): Promise<Value> {
    if (closed !== undefined) return unwrapped(what, { error: { kind: 'unavailable', message: 'the store is closed' } })
    return unwrapped(what, await during(Promise.resolve(request())))
  }

  async function close(): Promise<void> {
    // The reader closes first, because the last open connection copies the log into the file, and this one cannot.
    reader.close()
    await ended()
    await worker.close()
  }

  return {
    find: (what, sql, params, signal) =>
      ask(what, () => reader.find(sql, params) ?? reads.add({ sql, params }, signal)),
    list: (what, sql, params, signal) => ask(what, () => reads.add({ sql, params }, signal)),
    write: (what, write, signal) => ask(what, () => writes.add(write, signal)),
    async ping() {
      await ask('respond to a ping', () => worker.read('SELECT id FROM auctions LIMIT 1', []))
    },
    close() {
      closed ??= close()
      return closed
    },
  }
}

/** The only function that converts errors to the domain's. */
function unwrapped<Value>(what: string, outcome: Outcome<Value>): Value {
  if ('value' in outcome) return outcome.value
  const { error } = outcome
  const text = `SQLite could not ${what}: ${error.message}`
  throw error.kind === 'unexpected' ? new Error(text) : new StoreUnavailableError(text, { cause: error })
}
