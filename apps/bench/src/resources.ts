import { type ChildProcess, spawn } from 'node:child_process'
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

/** Runs a shell command that serves in the foreground, with its files in the folder `$DATA`, on the port `$PORT`. */
export async function startByCommand(command: string, port: number, defer: Defer): Promise<ChildProcess> {
  const env = { ...process.env, DATA: await makeFolder(defer), PORT: String(port) }
  const child = spawn('sh', ['-c', command], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  defer(() => stop(child))
  return child
}

const startTimeoutMs = 60_000

/** Tries until it works, and returns what that gives. @throws Error when the process ends before, or after a minute */
export function untilItWorks<Value>(child: ChildProcess, attempt: () => Promise<Value>): Promise<Value> {
  const giveUpMs = performance.now() + startTimeoutMs
  const tryAgain = async (): Promise<Value> => {
    try {
      return await attempt()
    } catch (error) {
      if (hasEnded(child) || performance.now() >= giveUpMs) throw error
      await sleep(2)
      return tryAgain()
    }
  }
  return unlessItEnds(child, tryAgain())
}

/** @throws Error when the process ends before */
async function unlessItEnds<Value>(child: ChildProcess, work: Promise<Value>): Promise<Value> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const onExit = () => reject(new Error('a process ended too early; its output is above'))
  child.once('exit', onExit)
  return Promise.race([work, ended]).finally(() => child.off('exit', onExit))
}

/** Sends a message to a process, and returns the one that comes back. @throws Error when the process ends before */
export function ask(child: ChildProcess, message: object | string): Promise<unknown> {
  child.send(message)
  return unlessItEnds(child, new Promise((resolve) => child.once('message', resolve)))
}

export async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null
