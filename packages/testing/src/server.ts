import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild } from './child.ts'
import { freePort } from './free-port.ts'

export type ServerOptions = {
  /** The program: a path, or a name in `PATH`. */
  readonly command: string
  /** Its arguments, given its port of 127.0.0.1 and its folder, which is empty. It must not move to the background. */
  readonly parameters: (server: { readonly port: number; readonly folder: string }) => readonly string[]
  /** What it writes to its standard output or error when it accepts connections. */
  readonly ready: RegExp
  /** Where its folder is. Default: the system's folder of temporary files, which may be in memory. */
  readonly parent?: string
}

/** A server that a test may kill and start again. */
export type TestServer = {
  readonly port: number
  /** The folder of its data. */
  readonly folder: string
  /** Kills it and its children by SIGKILL, and waits for their end. */
  kill(): Promise<void>
  /** Asks it to end by SIGTERM, and waits for its end. */
  end(): Promise<void>
  /** Starts it again on its data; resolves when it accepts connections. */
  start(): Promise<void>
  /** Kills it, and removes its data. */
  stop(): Promise<void>
}

/**
 * Starts the server of a database. It ends with this process at the latest.
 * @throws Error with its output if it ends before it is ready
 */
export async function startServer({ command, parameters, ready, parent }: ServerOptions): Promise<TestServer> {
  const folder = await mkdtemp(join(parent ?? tmpdir(), 'auction-server-'))
  const port = await freePort()
  const args = parameters({ port, folder })
  let child: Child
  async function start(): Promise<void> {
    child = startChild('sh', ['-c', 'exec "$@" 2>&1', 'sh', command, ...args])
    await child.until(ready)
  }
  async function stop(): Promise<void> {
    await child.kill()
    await rm(folder, { recursive: true })
  }
  async function end(): Promise<void> {
    child.child.kill('SIGTERM')
    await child.exited()
  }
  try {
    await start()
  } catch (error) {
    await stop()
    throw error
  }
  return { port, folder, start, end, kill: () => child.kill(), stop }
}
