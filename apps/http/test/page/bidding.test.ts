import type { IncomingMessage, ServerResponse } from 'node:http'
import { startTcpProxy } from '@auction/testing/tcp-proxy'
import { expect, onTestFinished, test } from 'vitest'
import { longTest } from '../../../../tools/vitest/long-test.ts'
import { sampleOf } from '../../../../tools/vitest/size.ts'
import { describeBrowser, openProfile } from '../support/browser.ts'
import { openAuction } from '../support/client.ts'
import { serverOfFile, startServer, type TestServer } from '../support/server.ts'
import { appears, bid, confirm, openPage, shows } from './open-page.ts'

const server = await serverOfFile()
const { url } = server
/** Counts the streams that are open, and those that were. */
function streamsOf({ app }: TestServer) {
  const counts = { open: 0, all: 0 }
  app.server.on('request', ({ url: path = '' }: IncomingMessage, response: ServerResponse) => {
    if (!path.includes('Events')) return
    counts.open += 1
    counts.all += 1
    response.once('close', () => {
      counts.open -= 1
    })
  })
  return counts
}

describeBrowser('bidding on the page', () => {
  test('two clicks make one bid, even if its response is lost, and a refusal offers what would be accepted', async () => {
    const auction = await openAuction(server)
    const page = await openPage({ url, view: `#/auctions/${auction.id}` })
    await page.route(
      '**/api/Auctions/*/Bids',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Bid $100.00' }).dblclick()
    await shows(page, 'Your bid leads.')
    expect(await auction.bids()).toMatchObject([{ bidderId: 2, amount: 100 }])

    await auction.placeBid({ bidderId: 3, amount: 200 })
    await shows(page, 'Outbid')
    await bid(page, '150')
    await shows(page, 'The bid is too low. The next bid is at least $205.00.')
    await page.locator('.messages').getByRole('button', { name: 'Bid $205.00' }).click()
    await shows(page, 'You lead')
    expect(await auction.read()).toMatchObject({ bidCount: 3, currentPrice: 205, leaderId: 2 })
  })

  test('an amount of more than three increments above the minimum is sent only after a question', async () => {
    const auction = await openAuction(server, { maximumBidIncrement: 2_000 })
    const page = await openPage({ url, view: `#/auctions/${auction.id}` })
    await shows(page, '$2,100.00', '.panel')
    const question = page.locator('dialog.question[open]')
    const button = page.locator('form.bid').getByRole('button')
    await page.getByLabel('Your bid').fill('115.01')
    // The second click of two confirms nothing.
    await button.dblclick()
    await shows(page, 'You bid $115.01. The minimum is $100.00.', 'dialog')
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await auction.read()).toMatchObject({ bidCount: 0 })
    await bid(page, '5000')
    await shows(page, 'The bid is too high. The next bid is at most $2,100.00.')
    await page.getByLabel('Your bid').fill('115')
    await page.getByLabel('Maximum').fill('90000')
    await button.click()
    await shows(page, 'the service bids for you up to $90,000.00', 'dialog')
    await question.getByRole('button', { name: 'Yes, bid up to $90,000.00' }).click()
    await shows(page, 'You lead')
    expect(await auction.read()).toMatchObject({ bidCount: 1, currentPrice: 115, leaderId: 2 })
  })

  test('the main action of a leader raises the maximum, and another field the bid', async () => {
    const auction = await openAuction(server)
    const page = await openPage({ url, view: `#/auctions/${auction.id}` })
    await bid(page, '100')
    await shows(page, 'You lead')
    await page.getByRole('button', { name: 'Raise your maximum', exact: true }).click()
    // It is proposed before it is sent.
    await appears(page.getByRole('button', { name: 'Raise your maximum to $105.00' }))
    expect(await page.getByLabel('New maximum').inputValue()).toBe('105.00')
    await page.getByLabel('New maximum').fill('200')
    await page.getByRole('button', { name: 'Raise your maximum to $200.00' }).click()
    await confirm(page)
    await shows(page, 'Your maximum was raised.')
    expect(await auction.read()).toMatchObject({ bidCount: 1, currentPrice: 100 })
    await bid(page, '110', '300')
    await shows(page, 'Your bid leads.')
    expect(await auction.read()).toMatchObject({ bidCount: 2, currentPrice: 110 })
    await auction.placeBid({ bidderId: 3, amount: 250 })
    await shows(page, '$255.00', '.price.large')
  })

  test.each(sampleOf([390, 1200]))(
    'the button of a bid has the same place in all states of the last minute, at %i pixels',
    async (width) => {
      const softClose = { windowSeconds: 30, extensionSeconds: 50, latestEndTime: '2030-01-31T13:00:00Z' }
      const fields = { endTime: '2030-01-31T12:00:50Z', softClose, reservePrice: 115, buyNowPrice: 5_000 }
      const auction = await openAuction(server, fields)
      const profile = await openProfile({ viewport: { width, height: 844 } })
      const page = await openPage({ url, view: `#/auctions/${auction.id}`, profile })
      const button = page.locator('form.bid button')
      const boxes = new Set<string>()
      const note = async (text: string) => {
        await shows(page, text)
        boxes.add(JSON.stringify(await button.boundingBox()))
      }
      await note('No bids yet')
      await bid(page, '100')
      await note('You lead')
      await auction.placeBid({ bidderId: 3, amount: 110, maximumAmount: 1_000 })
      await note('You were outbid')
      await bid(page, '150')
      await note('another bidder’s maximum outbid it')
      server.clock.set('2030-01-31T12:00:30Z')
      await auction.placeBid({ bidderId: 4, amount: 900 })
      await note('Late bids moved the end')
      await page.locator('[name=amount]').fill('950.001')
      await note('USD has 2 decimals.')
      await page.locator('[name=amount]').fill('10')
      await note('The minimum is now')
      expect([...boxes]).toHaveLength(1)
    },
  )

  test('the amount does not change while a user is at the form', async () => {
    const auction = await openAuction(server)
    const page = await openPage({ url, view: `#/auctions/${auction.id}` })
    const field = page.getByLabel('Your bid')
    await auction.placeBid({ bidderId: 3, amount: 100 })
    await shows(page, 'Bid $105.00')
    await field.focus()
    await auction.placeBid({ bidderId: 4, amount: 105 })
    await shows(page, 'The minimum is now $110.00.')
    expect(await field.inputValue()).toBe('105.00')
    await page.getByRole('button', { name: 'Use this amount' }).click()
    await appears(page.getByRole('button', { name: 'Bid $110.00' }))
  })

  longTest('twelve tabs share one stream, and the next one takes it over', async () => {
    const own = await startServer()
    const auction = await openAuction(own)
    const profile = await openProfile()
    const streams = streamsOf(own)
    const view = `#/auctions/${auction.id}`
    const pages = [await openPage({ url: own.url, profile, view })]
    // They have the token from the first one.
    for (let tab = 2; tab <= 12; tab++) pages.push(await openPage({ url: own.url, profile, view, token: '' }))
    await auction.placeBid({ bidderId: 3, amount: 130 })
    for (const page of pages) await shows(page, '$130.00', '.price.large')
    await expect.poll(() => streams.open).toBe(1)

    await pages[0]?.close()
    await auction.placeBid({ bidderId: 4, amount: 140 })
    for (const page of pages.slice(1)) await shows(page, '$140.00', '.price.large')
    await expect.poll(() => streams.open).toBe(1)
  })

  test('a tab that was frozen or without a network shows what happened meanwhile', async () => {
    const auction = await openAuction(server)
    const profile = await openProfile()
    const page = await openPage({ url, profile, view: `#/auctions/${auction.id}` })
    await shows(page, '$100.00', '.price.large')
    const session = await profile.newCDPSession(page)
    await session.send('Page.setWebLifecycleState', { state: 'frozen' })
    await auction.placeBid({ bidderId: 3, amount: 110 })
    await session.send('Page.setWebLifecycleState', { state: 'active' })
    await shows(page, '$110.00', '.price.large')

    await profile.setOffline(true)
    await appears(page.locator('.page[data-stale]'))
    await shows(page, 'Connection lost.')
    await auction.placeBid({ bidderId: 4, amount: 120 })
    await profile.setOffline(false)
    await shows(page, '$120.00', '.price.large')
    await appears(page.locator('.page:not([data-stale])'))
  })

  longTest('a connection that stays open but sends nothing looks stale after 45 seconds, and is replaced', async () => {
    const own = await startServer()
    const auction = await openAuction(own)
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: own.port })
    onTestFinished(proxy.close)
    const streams = streamsOf(own)
    const profile = await openProfile()
    await profile.clock.install()
    const page = await openPage({ url: `http://127.0.0.1:${proxy.port}`, profile, view: `#/auctions/${auction.id}` })
    await expect.poll(() => streams.all).toBe(1)
    await auction.placeBid({ bidderId: 3, amount: 100 })
    await shows(page, '1 bid', '.marks')

    proxy.hang()
    await auction.placeBid({ bidderId: 4, amount: 120 })
    await page.clock.fastForward(46_000)
    await appears(page.locator('.page[data-stale]'))
    await shows(page, '$100.00', '.price.large')
    await page.clock.fastForward(10_000)
    proxy.restore()
    await shows(page, '$120.00', '.price.large')
    await appears(page.locator('.page:not([data-stale])'))
    await appears(page.locator('tbody tr:nth-child(2)'))
    expect(streams.all).toBeGreaterThan(1)
  })
})
