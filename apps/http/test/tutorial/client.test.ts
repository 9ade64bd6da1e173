import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runChild } from '../../../../tools/vitest/child.ts'
import { followPage, readPage } from '../support/page.ts'
import { startServer } from '../support/server.ts'
import { startServerProcess } from '../support/server-process.ts'
import { openShell } from '../support/shell.ts'
import { tokenOf } from '../support/tokens.ts'

const page = readPage('tutorial/call-the-api.md')
const client = join(import.meta.dirname, 'client.ts')

test('the client of the tutorial prints what the page says, on a server that is new', async () => {
  const { url, until } = await startServerProcess({ STORE: 'memory' })
  const [, token] = await until(/^ *TOKEN=(\S+)\n/m)
  const printed = await runChild(process.execPath, [client], {
    env: { AUCTIONS_URL: url, AUCTIONS_TOKEN: token },
  })
  expect(printed.stdout).toBe(/<!-- prints -->\n```\n(?<text>[\s\S]*?)```/.exec(page)?.groups?.['text'])
})

test('the duel of the tutorial goes as the page says, behind its client', async () => {
  const { url, clock, service } = await startServer()
  const variables = { AUCTIONS_URL: url, AUCTIONS_TOKEN: tokenOf('anna') }
  clock.set(new Date().toISOString())
  await runChild(process.execPath, [client], { env: variables })
  // Times on the page are of the shell's clock. Whoever follows it needs some seconds for each step, and waits where it says so.
  let aheadMs = 0
  await followPage(page, openShell(variables), async ({ waits }) => {
    aheadMs += waits ? 125_000 : 5_000
    clock.set(new Date(Date.now() + aheadMs).toISOString())
    await service.closeDue()
  })
})
