import { createAuctionClient } from '@auction/client'
import { test } from 'vitest'
import { followPage, openShell, readPage } from '../support/page.ts'
import { startArguments, startServerProcess, temporaryFolder } from '../support/server-process.ts'
import { secret as JWT_SECRET, managing, tokenOf } from '../support/tokens.ts'

// The commands run next to a server, as an operator runs them.
test('the page prints what its commands print', async () => {
  const folder = temporaryFolder()
  const { url } = await startServerProcess({ JWT_SECRET }, { folder })
  const shell = openShell({ JWT_SECRET, AUCTIONS_URL: url })
  // The databases of the tests are not those of the page. Without npm, which checks the dependencies at each start.
  await shell.run(`cd '${folder}'
    unset MONGODB_URI POSTGRESQL_URI
    npx() { while [ "$1" != start ]; do shift; done; shift; node ${startArguments.join(' ')} "$@"; }`)
  await followPage(readPage('how-to/repair-a-running-auction.md'), shell, async ({ waits }) => {
    if (!waits) return
    const client = createAuctionClient({ baseUrl: url, token: tokenOf('operator', { permissions: [managing] }) })
    // Its events end with the result.
    for await (const _event of client.events(1));
  })
})
