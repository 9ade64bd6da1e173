import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '@auction/adapters/sqlite'

/** An example of a module for `faults --store`: a store in a separate file, whose server does nothing. */
export const openStore = () => openSqliteStore(process.env['MY_STORE_FILE'] ?? '')

export async function startServer() {
  const folder = await mkdtemp(join(tmpdir(), 'my-store-'))
  return {
    settings: { MY_STORE_FILE: join(folder, 'auctions.sqlite') },
    kill: async () => undefined,
    start: async () => undefined,
    stop: () => rm(folder, { recursive: true }),
  }
}
