import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../measure/free-port.ts'
import type { Usage } from './report-usage.ts'

export type ServerProcess = {
  readonly origin: string
  /** What the process used since it was last asked. */
  usage(): Promise<Usage>
  stop(): Promise<void>
}

const startTimeoutMs = 20_000
const stopTimeoutMs = 10_000

/** Starts a server in a process of its own, with its log going to the null device, and waits until it answers. */
export async function startServer(
  script: string,
  environment: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const port = await freePort()
  const child = fork(script, [], {
    execArgv: ['--conditions=@auction/source', '--import', import.meta.resolve('./report-usage.ts')],
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const origin = `http://127.0.0.1:${port}`
  try {
    await untilItAnswers(origin, child)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return { origin, usage: () => usageOf(child), stop: () => stop(child) }
}

async function untilItAnswers(origin: string, child: ChildProcess): Promise<void> {
  const giveUpMs = performance.now() + startTimeoutMs
  while (performance.now() < giveUpMs) {
    if (hasEnded(child)) throw new Error('a server ended before it served; its own words are above')
    try {
      await (await fetch(origin)).text()
      return
    } catch {
      await sleep(50)
    }
  }
  throw new Error(`a server did not answer within ${startTimeoutMs} ms`)
}

async function usageOf(child: ChildProcess): Promise<Usage> {
  const reported = once(child, 'message')
  child.send('usage')
  const [usage] = await reported
  return usage as Usage // What report-usage.ts sends, and nothing else does.
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  const impatience = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
  child.kill('SIGTERM')
  await ended
  clearTimeout(impatience)
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null
