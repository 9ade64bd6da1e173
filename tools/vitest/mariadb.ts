import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Connection, createConnection } from 'mariadb'
import { afterAll, beforeAll } from 'vitest'
import { startChild } from './child.ts'
import { freePort } from './free-port.ts'
import { describeWith, provided } from './needs.ts'

/**
 * A suite that needs MariaDB, with a separate server, which ends after it.
 * @param body declares the tests; `server` returns a connection string without a database, only in tests and hooks
 */
export function describeMariadb(name: string, body: (server: () => string) => void): void {
  describeWith('mariadb', name, () => {
    let own: Awaited<ReturnType<typeof startServer>>
    beforeAll(async () => {
      own = await startServer()
    })
    afterAll(() => own.stop())
    body(() => own.uri)
  })
}

/** Connects to a server, without a database. */
export function connectToMariadb(uri: string): Promise<Connection> {
  const { hostname, port } = new URL(uri)
  return createConnection({ host: hostname, port: Number(port), user: 'tests' })
}

/** Starts a server on an empty folder. It has no accounts, and accepts any user. */
async function startServer() {
  const { program } = provided('mariadb')
  const folder = await mkdtemp(join(tmpdir(), 'auction-mariadb-'))
  const port = await freePort()
  const user = process.getuid?.() === 0 ? ['--user=root'] : []
  const options = [
    ...['--no-defaults', ...user, `--datadir=${folder}`, '--skip-grant-tables', '--bind-address=127.0.0.1'],
    ...[`--port=${port}`, `--socket=${join(folder, 'socket')}`, `--pid-file=${join(folder, 'pid')}`],
    ...['--innodb-buffer-pool-size=64M', '--innodb-log-file-size=32M', '--max-connections=500'],
  ]
  // It logs to its standard error.
  const server = startChild('sh', ['-c', 'exec "$@" 2>&1', 'sh', program, ...options])
  await server.until(/ready for connections/)
  return {
    uri: `mariadb://tests@127.0.0.1:${port}/`,
    async stop() {
      await server.kill()
      await rm(folder, { recursive: true })
    },
  }
}
