import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { secret } from '../support/tokens.ts'
import { freePort } from './database-server.ts'
import type { Settings } from './store-under-test.ts'

/** A process of the HTTP server, which the test may kill and start again on the same port. */
export type HttpServer = {
  readonly url: string
  kill(): Promise<void>
  start(): Promise<void>
  /** Nothing of it runs until it may go on, with all that it had begun. */
  halt(): void
  goOn(): void
  /** Interrupts it, and answers its exit code. */
  stop(): Promise<number | null>
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** Starts one with the settings of its store. */
export async function startHttpServer(settings: Settings): Promise<HttpServer> {
  const port = await freePort()
  let child: ChildProcess

  async function start(): Promise<void> {
    child = spawn(process.execPath, ['--conditions=@auction/source', main], {
      env: {
        PATH: process.env['PATH'],
        PORT: String(port),
        ...settings,
        JWT_SECRET: secret,
        RATE_LIMIT_MAX: '1000000',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit').then(() => true)
    let log = ''
    child.stdout?.on('data', (chunk) => {
      log += chunk
    })
    while (!log.includes('"msg":"listening')) {
      const hasEnded = await Promise.race([once(child.stdout ?? child, 'data').then(() => false), ended])
      if (hasEnded) throw new Error(`the server did not start: ${log}`)
    }
    child.stdout?.removeAllListeners('data').resume()
  }

  async function end(signal: 'SIGKILL' | 'SIGINT'): Promise<number | null> {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
    return child.exitCode
  }

  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    start,
    async kill() {
      await end('SIGKILL')
    },
    stop: () => end('SIGINT'),
    halt: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
  }
}
