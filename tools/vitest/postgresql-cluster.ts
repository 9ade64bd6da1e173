import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Client } from 'pg'
import { type Child, runChild, startChild } from './child.ts'
import { freePort } from './free-port.ts'

/** A separate PostgreSQL server, which keeps acknowledged writes when it is killed. */
export type PostgresqlCluster = {
  /** A connection string of the superuser, with a password. */
  readonly uri: string
  readonly port: number
  /** The folder of its files. */
  readonly data: string
  /** Kills all its processes at once, like a crash of the machine. */
  kill(): Promise<void>
  /** Starts it again; resolves when it responds. */
  start(): Promise<void>
  /** Kills it, and removes its files. */
  stop(): Promise<void>
}

/** The folder of `initdb` and `postgres`, if installed. Debian has one folder for each version, none of them in `PATH`. */
export function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ]
  return folders.find((folder) => spawnSync(join(folder, 'initdb'), ['--version']).status === 0)
}

/** Creates and starts a cluster. @param programs from `findPrograms` */
export async function startCluster(programs: string): Promise<PostgresqlCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'auction-postgresql-'))
  const password = randomBytes(12).toString('base64url')
  const user = unprivilegedUser()
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password)
  if (user !== undefined) for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid)
  const data = join(folder, 'data')
  const env = { PATH: process.env['PATH'], LC_ALL: 'C' }
  await runChild(
    join(programs, 'initdb'),
    [
      ...['--pgdata', data, '--username', 'tests', '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
      ...['--encoding', 'UTF8', '--no-sync'],
    ],
    { ...user, env, cwd: folder },
  )
  const port = await freePort()
  const uri = `postgresql://tests:${password}@127.0.0.1:${port}/postgres`
  const options = [
    '-D',
    data,
    '-p',
    String(port),
    '-k',
    '',
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'fsync=on',
    '-c',
    'log_min_messages=fatal',
    // In the folder of its files, where nothing is left of a server that was killed.
    '-c',
    'dynamic_shared_memory_type=mmap',
  ]
  let server: Child

  async function start(): Promise<void> {
    server = startChild(join(programs, 'postgres'), options, { ...user, env, cwd: folder })
    while (!(await responses(uri))) {
      if (server.child.exitCode !== null) throw new Error(`postgres ended: ${server.stderr()}`)
    }
  }

  async function kill(): Promise<void> {
    const { pid } = server.child
    // Its processes have separate groups, and would continue for a while. It is stopped first, so that it starts no others.
    server.child.kill('SIGSTOP')
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
    for (const child of children.split(' ').filter((text) => text !== '')) process.kill(Number(child), 'SIGKILL')
    await server.kill()
  }

  await start()
  return {
    uri,
    port,
    data,
    start,
    kill,
    async stop() {
      await kill()
      await rm(folder, { recursive: true })
    },
  }
}

/** PostgreSQL and PgBouncer refuse to run as root. Debian's packages create the user `postgres`. */
export function unprivilegedUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number.parseInt(spawnSync('id', [flag, 'postgres']).stdout.toString(), 10)
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function responses(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    return true
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 50))
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
