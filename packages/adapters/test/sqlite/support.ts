import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'
import { openWithWorker } from '../../src/sqlite/open-with-worker.ts'
import type { WorkerSettings } from '../../src/sqlite/protocol.ts'
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from '../../src/sqlite/sqlite-store.ts'
import { startWorker } from '../../src/sqlite/worker-connection.ts'

/** A file of a test's own, in a folder of its own. */
export type OwnFile = {
  readonly folder: string
  readonly file: string
  /** Opens the file as another process does. */
  readonly open: (options?: SqliteStoreOptions) => Promise<SqliteStore>
  /** Closes all stores, and removes the folder. */
  readonly close: () => Promise<void>
}

export async function ownFile(): Promise<OwnFile> {
  const folder = await mkdtemp(join(tmpdir(), 'auction-sqlite-'))
  const file = join(folder, 'auctions.sqlite')
  const opened: SqliteStore[] = []
  return {
    folder,
    file,
    async open(options) {
      const store = await openSqliteStore(file, options)
      opened.push(store)
      return store
    },
    async close() {
      await Promise.all(opened.map((store) => store.close()))
      await rm(folder, { recursive: true })
    },
  }
}

/** How a thread may end: without the call that it is to do next, or with it done and nobody told. */
export const threadFaults = {
  'the end of its thread before a call': 'nothing',
  'the end of its thread before an answer': 'all',
} as const

export type ThreadFault = keyof typeof threadFaults

/** A store whose thread ends at its next call, once, if a test says so. */
export async function openFailing(file: string) {
  let next: ThreadFault | undefined
  let threads = 0
  let current: Worker | undefined

  function start(workerData: WorkerSettings): Worker {
    const worker = startWorker(workerData)
    const [post, emit] = [worker.postMessage.bind(worker), worker.emit.bind(worker)]
    worker.postMessage = (calls: unknown) => {
      const fault = next
      next = undefined
      if (fault === 'the end of its thread before a call') void worker.terminate()
      else post(calls)
      if (fault !== 'the end of its thread before an answer') return
      worker.emit = (event: string | symbol, ...args: unknown[]) => {
        if (event !== 'message') return emit(event, ...args)
        void worker.terminate()
        return true
      }
    }
    threads += 1
    current = worker
    return worker
  }

  const store = await openWithWorker(file, {}, start)
  return {
    store,
    failNext(fault: ThreadFault): void {
      next = fault
    },
    endThread: async () => void (await current?.terminate()),
    threads: () => threads,
  }
}

/** A file of the test that calls it, until that has ended. */
export async function testFile(): Promise<OwnFile> {
  const own = await ownFile()
  onTestFinished(() => own.close())
  return own
}

/** A connection of the test's own to a file, beside those of a store. */
export function connectTo(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 })
  onTestFinished(() => {
    if (database.isOpen) database.close()
  })
  return database
}

/** A process of the test's own. */
export type Child = {
  readonly process: ChildProcess
  /** The lines that it has written so far, whole ones only. */
  readonly lines: () => readonly string[]
  /** Waits until it has written so many lines. */
  until(count: number): Promise<void>
  kill(): Promise<void>
  /** Waits for its end. @throws Error when it is not the one that it was made for */
  ended(): Promise<void>
}

/**
 * Starts a script of the folder `processes` in a process of its own, which reads sources as this one does.
 * @param runner a command that runs the command which follows it
 */
export function startChild(script: string, args: readonly (string | number)[], runner: readonly string[] = []): Child {
  const [command, ...flags] = [...runner, process.execPath, '--conditions=@auction/source']
  const child = fork(fileURLToPath(new URL(`./processes/${script}`, import.meta.url)), args.map(String), {
    execPath: command,
    execArgv: flags,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
  })
  const closed = once(child, 'close').then(() => undefined)
  const lines = () => output.split('\n').slice(0, -1)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  return {
    process: child,
    lines,
    async until(count) {
      while (lines().length < count) {
        const hasEnded = await Promise.race([
          once(child.stdout ?? child, 'data').then(() => false),
          closed.then(() => true),
        ])
        if (hasEnded && lines().length < count) throw new Error(`${script} ended after ${lines().length} lines`)
      }
    },
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
    async ended() {
      await closed
      if (child.exitCode !== 0) throw new Error(`${script} ended with ${child.exitCode ?? child.signalCode}`)
    },
  }
}
