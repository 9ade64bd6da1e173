import { Worker } from 'node:worker_threads'
import type { ReadSignal } from '@auction/domain/store'
import { StoreUnavailableError } from '@auction/domain/store-unavailable'
import { unavailable } from './errors.ts'
import type { FileIdentity } from './file-identity.ts'
import { createPendingCalls } from './pending-calls.ts'
import type { Call, Reply, Report, Value, WorkerSettings } from './protocol.ts'
import { createReadQueue } from './read-queue.ts'
import type { Row } from './values.ts'

/** The way to the thread that owns the writing connection. `what` completes "SQLite could not …". */
export type WorkerConnection = {
  /** Resolves when the file is open. @throws Error that says why it can't be used, a StoreUnavailableError where its lock is held */
  open(): Promise<FileIdentity>
  /** Reads when its turn comes, unless the signal is aborted by then. */
  read(what: string, sql: string, params: Row, signal?: ReadSignal): Promise<readonly Row[]>
  /** Waits for no read. */
  ping(what: string): Promise<void>
  /** Runs a statement for each row in order, up to the first for which it changes nothing, and returns for how many it did. */
  write(what: string, sql: string, rows: readonly Row[]): Promise<number>
  /** Finishes what is under way, closes the file, and ends the thread. */
  close(): Promise<void>
}

export type WorkerConnectionParts = {
  readonly file: string
  readonly timeoutMs: number
  readonly startWorker: StartWorker
  /** Is told that the file is not where it was. */
  readonly onMoved: () => void
}

/** Starts the thread of `worker.ts`. */
export type StartWorker = (workerData: WorkerSettings) => Worker

type Thread = { readonly worker: Worker; readonly opened: Promise<FileIdentity>; readonly ended: Promise<void> }

// A URL is not rewritten by the compiler as an import is: the file is what this one is, source or build.
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const workerFile = new URL(`./worker.${extension}`, import.meta.url)

/** Without the flags of the process: they are not for this thread, and some would keep it from starting. */
export const startWorker: StartWorker = (workerData) =>
  new Worker(workerFile, { workerData, execArgv: [], name: 'sqlite' })

/** How long the last writes and the copy of the log into the file may take. Whoever opens it next goes on where they were left. */
const closeMs = 10_000
const threadEnded = 'its thread has ended'
/** How long calls fail at once after a thread could not open the file, so that not every one of them starts a thread. */
const restMs = 1_000

/**
 * Calls of one tick go in one message. A thread that has ended fails all its calls, and the next call starts another one, which
 * goes on with the same file or not at all. While no call is under way, the thread does not keep the process alive: nothing is
 * lost then.
 */
export function createWorkerConnection(parts: WorkerConnectionParts): WorkerConnection {
  const { file, timeoutMs, onMoved } = parts
  const pending = createPendingCalls(timeoutMs, () => thread?.worker.unref())
  const reads = createReadQueue(pending, post)
  let thread: Thread | undefined
  let identity: FileIdentity | undefined
  let failure: { readonly reason: string; readonly atMs: number } | undefined
  let outbox: Call[] = []
  let lastCall = 0

  function startThread(): Thread {
    const worker = parts.startWorker({ file, timeoutMs, identity })
    const { promise: opened, resolve, reject } = Promise.withResolvers<FileIdentity>()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    let isOpen = false
    let reason: string | undefined
    let isBusy = false
    worker.on('message', (report: Report) => {
      if ('opened' in report) {
        identity = report.opened
        isOpen = true
        resolve(identity)
      } else if ('notOpened' in report) {
        reason = report.notOpened.message
        isBusy = report.notOpened.kind === 'busy'
      } else report.forEach(settle)
    })
    worker.on('error', (error) => {
      reason = `its thread has failed: ${error.message}`
    })
    worker.on('exit', () => {
      thread = undefined
      // A thread that was ended from outside says nothing of the file.
      failure = isOpen || reason === undefined ? undefined : { reason, atMs: performance.now() }
      reject(isBusy ? new StoreUnavailableError(reason ?? threadEnded) : new Error(reason ?? threadEnded))
      reads.clear()
      pending.fail(reason ?? threadEnded)
      end()
    })
    opened.catch(() => undefined) // Whoever waits for it hears of it.
    return { worker, opened, ended }
  }

  function settle(reply: Reply): void {
    if ('fault' in reply && reply.fault.kind === 'moved') onMoved()
    pending.settle(reply)
    reads.noteReply(reply.call)
  }

  function send(what: string, call: Exclude<Call, { kind: 'close' }>, signal?: ReadSignal): Promise<Value> {
    if (thread === undefined) {
      if (failure !== undefined && performance.now() - failure.atMs < restMs) throw unavailable(what, failure.reason)
      thread = startThread()
    }
    if (pending.count() === 0) thread.worker.ref()
    const value = pending.add(call.call, what)
    if (call.kind === 'read') reads.add(call, signal)
    else post(call)
    return value
  }

  function post(call: Call): void {
    if (outbox.length === 0) {
      queueMicrotask(() => {
        thread?.worker.postMessage(outbox)
        outbox = []
      })
    }
    outbox.push(call)
  }

  return {
    async open() {
      thread ??= startThread()
      const opened = await thread.opened
      if (pending.count() === 0) thread?.worker.unref()
      return opened
    },
    // The casts: the kind of a call decides what its value is.
    read: async (what, sql, params, signal) =>
      (await send(what, { call: ++lastCall, kind: 'read', sql, params }, signal)) as readonly Row[],
    ping: async (what) => void (await send(what, { call: ++lastCall, kind: 'ping' })),
    write: async (what, sql, rows) => (await send(what, { call: ++lastCall, kind: 'write', sql, rows })) as number,
    async close() {
      if (thread === undefined) return
      const { worker, ended } = thread
      const impatience = setTimeout(() => void worker.terminate(), closeMs)
      worker.ref()
      reads.flush()
      post({ kind: 'close' })
      await ended
      clearTimeout(impatience)
    },
  }
}
