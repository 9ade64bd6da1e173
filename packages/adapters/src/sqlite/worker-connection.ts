import { Worker } from 'node:worker_threads'
import { StoreUnavailableError } from '@auction/domain/store-unavailable'
import { type Fault, isUnavailable } from './faults.ts'
import type { Call, Report, WorkerSettings } from './protocol.ts'
import type { Row } from './values.ts'

/** The way to the thread that owns the writing connection. `what` completes "SQLite could not …". */
export type WorkerConnection = {
  /** @throws Error that says why the file can't be used */
  open(): Promise<void>
  read(what: string, sql: string, params: Row): Promise<readonly Row[]>
  /** Runs a statement for each row in order, up to the first for which it changes nothing, and returns for how many it did. */
  write(what: string, sql: string, rows: readonly Row[]): Promise<number>
  /** Finishes what is under way, and ends the thread. */
  close(): Promise<void>
}

type Value = readonly Row[] | number | undefined

type Pending = {
  readonly what: string
  readonly giveUpAtMs: number
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
}

type Thread = { readonly worker: Worker; readonly opened: Promise<void> }

// A URL is not rewritten by the compiler as an import is: the file is what this one is, source or build.
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const workerFile = new URL(`./worker.${extension}`, import.meta.url)

/**
 * Calls of one tick go in one message. A call that is not answered in time fails; a thread that has ended fails all its calls, and
 * the next call starts another one. While no call is under way the thread does not keep the process alive: nothing is lost then.
 */
export function createWorkerConnection(settings: WorkerSettings): WorkerConnection {
  const pending = new Map<number, Pending>()
  let thread: Thread | undefined
  let outbox: Call[] = []
  let lastCall = 0
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function startThread(): Thread {
    // The flags of the process are not for this thread, and some would keep it from starting.
    const worker = new Worker(workerFile, { workerData: settings, execArgv: [], name: 'sqlite' })
    const { promise: opened, resolve, reject } = Promise.withResolvers<void>()
    let reason = 'its thread has ended'
    worker.on('message', (report: Report) => {
      if ('opened' in report) resolve()
      else if ('notOpened' in report) reason = report.notOpened.message
      else for (const { call, ...outcome } of report) settle(call, outcome)
    })
    worker.on('error', (error) => {
      reason = `its thread has failed: ${error.message}`
    })
    worker.on('exit', () => {
      if (thread === started) thread = undefined
      reject(new Error(reason))
      failAll(reason)
    })
    opened.catch(() => undefined)
    const started = { worker, opened }
    return started
  }

  function settle(call: number, outcome: { readonly value: Value } | { readonly fault: Fault }): void {
    const found = pending.get(call)
    if (found === undefined) return // It was given up.
    pending.delete(call)
    if ('value' in outcome) found.resolve(outcome.value)
    else found.reject(errorOf(found.what, outcome.fault))
    if (pending.size === 0) thread?.worker.unref()
  }

  function failAll(reason: string): void {
    for (const { what, reject } of pending.values()) reject(unavailable(what, reason))
    pending.clear()
  }

  function send(call: Call, what: string): Promise<Value> {
    thread ??= startThread()
    if (pending.size === 0) thread.worker.ref()
    if (outbox.length === 0) queueMicrotask(post)
    outbox.push(call)
    timer ??= setTimeout(giveUpLate, settings.timeoutMs).unref()
    return new Promise((resolve, reject) => {
      pending.set(call.call, { what, giveUpAtMs: performance.now() + settings.timeoutMs, resolve, reject })
    })
  }

  function post(): void {
    thread?.worker.postMessage(outbox)
    outbox = []
  }

  /** Calls are pending in the order in which they are given up. */
  function giveUpLate(): void {
    const nowMs = performance.now()
    timer = undefined
    for (const [call, { what, giveUpAtMs, reject }] of pending) {
      if (giveUpAtMs > nowMs) {
        timer = setTimeout(giveUpLate, giveUpAtMs - nowMs).unref()
        break
      }
      pending.delete(call)
      reject(unavailable(what, `no answer within ${settings.timeoutMs} ms`))
    }
    if (pending.size === 0) thread?.worker.unref()
  }

  function unavailable(what: string, reason: string): StoreUnavailableError {
    return new StoreUnavailableError(`SQLite could not ${what}: ${reason}`)
  }

  const errorOf = (what: string, fault: Fault): Error =>
    isUnavailable(fault) ? unavailable(what, fault.message) : new Error(`SQLite could not ${what}: ${fault.message}`)

  return {
    async open() {
      thread ??= startThread()
      await thread.opened
      if (pending.size === 0) thread?.worker.unref()
    },
    // The casts: the kind of a call decides what its value is.
    async read(what, sql, params) {
      if (isClosed) throw unavailable(what, 'the store is closed')
      return (await send({ call: ++lastCall, kind: 'read', sql, params }, what)) as readonly Row[]
    },
    async write(what, sql, rows) {
      if (isClosed) throw unavailable(what, 'the store is closed')
      return (await send({ call: ++lastCall, kind: 'write', sql, rows }, what)) as number
    },
    async close() {
      if (isClosed) return
      isClosed = true
      if (thread === undefined) return
      const { worker } = thread
      try {
        await send({ call: ++lastCall, kind: 'close' }, 'close the file')
      } finally {
        await worker.terminate()
      }
    },
  }
}
