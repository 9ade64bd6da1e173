import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
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

/** A port of 127.0.0.1 on which no program listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port')
  return address.port
}

const startTimeoutMs = 60_000

/**
 * Waits until a server is ready. The service listens before its store is open, and returns 503 until then. The other
 * servers lack this route, so any of their responses will do.
 * @throws Error if its process ends before, or after a minute
 */
export async function untilReady(child: ChildProcess, origin: string): Promise<void> {
  const giveUpMs = performance.now() + startTimeoutMs
  const isReady = () =>
    fetch(`${origin}/readyz`).then(
      ({ status }) => status !== 503,
      () => false,
    )
  while (!(await isReady())) {
    if (hasEnded(child) || performance.now() >= giveUpMs) throw new Error('a server did not start')
    await sleep(2)
  }
}

/** Sends a message to a process, and returns its reply. @throws Error if the process ends before */
export async function ask(child: ChildProcess, message: object | string): Promise<unknown> {
  const settled = new AbortController()
  const ended = once(child, 'exit', settled).then(() => {
    throw new Error('a process ended too early; its output is above')
  })
  const answer = once(child, 'message', settled)
  child.send(message)
  try {
    return (await Promise.race([answer, ended]))[0]
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
