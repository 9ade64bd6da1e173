import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { freePort } from '../measure/free-port.ts'

export type StartedServer = { readonly uri: string; stop(): Promise<void> }

const startTimeoutMs = 60_000

/**
 * Starts a server by a shell command that serves in the foreground, with its files in the folder `$DATA`, on 127.0.0.1 and the port
 * `$PORT`, such as `exec mongod --dbpath "$DATA" --port "$PORT"`. Returns when it answers.
 */
export async function startServerByCommand(command: string): Promise<StartedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'auction-bench-'))
  const port = await freePort()
  const environment = { ...process.env, DATA: folder, PORT: String(port) }
  const server = spawn('sh', ['-c', command], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null
  async function stop(): Promise<void> {
    if (!hasEnded()) {
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  }

  const uri = `mongodb://127.0.0.1:${port}/?directConnection=true`
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: startTimeoutMs })
  try {
    await client.db('admin').command({ ping: 1 })
  } catch (error) {
    await stop()
    throw error
  } finally {
    await client.close()
  }
  return { uri, stop }
}
