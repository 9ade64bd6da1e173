import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startServerProcess } from '../support/server-process.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/tutorial/call-the-api.md'), 'utf8')

test('the client of the tutorial prints what the page says, on a server that is new', async () => {
  const { url, until, stdout } = await startServerProcess({ STORE: 'memory' })
  await until(/Bearer (?<token>\S+)'/)
  const token = /Bearer (?<token>\S+)'/.exec(stdout())?.groups?.['token']
  const printed = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'client.ts')], {
    env: { AUCTIONS_URL: url, AUCTIONS_TOKEN: token },
  })
  expect(printed.stdout).toBe(/<!-- prints -->\n```\n(?<text>[\s\S]*?)```/.exec(page)?.groups?.['text'])
})
