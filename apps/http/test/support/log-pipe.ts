import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runChild, startChild } from '../../../../tools/vitest/child.ts'

/** A pipe for the standard output of a process, whose reader a test can pause. */
export type LogPipe = {
  /** The end to write to, for a child process. */
  readonly fd: number
  /** Closes this end; call it once the child process has the pipe. */
  handOver(): void
  halt(): void
  resume(): void
  text(): string
  until(pattern: RegExp): Promise<unknown>
  /** Ends the reader. */
  leave(): Promise<void>
  /** Waits until the pipe has no writer and everything is read. */
  ended(): Promise<void>
}

/** Creates an operating-system pipe: Node gives its children sockets, which behave differently. */
export async function openLogPipe(): Promise<LogPipe> {
  const folder = await mkdtemp(join(tmpdir(), 'auction-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'pipe')
  await runChild('mkfifo', [path])
  // For reading too, so that opening it does not wait for a reader.
  const fd = openSync(path, constants.O_RDWR)
  const { child, stdout, until, kill, exited } = startChild('cat', [path])
  return {
    fd,
    handOver: () => closeSync(fd),
    halt: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    text: stdout,
    until,
    leave: kill,
    async ended() {
      await exited()
    },
  }
}
