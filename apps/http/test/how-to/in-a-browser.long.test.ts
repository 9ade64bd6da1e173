import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { bundleClient } from '../../../../tools/client/bundle.ts'
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

/** A page of the server that has loaded the client as `auctions`. What it shows is in `seen`. */
async function openPage(url: string): Promise<Page> {
  const page = await (await openProfile()).newPage()
  await page.goto(`${url}/livez`)
  const module = `data:text/javascript,${encodeURIComponent(await bundleClient())}`
  await page.evaluate(`
    globalThis.seen = []
    import(${JSON.stringify(module)}).then((loaded) => (globalThis.auctions = loaded))
  `)
  return page
}

const seenIn = (page: Page) => page.evaluate('seen')

describeBrowser('a page that follows auctions by the client while the server is killed and starts again', () => {
  test('gets each event once and in order', async () => {
    const server = await startAgainAndAgain()
    const token = newCaller()
    const { id, placeBid } = await openAuction(server, runningNow(), token)
    const page = await openPage(server.url)
    await page.evaluate(`
      globalThis.client = auctions.createAuctionClient({ baseUrl: '/', token: '${token}' })
      globalThis.following = (async () => {
        for await (const { type, sequence } of client.events(${id})) seen.push([type, sequence])
      })()
      undefined
    `)
    await expect.poll(() => seenIn(page)).toEqual([['snapshot', 0]])
    await placeBid()
    await expect.poll(() => seenIn(page)).toHaveLength(2)
    await server.kill()
    // Sent while no server is there.
    await page.evaluate(
      `globalThis.placing = client.placeBid({ auctionId: ${id}, bidderId: 3, amount: 110 })\nundefined`,
    )
    await server.start()
    expect(await page.evaluate('placing.then(({ ok }) => ok)')).toBe(true)
    const client = clientOf(server, token, id)
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

  test('gets the newest states without a token, until all auctions are over', async () => {
    const server = await startAgainAndAgain()
    const token = newCaller()
    const { id } = await openAuction(server, runningNow(), token)
    const page = await openPage(server.url)
    await page.evaluate(`
      globalThis.following = (async () => {
        for await (const { sequence, auction } of auctions.createAuctionClient({ baseUrl: '.' }).follow([${id}])) {
          seen.push([sequence, auction.status])
        }
      })()
      undefined
    `)
    await expect.poll(() => seenIn(page)).toEqual([[0, 'Active']])
    await server.kill()
    await server.start()
    const client = clientOf(server, token, id)
    await client.placeBid({ amount: 100 })
    await expect.poll(() => seenIn(page)).toContainEqual([1, 'Active'])
    await client.cancelAuction()
    await page.evaluate('following')
    expect(await seenIn(page)).toContainEqual([2, 'Cancelled'])
  })
})
