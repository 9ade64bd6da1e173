import { type Child, startChild } from './child.ts'
import { freePort } from './free-port.ts'
import { describeWith, provided } from './needs.ts'

/** A separate Redis server of a test, without data on a disk. */
export type RedisServer = {
  readonly url: string
  readonly port: number
  /** Makes it hang: it accepts connections, but does not respond. */
  pause(): void
  resume(): void
  kill(): Promise<void>
  /** Starts it again on the same port, empty. */
  start(): Promise<void>
}

/** A suite that needs Redis. */
export const describeRedis = (name: string, body: () => void): void => describeWith('redis', name, body)

/** Starts a server for one test, with command-line options; call it within `describeRedis`. */
export async function startRedis(...options: readonly string[]): Promise<RedisServer> {
  const { program } = provided('redis')
  const port = await freePort()
  let server: Child

  async function start(): Promise<void> {
    server = startChild(program, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', ...options])
    await server.until(/ready to accept connections/i)
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pause: () => void server.child.kill('SIGSTOP'),
    resume: () => void server.child.kill('SIGCONT'),
    kill: () => server.kill(),
    start,
  }
}
