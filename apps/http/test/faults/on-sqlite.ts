import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteStore } from '@auction/adapters/sqlite'
import type { StoreUnderTest } from './faults.ts'
import { type InjectedFault, killOne, otherServer } from './faults.ts'

/** A separate file. */
export async function onSqlite(): Promise<StoreUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'auction-faults-'))
  const file = join(folder, 'data', 'auctions.sqlite')
  const settings = { SQLITE_FILE: file }
  return {
    settings: [settings, settings],
    faults: [killOne, haltOne, killBoth, holdLock(file), backUp(file, folder)],
    open: () => openSqliteStore(file),
    stop: () => rm(folder, { recursive: true }),
  }
}

/** A process that is paused with the lock keeps the lock; requests to the other server then have an unknown outcome. */
const haltOne: InjectedFault = {
  name: 'the HTTP server is halted, with the lock or without it, and continues after auctions have ended',
  async inflict(scene, server) {
    const other = otherServer(scene, server)
    server.halt()
    await Promise.race([scene.clients.accepted(other, 3 * scene.clients.count), scene.clients.failed(other, 1)])
    server.goOn()
  },
}

const killBoth: InjectedFault = {
  name: 'both HTTP servers are killed at once and started again',
  async inflict({ servers }) {
    await Promise.all(servers.map((server) => server.kill()))
    await Promise.all(servers.map((server) => server.start()))
  },
}

const holdLock = (file: string): InjectedFault => ({
  name: 'another process holds the lock of the file until requests have failed',
  async inflict({ clients }, server) {
    const database = new DatabaseSync(file, { timeout: 10_000 })
    database.exec('BEGIN IMMEDIATE')
    await clients.failed(server, 1)
    database.close()
  },
})

const backUp = (file: string, folder: string): InjectedFault => ({
  name: 'the file is backed up, and the backup is in good order',
  async inflict() {
    const backup = join(folder, 'backup.sqlite')
    const database = new DatabaseSync(file, { readOnly: true })
    database.prepare('VACUUM INTO ?').run(backup)
    database.close()
    const copy = new DatabaseSync(backup, { readOnly: true })
    const check = copy.prepare('PRAGMA integrity_check').get()
    copy.close()
    await rm(backup)
    if (check?.['integrity_check'] !== 'ok') throw new Error(`the backup is damaged: ${check?.['integrity_check']}`)
  },
})
