import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'
import { startChild } from '../../../../tools/vitest/child.ts'
import { openWithWorker } from '../../src/sqlite/open-with-worker.ts'
import type { WorkerSettings } from '../../src/sqlite/protocol.ts'
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from '../../src/sqlite/sqlite-store.ts'
import { startWorker } from '../../src/sqlite/worker-connection.ts'
import type { ScriptName } from './scripts.ts'

/** A separate file in a separate folder. */
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

/** How a thread may end: before its next call, or after the call but before the reply. */
export const threadFaults = {
  'the end of its thread before a call': 'nothing',
  'the end of its thread before a response': 'all',
} as const

export type ThreadFault = keyof typeof threadFaults

/** A store whose thread can end once at its next call. */
export async function openFailing(file: string, timeoutMs?: number) {
  let next: ThreadFault | undefined
  let threads = 0
  let current: Worker | undefined

  function start(workerData: WorkerSettings): Worker {
    const worker = startWorker(workerData)
    const [post, emit] = [worker.postMessage.bind(worker), worker.emit.bind(worker)]
    worker.postMessage = (call: unknown) => {
      const fault = next
      next = undefined
      if (fault === 'the end of its thread before a call') void worker.terminate()
      else post(call)
      if (fault !== 'the end of its thread before a response') return
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

  const store = await openWithWorker(file, timeoutMs === undefined ? {} : { timeoutMs }, start)
  return {
    store,
    failNext(fault: ThreadFault): void {
      next = fault
    },
    endThread: async () => void (await current?.terminate()),
    threads: () => threads,
  }
}

/** A temporary file that is removed when its test has ended. */
export async function testFile(): Promise<OwnFile> {
  const own = await ownFile()
  onTestFinished(() => own.close())
  return own
}

/** A separate connection to a file of a store. */
export function connectTo(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 })
  onTestFinished(() => {
    if (database.isOpen) database.close()
  })
  return database
}

/** The lines that a script has written. */
export type Script = {
  /** The complete lines so far. */
  readonly lines: () => readonly string[]
  /** Waits until this many lines are written. */
  until(count: number): Promise<unknown>
  kill(): Promise<void>
  /** Waits for its end. @throws Error if it is not the expected one */
  ended(): Promise<void>
}

/**
 * Starts a script of `scripts.ts` in a process that reads sources, as this process does.
 * @param runner a command that runs the command which follows it
 */
export function startScript(
  script: ScriptName,
  args: readonly (string | number)[],
  runner: readonly string[] = [],
): Script {
  const file = fileURLToPath(new URL('./scripts.ts', import.meta.url))
  const [command = '', ...rest] = [
    ...runner,
    process.execPath,
    '--conditions=@auction/source',
    file,
    script,
    ...args.map(String),
  ]
  const { child, stdout, stderr, until, exited, kill } = startChild(command, rest)
  return {
    lines: () => stdout().split('\n').slice(0, -1),
    until: (count) => until(new RegExp(`^(?:.*\\n){${count}}`)),
    kill,
    async ended() {
      const code = await exited()
      if (code !== 0) throw new Error(`${script} ended with ${code ?? child.signalCode}: ${stderr()}`)
    },
  }
}
