import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeVersions, startProgram } from '../support/node-versions.ts'
import { followPage, openShell, readPage } from '../support/page.ts'
import { startServer } from '../support/server.ts'
import { startServerProcess } from '../support/server-process.ts'
import { tokenOf } from '../support/tokens.ts'

const page = readPage('tutorial/call-the-api.md')
const program = join(import.meta.dirname, 'bot.ts')

test.each(nodeVersions)(
  'the bot of the tutorial prints the output on the page, with a new server and Node.js %i',
  async (version) => {
    const { url, until } = await startServerProcess({ STORE: 'memory' })
    const [, token] = await until(/^ *TOKEN=(\S+)\n/m)
    const { exited, stdout } = await startProgram(program, version, { AUCTIONS_URL: url, AUCTIONS_TOKEN: token })
    expect(await exited()).toBe(0)
    expect(stdout()).toBe(/<!-- prints -->\n```\n(?<text>[\s\S]*?)```/.exec(page)?.groups?.['text'])
  },
)

test('the duel of the tutorial prints the output on the page, after its bot', async () => {
  const { url, clock, service } = await startServer()
  const variables = { AUCTIONS_URL: url, AUCTIONS_TOKEN: tokenOf('anna') }
  clock.set(new Date().toISOString())
  const bot = await startProgram(program, 26, variables)
  await bot.until(/bids \$115/)
  let aheadMs = 15_000
  clock.advance(aheadMs)
  await service.closeDue()
  await bot.exited()
  // The page has times of the shell's clock. A reader needs seconds for each step, and waits where the page says to wait.
  await followPage(page, openShell(variables), async ({ waits }) => {
    aheadMs += waits ? 125_000 : 5_000
    clock.set(new Date(Date.now() + aheadMs).toISOString())
    await service.closeDue()
  })
})
