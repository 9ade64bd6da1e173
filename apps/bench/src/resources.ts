import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Defer } from './scope.ts'

/** A folder for temporary files. */
export async function makeFolder(defer: Defer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'auction-bench-'))
  defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const startTimeoutMs = 60_000

/**
 * Waits until a server responds with a status that means ready.
 * @throws Error if its process ends before, or after a minute
 */
export async function untilReady(
  child: ChildProcess,
  url: string,
  isReady: (status: number) => boolean,
): Promise<void> {
  const giveUpMs = performance.now() + startTimeoutMs
  const responds = () =>
    fetch(url).then(
      ({ status }) => isReady(status),
      () => false,
    )
  while (!(await responds())) {
    if (hasEnded(child) || performance.now() >= giveUpMs) throw new Error('a server did not start')
    await sleep(2)
  }
}

/** Sends a message to a process, and returns its reply. @throws Error if the process ends before */
export async function ask(child: ChildProcess, message: object | string): Promise<unknown> {
  const reply = messageOf(child)
  child.send(message)
  return reply
}

/** The next message of a process. @throws Error if the process ends before, or after a minute */
export async function messageOf(child: ChildProcess): Promise<unknown> {
  const settled = new AbortController()
  const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(startTimeoutMs)])
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error('a process ended too early; its output is above')
  })
  const response = once(child, 'message', { signal })
  try {
    return (await Promise.race([response, ended]))[0]
  } finally {
    settled.abort()
  }
}

export async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null
