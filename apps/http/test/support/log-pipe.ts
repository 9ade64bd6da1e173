import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

/** A pipe for a process's standard output, whose reader a test can halt. */
export type LogPipe = {
  /** The end to write to, for a child process. */
  readonly fd: number
  /** Leaves the pipe to the child process; call it once that has it. */
  handOver(): void
  halt(): void
  resume(): void
  text(): string
  until(pattern: RegExp): Promise<void>
  /** Ends the reader. */
  leave(): Promise<void>
  /** Waits until nobody writes any more, and everything is read. */
  ended(): Promise<void>
}

/** Makes a pipe of the operating system's: what Node makes for its own children are sockets, and they are not the same. */
export async function openLogPipe(): Promise<LogPipe> {
  const folder = await mkdtemp(join(tmpdir(), 'auction-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'pipe')
  await promisify(execFile)('mkfifo', [path])
  // For reading too, so that opening it does not wait for a reader.
  const fd = openSync(path, constants.O_RDWR)
  const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(reader, 'close')
  onTestFinished(async () => {
    reader.kill('SIGKILL')
    await closed
  })
  let text = ''
  reader.stdout.on('data', (chunk) => {
    text += chunk
  })
  return {
    fd,
    handOver: () => closeSync(fd),
    halt: () => reader.kill('SIGSTOP'),
    resume: () => reader.kill('SIGCONT'),
    text: () => text,
    async until(pattern) {
      while (!pattern.test(text)) await Promise.race([once(reader.stdout, 'data'), closed.then(failed)])

      function failed(): never {
        throw new Error(`the pipe was closed before ${pattern} came: ${text}`)
      }
    },
    async leave() {
      reader.kill('SIGKILL')
      await closed
    },
    async ended() {
      await closed
    },
  }
}
