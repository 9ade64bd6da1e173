import { randomUUID } from 'node:crypto'
import { connectionFaults, proxyHooks, proxyStore } from '@auction/testing/proxied-store'
import type { ReusableSubject } from '@auction/testing/reused-subjects'
import { startServer, type TestServer } from '@auction/testing/server'
import { sqlHooks } from '@auction/testing/sql-subject'
import type { StoreContractOptions } from '@auction/testing/store-contract'
import { type Connection, createConnection } from 'mariadb'
import { connectMariadbStore } from './mariadb-store.ts'

export const options: StoreContractOptions = { faults: connectionFaults }

/** Starts a server on an empty folder. It has no accounts, and accepts any user. */
export async function startMariadb(command: string, parent?: string): Promise<TestServer> {
  const server = await startServer({
    command,
    parameters: ({ port, folder }) => [
      ...['--no-defaults', `--datadir=${folder}`, `--port=${port}`, '--bind-address=127.0.0.1', '--skip-grant-tables'],
      ...[`--socket=${folder}/socket`, `--pid-file=${folder}/pid`, '--innodb-buffer-pool-size=64M'],
      ...['--innodb-log-file-size=32M', '--max-connections=500', ...(process.getuid?.() === 0 ? ['--user=root'] : [])],
    ],
    ready: /ready for connections/,
    ...(parent !== undefined && { parent }),
  })
  // The first start creates the files, and its end completes them: until then, a killed server does not start again.
  await server.end()
  await server.start()
  return server
}

export const connectTo = ({ port }: TestServer): Promise<Connection> =>
  createConnection({ host: '127.0.0.1', port, user: 'tests' })

/** The URI of a new, empty database. */
export async function createDatabase(server: TestServer): Promise<string> {
  const session = await connectTo(server)
  const name = `auctions_${randomUUID().replaceAll('-', '')}`
  await session.query(`CREATE DATABASE ${name}`)
  await session.end()
  return `mariadb://tests@127.0.0.1:${server.port}/${name}`
}

/** A query, except those that set up a connection. The fifth byte of a message is its kind. */
const isStatement = (message: string) => message[4] === '\x03' && !/^set /i.test(message.slice(5))

/** A store in an empty database, with a separate connection to it. */
export async function makeSubject(server: TestServer) {
  const uri = new URL(await createDatabase(server))
  const session = await connectTo(server)
  const name = uri.pathname.slice(1)
  await session.query(`USE ${name}`)
  const proxied = await proxyStore({
    uri,
    defaultPort: 3306,
    connect: connectMariadbStore,
    drop: () => session.query(`DROP DATABASE ${name}`),
  })
  return {
    session,
    store: proxied.store,
    ...proxyHooks(proxied, isStatement),
    ...sqlHooks((statement) => session.query(statement)),
    async otherFormat() {
      await session.query('UPDATE format SET version = 99')
      return '99'
    },
    async close() {
      await proxied.close()
      await session.end()
    },
  } satisfies ReusableSubject & { readonly session: Connection }
}
