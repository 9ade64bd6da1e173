import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../measure/free-port.ts'
import { onCore } from './cores.ts'
import type { Memory, Question, Usage } from './report-usage.ts'

export type ServerProcess = {
  readonly origin: string
  /** What the process used since it was last asked. */
  usage(): Promise<Usage>
  /** What it holds after a collection. */
  memory(): Promise<Memory>
  stop(): Promise<void>
}

const startTimeoutMs = 20_000
const stopTimeoutMs = 10_000

/** Starts a server in a process of its own, on a core of its own, with its log going to the null device, and waits until it answers. */
export async function startServer(
  script: string,
  environment: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const port = await freePort()
  const node = ['--conditions=@auction/source', '--import', import.meta.resolve('./report-usage.ts')]
  const [execPath, ...execArgv] = onCore('server', process.execPath, node)
  const child = fork(script, [], {
    execPath,
    execArgv,
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
  return {
    origin,
    // What report-usage.ts answers to each of the questions, and nothing else does.
    usage: async () => (await ask(child, 'usage')) as Usage,
    memory: async () => (await ask(child, 'memory')) as Memory,
    stop: () => stop(child),
  }
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

async function ask(child: ChildProcess, question: Question): Promise<unknown> {
  const answered = once(child, 'message')
  child.send(question)
  const [answer] = await answered
  return answer
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
