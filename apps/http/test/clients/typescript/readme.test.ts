import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clientOf, openAuction } from '../../support/client.ts'
import { nodeVersions, startProgram } from '../../support/node-versions.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { tokenOf } from '../../support/tokens.ts'

const readme = readFileSync(join(import.meta.dirname, '../../../../../packages/client/README.md'), 'utf8')

/** What the README shows for a program. */
const printedBy = (name: string): string => readme.split(`<!-- prints: ${name} -->\n\`\`\`\n`)[1]?.split('```')[0] ?? ''

const run = ({ url }: TestServer, name: string, version: (typeof nodeVersions)[number]) =>
  startProgram(join(import.meta.dirname, `${name}.ts`), version, { AUCTIONS_URL: url, AUCTIONS_TOKEN: tokenOf('anna') })

describe.each(nodeVersions)('on Node.js %i', (version) => {
  test('the program of the README that bids prints what the README shows', async () => {
    const server = await startServer()
    await openAuction(server)
    const { exited, stdout } = await run(server, 'bid', version)
    expect(await exited()).toBe(0)
    expect(stdout()).toBe(printedBy('bid'))
  })

  test('the program of the README that follows prints what the README shows, until the auction is over', async () => {
    const server = await startServer()
    await openAuction(server, { endTime: '2030-01-31T13:00:00Z', cancellableUntilEnd: true })
    const { exited, until, stdout } = await run(server, 'follow', version)
    await until(/minutes left/)
    expect(stdout()).toBe(printedBy('follow'))
    await clientOf(server).cancelAuction()
    expect(await exited()).toBe(0)
  })
})
