import type { ReadSignal } from '@auction/domain/store'
import { unavailable } from './errors.ts'
import { createReader, type Reader } from './reader.ts'
import type { Row } from './values.ts'
import { createWorkerConnection, type StartWorker } from './worker-connection.ts'

/** What the parts of the store ask of the file. `what` completes "SQLite could not …". */
export type SqliteContext = {
  /** Reads a few rows by their keys. */
  find(what: string, sql: string, params: Row): Promise<readonly Row[]>
  /** Reads many rows, or looks at many, when its turn comes, unless the signal is aborted by then. */
  list(what: string, sql: string, params: Row, signal?: ReadSignal): Promise<readonly Row[]>
  /** Looks whether the file can be read, before any list that waits. */
  ping(): Promise<void>
  /**
   * Runs a statement for each row durably and in order, up to the first for which it changes nothing, and returns for how many
   * it did.
   */
  write(what: string, sql: string, rows: readonly Row[]): Promise<number>
  close(): Promise<void>
}

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
  let closed: Promise<void> | undefined

  function refuseClosed(what: string): void {
    if (closed !== undefined) throw unavailable(what, 'the store is closed')
  }

  return {
    async find(what, sql, params) {
      refuseClosed(what)
      return reader.find(what, sql, params) ?? worker.read(what, sql, params)
    },
    async list(what, sql, params, signal) {
      refuseClosed(what)
      return worker.read(what, sql, params, signal)
    },
    async ping() {
      const what = 'answer a ping'
      refuseClosed(what)
      await worker.ping(what)
    },
    async write(what, sql, rows) {
      refuseClosed(what)
      return worker.write(what, sql, rows)
    },
    close() {
      if (closed === undefined) {
        // First: the last connection to be closed copies the log into the file, and this one can't.
        reader.close()
        closed = worker.close()
      }
      return closed
    },
  }
}
