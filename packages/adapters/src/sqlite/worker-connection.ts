import { Worker } from 'node:worker_threads'
import { StoreUnavailableError } from '@auction/domain/store-unavailable'
import type { Fault } from './faults.ts'
import type { FileIdentity } from './file-identity.ts'
import type { Call, Outcome, Read, Report, WorkerSettings, WriteGroup } from './protocol.ts'
import type { Row } from './statements.ts'

/** The way to the thread that owns the writing connection. What goes wrong with a request is its outcome, and nothing is thrown. */
export type WorkerConnection = {
  /** Resolves when the file is open. @throws Error that says why it can't be used, a StoreUnavailableError where its lock is held */
  open(): Promise<FileIdentity>
  read(sql: string, params: Row): Promise<Outcome<readonly Row[]>>
  write(writes: WriteGroup['writes']): Promise<Outcome<readonly number[]>>
  /** Closes the file, and ends the thread. Nothing may be under way. */
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

/** How long the copy of the log into the file may take at the end. Whoever opens it next goes on where it was left. */
const closeMs = 10_000
const threadEnded: Fault = { kind: 'unavailable', message: 'its thread has ended' }
/** How long requests fail at once after a thread could not open the file, so that not every one of them starts a thread. */
const restMs = 1_000

/**
 * A thread that has ended fails all its requests, and the next request starts another one, which goes on with the same file or
 * not at all. While no request is under way, the thread does not keep the process alive: nothing is lost then.
 */
export function createWorkerConnection(parts: WorkerConnectionParts): WorkerConnection {
  const { file, timeoutMs, onMoved } = parts
  const pending = new Map<number, (outcome: Outcome<unknown>) => void>()
  let thread: Thread | undefined
  let identity: FileIdentity | undefined
  let failure: { readonly fault: Fault; readonly atMs: number } | undefined
  let lastCall = 0

  function startThread(): Thread {
    const worker = parts.startWorker({ file, timeoutMs, identity })
    const { promise: opened, resolve, reject } = Promise.withResolvers<FileIdentity>()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    let isOpen = false
    let fault: Fault | undefined
    worker.on('message', (report: Report) => {
      if ('outcome' in report) settle(report.call, report.outcome)
      else if ('opened' in report) {
        identity = report.opened
        isOpen = true
        resolve(identity)
      } else fault = report.notOpened
    })
    worker.on('error', (error) => {
      fault = { kind: 'unavailable', message: `its thread has failed: ${error.message}` }
    })
    worker.on('exit', () => {
      thread = undefined
      // A thread that was ended from outside says nothing of the file.
      failure = isOpen || fault === undefined ? undefined : { fault, atMs: performance.now() }
      const reason = fault ?? threadEnded
      reject(reason.kind === 'busy' ? new StoreUnavailableError(reason.message) : new Error(reason.message))
      for (const call of pending.keys()) settle(call, { fault: { kind: 'unavailable', message: reason.message } })
      end()
    })
    opened.catch(() => undefined) // Whoever waits for it hears of it.
    return { worker, opened, ended }
  }

  function settle(call: number, outcome: Outcome<unknown>): void {
    if ('fault' in outcome && outcome.fault.kind === 'moved') onMoved()
    pending.get(call)?.(outcome) // Or it was given up.
  }

  /** The outcome of a request, which is given up when none comes in time. */
  async function ask<Value>(request: Read | WriteGroup): Promise<Outcome<Value>> {
    if (thread === undefined) {
      if (failure !== undefined && performance.now() - failure.atMs < restMs) return failure
      thread = startThread()
    }
    const { worker } = thread
    lastCall += 1
    const call = lastCall
    const late: Outcome<never> = { fault: { kind: 'unavailable', message: `no answer within ${timeoutMs} ms` } }
    const timer = setTimeout(() => settle(call, late), timeoutMs)
    worker.ref()
    const outcome = await new Promise((resolve) => {
      pending.set(call, resolve)
      worker.postMessage({ call, request } satisfies Call)
    })
    clearTimeout(timer)
    pending.delete(call)
    if (pending.size === 0) thread?.worker.unref()
    return outcome as Outcome<Value> // The kind of a request decides what its value is.
  }

  return {
    async open() {
      thread ??= startThread()
      const opened = await thread.opened
      if (pending.size === 0) thread?.worker.unref()
      return opened
    },
    read: (sql, params) => ask({ kind: 'read', sql, params }),
    write: (writes) => ask({ kind: 'write', writes }),
    async close() {
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
