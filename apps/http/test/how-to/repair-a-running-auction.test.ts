import { createAuctionClient } from '@auction/client'
import { test } from 'vitest'
import { describePostgresql } from '../../../../tools/vitest/postgresql.ts'
import { followPage, openShell, readPage } from '../support/page.ts'
import { startArguments, startServerProcess, temporaryFolder } from '../support/server-process.ts'
import { secret as JWT_SECRET, managing, tokenOf } from '../support/tokens.ts'

/** Runs the commands of the page next to a server on a store, as an operator does. */
async function repair(store: Readonly<Record<string, string>>): Promise<void> {
  const folder = temporaryFolder()
  const settings = { JWT_SECRET, ...store }
  const { url } = await startServerProcess(settings, { folder })
  const shell = openShell({ ...settings, AUCTIONS_URL: url })
  // The databases of the tests are not those of the page. Without npm, which checks the dependencies at each start.
  await shell.run(`cd '${folder}'
    unset MONGODB_URI ${'POSTGRESQL_URI' in store ? '' : 'POSTGRESQL_URI'}
    npx() { while [ "$1" != start ]; do shift; done; shift; node ${startArguments.join(' ')} "$@"; }`)
  await followPage(readPage('how-to/repair-a-running-auction.md'), shell, async ({ waits }) => {
    if (!waits) return
    const client = createAuctionClient({ baseUrl: url, token: tokenOf('operator', { permissions: [managing] }) })
    // Its events end with the result.
    for await (const _event of client.events(1));
  })
}

test('the page prints what its commands print, on SQLite', () => repair({}))

describePostgresql('the page', (database) => {
  test('prints what its commands print, on PostgreSQL', async () => repair({ POSTGRESQL_URI: await database() }))
})
