import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { type Child, startChild } from '../../../../tools/vitest/child.ts'
import { freePort } from '../../../../tools/vitest/free-port.ts'

/** A separate database server, which the test may kill and restart on the same files. */
export type DatabaseServer = {
  readonly port: number
  kill(): Promise<void>
  /** Restarts it; resolves when it responds. */
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts the server of `MONGODB_SERVER_COMMAND`, a shell command that runs in the foreground with its files in the
 * folder `$DATA`, on 127.0.0.1 and the port `$PORT`, such as `exec mongod --dbpath "$DATA" --port "$PORT"`.
 */
export async function startDatabase(command: string): Promise<DatabaseServer> {
  const folder = await mkdtemp(join(tmpdir(), 'auction-database-'))
  const port = await freePort()
  let server: Child

  async function start(): Promise<void> {
    server = startChild('sh', ['-c', command], { env: { ...process.env, DATA: folder, PORT: String(port) } })
    const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
      serverSelectionTimeoutMS: 60_000,
    })
    try {
      await client.db('admin').command({ ping: 1 })
    } finally {
      await client.close()
    }
  }

  await start()
  return {
    port,
    start,
    kill: () => server.kill(),
    async stop() {
      await server.kill()
      await rm(folder, { recursive: true })
    },
  }
}
