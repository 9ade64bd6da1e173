import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeVersions, startProgram } from '../support/node-versions.ts'
import { readPage } from '../support/page.ts'
import { startServer } from '../support/server.ts'
import { tokenOf } from '../support/tokens.ts'

const page = readPage('tutorial/call-the-api.md')
const program = join(import.meta.dirname, 'bot.ts')

test.each(nodeVersions)('the bot of the tutorial prints the output on the page, with Node.js %i', async (version) => {
  const { url, clock, service } = await startServer()
  clock.set(new Date().toISOString())
  const bot = await startProgram(program, version, { AUCTIONS_URL: url, AUCTIONS_TOKEN: tokenOf('anna') })
  await bot.until(/bids \$115/)
  // The bot took the end from its own clock, which ran while npx fetched Node.js.
  clock.set(new Date(Date.now() + 15_000).toISOString())
  await service.closeDue()
  expect(await bot.exited()).toBe(0)
  expect(bot.stdout()).toBe(/<!-- prints -->\n```\n(?<text>[\s\S]*?)```/.exec(page)?.groups?.['text'])
})
