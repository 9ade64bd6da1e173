import { Worker } from 'node:worker_threads'
import { StoreUnavailableError } from '@auction/domain/errors'
import { unlessLate } from '../shared/unless-late.ts'
import type { FileIdentity, Row } from './database.ts'
import type { SqliteError } from './errors.ts'
import type { Call, Outcome, Read, Report, WorkerSettings, WriteGroup } from './protocol.ts'

type WorkerConnectionParts = {
  readonly file: string
  readonly timeoutMs: number
  readonly startWorker: StartWorker
  /** Called when the file was moved. */
  readonly onMoved: () => void
}

/** Starts the thread of `worker.ts`. */
export type StartWorker = (workerData: WorkerSettings) => Worker

type Thread = { readonly worker: Worker; readonly opened: Promise<FileIdentity>; readonly ended: Promise<void> }

// The compiler does not rewrite URLs like imports: the extension is that of this file, source or build.
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const workerFile = new URL(`./worker.${extension}`, import.meta.url)

/** The thread does not get the flags of the process: they are not for it, and some prevent its start. */
export const startWorker: StartWorker = (workerData) =>
  new Worker(workerFile, { workerData, execArgv: [], name: 'sqlite' })

/**
 * The time limit of the copy of the log into the file at the end. The next process that opens the file continues it.
 */
const closeMs = 10_000
const threadEnded: SqliteError = { kind: 'unavailable', message: 'its thread ended' }
/**
 * How long requests fail immediately after a thread could not open the file, so that not every request starts a thread.
 */
const restMs = 1_000

/**
 * The connection to the thread for writes. Errors of requests are outcomes and are not thrown.
 *
 * When a thread ends, all its requests fail, and the next request starts another thread, which accepts only the same
 * file. An idle thread does not keep the process alive, because nothing is lost then.
 */
export function createWorkerConnection(parts: WorkerConnectionParts) {
  const { file, timeoutMs, onMoved } = parts
  const pending = new Map<number, (outcome: Outcome<unknown>) => void>()
  let thread: Thread | undefined
  let identity: FileIdentity | undefined
  let failure: { readonly error: SqliteError; readonly atMs: number } | undefined
  let lastCall = 0

  function startThread(): Thread {
    return trackThread(parts.startWorker({ file, timeoutMs, identity }), {
      onOpened(opened) {
        identity = opened
      },
      onReply: settle,
      onEnd(error, isOfFile) {
        thread = undefined
        failure = isOfFile ? { error, atMs: performance.now() } : undefined
        for (const call of pending.keys()) settle(call, { error: { kind: 'unavailable', message: error.message } })
      },
    })
  }

  function settle(call: number, outcome: Outcome<unknown>): void {
    if ('error' in outcome && outcome.error.kind === 'moved') onMoved()
    pending.get(call)?.(outcome) // Undefined after the time limit.
  }

  /** The outcome of a request, which fails after the time limit. */
  async function ask<Value>(request: Read | WriteGroup): Promise<Outcome<Value>> {
    if (thread === undefined) {
      if (failure !== undefined && performance.now() - failure.atMs < restMs) return failure
      thread = startThread()
    }
    const { worker } = thread
    lastCall += 1
    const call = lastCall
    const late: Outcome<never> = { error: { kind: 'unavailable', message: `no response within ${timeoutMs} ms` } }
    worker.ref()
    const reply = new Promise<Outcome<unknown>>((resolve) => {
      pending.set(call, resolve)
      worker.postMessage({ call, request } satisfies Call)
    })
    const outcome = await unlessLate(timeoutMs, reply, () => late)
    pending.delete(call)
    if (pending.size === 0) thread?.worker.unref()
    return outcome as Outcome<Value> // The kind of a request determines its value.
  }

  return {
    /** Resolves when the file is open. @throws Error with the reason, a StoreUnavailableError if its lock is held */
    async open(): Promise<FileIdentity> {
      thread ??= startThread()
      const opened = await thread.opened
      if (pending.size === 0) thread?.worker.unref()
      return opened
    },
    read: (sql: string, params: Row) => ask<readonly Row[]>({ kind: 'read', sql, params }),
    write: (writes: WriteGroup['writes']) => ask<readonly number[]>({ kind: 'write', writes }),
    /** Closes the file, and ends the thread. No request may be in flight. */
    async close(): Promise<void> {
      if (thread === undefined) return
      const { worker, ended } = thread
      const killTimer = setTimeout(() => void worker.terminate(), closeMs)
      worker.ref()
      worker.postMessage('close' satisfies Call)
      await ended
      clearTimeout(killTimer)
    },
  }
}

type ThreadEvents = {
  readonly onOpened: (identity: FileIdentity) => void
  readonly onReply: (call: number, outcome: Outcome<unknown>) => void
  /** @param isOfFile whether the file could not be opened; false if the thread was terminated */
  readonly onEnd: (error: SqliteError, isOfFile: boolean) => void
}

function trackThread(worker: Worker, { onOpened, onReply, onEnd }: ThreadEvents): Thread {
  const { promise: opened, resolve, reject } = Promise.withResolvers<FileIdentity>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let isOpen = false
  let error: SqliteError | undefined
  worker.on('message', (report: Report) => {
    if ('outcome' in report) onReply(report.call, report.outcome)
    else if ('opened' in report) {
      isOpen = true
      onOpened(report.opened)
      resolve(report.opened)
    } else error = report.notOpened
  })
  worker.on('error', (thrown) => {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    error = { kind: 'unavailable', message: `its thread failed: ${reason}` }
  })
  worker.on('exit', () => {
    const reason = error ?? threadEnded
    onEnd(reason, !isOpen && error !== undefined)
    reject(reason.kind === 'busy' ? new StoreUnavailableError(reason.message) : new Error(reason.message))
    end()
  })
  opened.catch(() => undefined) // Its awaiter handles the error.
  return { worker, opened, ended }
}
