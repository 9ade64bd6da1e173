import { Worker } from 'node:worker_threads'
import { errorOf, unavailable } from './errors.ts'
import type { Fault } from './faults.ts'
import type { FileIdentity } from './file-identity.ts'
import type { Call, Report, Value } from './protocol.ts'
import type { Row } from './values.ts'

/** The way to the thread that owns the writing connection. `what` completes "SQLite could not …". */
export type WorkerConnection = {
  /** Resolves when the file is open. @throws Error that says why it can't be used */
  open(): Promise<FileIdentity>
  read(what: string, sql: string, params: Row): Promise<readonly Row[]>
  /** Runs a statement for each row in order, up to the first for which it changes nothing, and returns for how many it did. */
  write(what: string, sql: string, rows: readonly Row[]): Promise<number>
  /** Finishes what is under way, closes the file, and ends the thread. */
  close(): Promise<void>
}

export type WorkerConnectionParts = {
  readonly file: string
  readonly timeoutMs: number
  /** Is told that the file is not where it was. */
  readonly onMoved: () => void
}

type Pending = {
  readonly what: string
  readonly giveUpAtMs: number
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
}

type Thread = { readonly worker: Worker; readonly opened: Promise<FileIdentity> }

// A URL is not rewritten by the compiler as an import is: the file is what this one is, source or build.
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const workerFile = new URL(`./worker.${extension}`, import.meta.url)

/**
 * Calls of one tick go in one message. A call that is not answered in time fails. A thread that has ended fails all its calls, and
 * the next call starts another one, which goes on with the same file or not at all. While no call is under way, the thread does
 * not keep the process alive: nothing is lost then.
 */
export function createWorkerConnection({ file, timeoutMs, onMoved }: WorkerConnectionParts): WorkerConnection {
  const pending = new Map<number, Pending>()
  let thread: Thread | undefined
  let identity: FileIdentity | undefined
  let outbox: Call[] = []
  let lastCall = 0
  let isTiming = false

  function startThread(): Thread {
    const workerData = { file, timeoutMs, identity }
    // The flags of the process are not for this thread, and some would keep it from starting.
    const worker = new Worker(workerFile, { workerData, execArgv: [], name: 'sqlite' })
    const { promise: opened, resolve, reject } = Promise.withResolvers<FileIdentity>()
    const started = { worker, opened }
    let reason = 'its thread has ended'
    worker.on('message', (report: Report) => {
      if ('opened' in report) {
        identity = report.opened
        resolve(identity)
      } else if ('notOpened' in report) reason = report.notOpened.message
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
    opened.catch(() => undefined) // Whoever waits for it hears of it.
    return started
  }

  function settle(call: number, outcome: { readonly value: Value } | { readonly fault: Fault }): void {
    const found = pending.get(call)
    if (found === undefined) return // It was given up.
    pending.delete(call)
    if ('value' in outcome) found.resolve(outcome.value)
    else {
      if (outcome.fault.kind === 'moved') onMoved()
      found.reject(errorOf(found.what, outcome.fault))
    }
    restIfIdle()
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
    if (!isTiming) giveUpIn(timeoutMs)
    return new Promise((resolve, reject) => {
      pending.set(call.call, { what, giveUpAtMs: performance.now() + timeoutMs, resolve, reject })
    })
  }

  function post(): void {
    thread?.worker.postMessage(outbox)
    outbox = []
  }

  function giveUpIn(ms: number): void {
    isTiming = true
    setTimeout(giveUpLate, ms).unref()
  }

  /** Calls are pending in the order in which they are given up. */
  function giveUpLate(): void {
    isTiming = false
    const nowMs = performance.now()
    for (const [call, { what, giveUpAtMs, reject }] of pending) {
      if (giveUpAtMs > nowMs) {
        giveUpIn(giveUpAtMs - nowMs)
        break
      }
      pending.delete(call)
      reject(unavailable(what, `no answer within ${timeoutMs} ms`))
    }
    restIfIdle()
  }

  function restIfIdle(): void {
    if (pending.size === 0) thread?.worker.unref()
  }

  return {
    async open() {
      thread ??= startThread()
      const opened = await thread.opened
      restIfIdle()
      return opened
    },
    // The casts: the kind of a call decides what its value is.
    read: async (what, sql, params) =>
      (await send({ call: ++lastCall, kind: 'read', sql, params }, what)) as readonly Row[],
    write: async (what, sql, rows) => (await send({ call: ++lastCall, kind: 'write', sql, rows }, what)) as number,
    async close() {
      if (thread === undefined) return
      const { worker } = thread
      try {
        await send({ call: ++lastCall, kind: 'close' }, 'close the file')
      } finally {
        void worker.terminate() // It ends by itself, unless it hangs.
      }
    },
  }
}
