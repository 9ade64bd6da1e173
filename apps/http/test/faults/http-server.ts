import { fileURLToPath } from 'node:url'
import { type Child, startChild } from '../../../../tools/vitest/child.ts'
import { freePort } from '../../../../tools/vitest/free-port.ts'
import { secret } from '../support/tokens.ts'

export type Settings = Readonly<Record<string, string>>

/** A process of the HTTP server, which the test may kill and restart on the same port. */
export type HttpServer = {
  readonly url: string
  kill(): Promise<void>
  start(): Promise<void>
  /** Pauses the process until `goOn`; work in progress continues then. */
  halt(): void
  goOn(): void
  /** Interrupts it, and returns its exit code. */
  stop(): Promise<number | null>
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** Starts a process with the settings of its store. */
export async function startHttpServer(settings: Settings): Promise<HttpServer> {
  const port = await freePort()
  let server: Child

  async function start(): Promise<void> {
    server = startChild(process.execPath, ['--conditions=@auction/source', main], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        PORT: String(port),
        ...settings,
        JWT_SECRET: secret,
        RATE_LIMIT_MAX: '1000000',
      },
    })
    await server.until(/"msg":"listening/)
  }

  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    start,
    kill: () => server.kill(),
    async stop() {
      server.child.kill('SIGINT')
      return await server.exited()
    },
    halt: () => void server.child.kill('SIGSTOP'),
    goOn: () => void server.child.kill('SIGCONT'),
  }
}
