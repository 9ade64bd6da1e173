import { createBatcher } from '@auction/domain/batcher'
import type { CallSignal } from '@auction/domain/store'
import { StoreUnavailableError } from '@auction/domain/store-unavailable'
import type { Outcome, Read, Write } from './protocol.ts'
import { createReader, type Reader } from './reader.ts'
import type { Row } from './statements.ts'
import { createWorkerConnection, type StartWorker } from './worker-connection.ts'

/** What the parts of the store ask of the file. `what` completes "SQLite could not …". */
export type SqliteContext = {
  /** Reads a few rows by their keys. */
  find(what: string, sql: string, params: Row, signal?: CallSignal): Promise<readonly Row[]>
  /** Reads many rows, or looks at many, when its turn comes. */
  list(what: string, sql: string, params: Row, signal?: CallSignal): Promise<readonly Row[]>
  /** Writes durably, and returns for how many rows, up to the first for which nothing was changed. */
  write(what: string, write: Write, signal?: CallSignal): Promise<number>
  /** Looks whether the file can be read, before any list that waits. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Rows in one transaction, unless one write alone has more. */
const maxRows = 1_000
/** How many reads the thread has at once: one that it does, and the next one. Writes and pings wait for no more than those. */
const maxReads = 2

/** Opens both connections to a file: one of a thread of its own for writing and for lists, one of this thread for reads by key. */
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
      return group.map((_, index) => ('fault' in outcome ? outcome : { value: outcome.value[index] ?? 0 }))
    },
    maxCalls: 1,
    defer: (start) => setImmediate(start), // So that what comes in one turn of the event loop is written together.
    maxWeight: maxRows,
    weightOf: ({ rows }) => rows.length,
  })
  const reads = createBatcher<Pick<Read, 'sql' | 'params'>, Outcome<readonly Row[]>>({
    run: (group) => Promise.all(group.map(({ sql, params }) => worker.read(sql, params))),
    maxCalls: maxReads,
    maxWeight: 1,
  })
  let closed: Promise<void> | undefined
  let underWay = 0
  const { promise: idle, resolve: noteIdle } = Promise.withResolvers<void>()

  async function ask<Value>(what: string, request: () => Outcome<Value> | Promise<Outcome<Value>>): Promise<Value> {
    if (closed !== undefined) return unwrapped(what, { fault: { kind: 'unavailable', message: 'the store is closed' } })
    underWay += 1
    try {
      return unwrapped(what, await request())
    } finally {
      underWay -= 1
      if (underWay === 0 && closed !== undefined) noteIdle()
    }
  }

  async function close(): Promise<void> {
    // First: the last connection to be closed copies the log into the file, and this one can't.
    reader.close()
    if (underWay > 0) await idle
    await worker.close()
  }

  return {
    find: (what, sql, params, signal) =>
      ask(what, () => reader.find(sql, params) ?? reads.add({ sql, params }, signal)),
    list: (what, sql, params, signal) => ask(what, () => reads.add({ sql, params }, signal)),
    write: (what, write, signal) => ask(what, () => writes.add(write, signal)),
    async ping() {
      await ask('answer a ping', () => worker.read('SELECT id FROM auctions LIMIT 1', []))
    },
    close() {
      closed ??= close()
      return closed
    },
  }
}

/** The one place where what went wrong becomes an error of the domain's. */
function unwrapped<Value>(what: string, outcome: Outcome<Value>): Value {
  if ('value' in outcome) return outcome.value
  const { fault } = outcome
  const text = `SQLite could not ${what}: ${fault.message}`
  throw fault.kind === 'unexpected' ? new Error(text) : new StoreUnavailableError(text, { cause: fault })
}
