import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { longTest } from '../../../../tools/vitest/long-test.ts'
import { describeBrowser, openProfile } from '../support/browser.ts'
import { clientOf, newCaller, openAuction, runningNow } from '../support/client.ts'
import { startServerProcess, temporaryFolder } from '../support/server-process.ts'
import { secret } from '../support/tokens.ts'

/** A server that everybody may read, which can be killed and started again at the same address. */
async function startAgainAndAgain() {
  const environment = { JWT_SECRET: secret, SQLITE_FILE: 'auctions.sqlite', ANONYMOUS_READS: 'on' }
  const folder = temporaryFolder()
  let running = await startServerProcess(environment, { folder })
  const { url } = running
  const { port } = new URL(url)
  return {
    url,
    kill: () => running.kill(),
    async start() {
      running = await startServerProcess({ ...environment, PORT: port }, { folder })
    },
  }
}

/** A page of the server, in which a script of the how-to runs. What it shows is in `seen`. */
async function openPage(url: string, script: string): Promise<Page> {
  const page = await (await openProfile()).newPage()
  await page.goto(`${url}/livez`)
  const source = readFileSync(join(import.meta.dirname, 'scripts', script), 'utf8')
  await page.evaluate(`globalThis.seen = []; ${source.replace('export ', '')}`)
  return page
}

const seenIn = (page: Page) => page.evaluate('seen')

describeBrowser('a page that follows auctions while the server is killed and starts again', () => {
  test('gets each event once and in order, by fetch', async () => {
    const server = await startAgainAndAgain()
    const token = newCaller()
    const { id, placeBid } = await openAuction(server, runningNow(), token)
    const page = await openPage(server.url, 'follow-auction.js')
    await page.evaluate(`
      const note = (event, { sequence }) => seen.push([event, sequence])
      globalThis.following = followAuction('/api/Auctions/${id}/Events', '${token}', note)
      undefined
    `)
    await expect.poll(() => seenIn(page)).toEqual([['snapshot', 0]])
    await placeBid()
    await expect.poll(() => seenIn(page)).toHaveLength(2)
    await server.kill()
    await server.start()
    const client = clientOf(server, token, id)
    await client.placeBid({ bidderId: 3, amount: 110 })
    await client.placeBid({ bidderId: 2, amount: 120 })
    await client.cancelAuction()
    await page.evaluate('following')
    expect(await seenIn(page)).toEqual([
      ['snapshot', 0],
      ['bid', 1],
      ['bid', 2],
      ['bid', 3],
      ['ended', 4],
    ])
  })

  longTest('gets the newest states, by EventSource, until all auctions are over', async () => {
    const server = await startAgainAndAgain()
    const token = newCaller()
    const { id } = await openAuction(server, runningNow(), token)
    const page = await openPage(server.url, 'show-auctions.js')
    await page.evaluate(`
      showAuctions('/api/Auctions/Events?ids=${id}', ({ sequence, auction }) => seen.push([sequence, auction.status]))
    `)
    await expect.poll(() => seenIn(page)).toEqual([[0, 'Active']])
    await server.kill()
    await server.start()
    const client = clientOf(server, token, id)
    await client.placeBid({ amount: 100 })
    await expect.poll(() => seenIn(page), { timeout: 30_000 }).toContainEqual([1, 'Active'])
    await client.cancelAuction()
    await expect.poll(() => seenIn(page), { timeout: 30_000 }).toContainEqual([2, 'Cancelled'])
  })
})
