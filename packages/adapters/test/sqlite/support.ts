import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from '../../src/sqlite/sqlite-store.ts'

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
 * Starts a script of this folder in a process of its own, which reads sources as this one does.
 * @param runner a command that runs the command which follows it
 */
export function startChild(script: string, args: readonly (string | number)[], runner: readonly string[] = []): Child {
  const [command, ...flags] = [...runner, process.execPath, '--conditions=@auction/source']
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args.map(String), {
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
