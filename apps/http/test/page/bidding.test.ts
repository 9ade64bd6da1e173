import type { IncomingMessage, ServerResponse } from 'node:http'
import { startTcpProxy } from '@auction/testing/tcp-proxy'
import type { Route } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { longTest } from '../../../../tools/vitest/long-test.ts'
import { describeBrowser, hangMs, openProfile } from '../support/browser.ts'
import { newCaller, openAuction } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { startServerProcess, temporaryFolder } from '../support/server-process.ts'
import { secret } from '../support/tokens.ts'
import { bid, confirm, goTo, openPage, shows } from './open-page.ts'

const timeout = 2 * hangMs
const pseudonymous = {
  PSEUDONYM_SECRET: 'a secret for pseudonyms that only the tests know',
  JWT_SUBJECT_CLAIM: 'uid',
}
const soon = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

describeBrowser('bidding on the page', () => {
  test('two browsers duel to the end, and see the same', { timeout }, async () => {
    const server = await startServer()
    const { url } = server
    const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime: '2030-01-31T13:00:00Z' }
    const { id } = await openAuction(server, { endTime: '2030-01-31T12:00:30Z', softClose })
    const view = `#/auctions/${id}`
    const ann = await openPage({ url, view, user: 2 })
    const bob = await openPage({ url, view, user: 3 })
    await bid(ann, '100', '200')
    await shows(ann, 'Your bid leads.')
    await bid(bob, '150')
    await shows(bob, 'another bidder’s maximum outbid it')
    await shows(bob, 'Outbid')
    await bid(bob, '250')
    await shows(bob, 'You lead')
    await shows(ann, 'Outbid')
    await shows(ann, /^Late bids moved the end from/)
    for (const page of [ann, bob]) {
      await shows(page, '$250.00', '.price.large')
      await shows(page, /^4 bids/, '.marks')
    }
    server.clock.set('2030-01-31T12:05:00Z')
    await shows(bob, 'Sold to you for $250.00')
    await shows(bob, 'To pay: $250.00')
    await shows(ann, 'Sold to User 3 for $250.00')
    for (const page of [ann, bob]) {
      // The page reads the bids again after each event.
      await page.locator('tbody tr:nth-child(4)').waitFor()
      const rows = await page.locator('tbody tr td:first-child').allTextContents()
      expect(rows).toEqual(['$250.00', '$155.00', '$150.00', '$100.00'])
    }
    expect([...ann.troubles, ...bob.troubles]).toEqual([])
  })

  test('a bid counts once while the server is killed before it answers, and the page recovers', {
    timeout,
  }, async () => {
    const environment = { JWT_SECRET: secret, SQLITE_FILE: 'auctions.sqlite' }
    const folder = temporaryFolder()
    const first = await startServerProcess(environment, { folder })
    const auction = await openAuction(first, { startTime: soon(-60), endTime: soon(3_600) })
    const page = await openPage({ url: first.url, view: `#/auctions/${auction.id}` })
    const lose = async (route: Route) => {
      await route.fetch()
      await first.kill()
      await route.abort()
    }
    await page.route('**/api/Auctions/*/Bids', lose, { times: 1 })
    await bid(page, '100')
    await shows(page, 'No response yet. Sending it again; it counts only once.')
    await shows(page, 'Connection lost.', '.page')
    await page.locator('.page[data-stale]').waitFor()

    const { port } = new URL(first.url)
    await startServerProcess({ ...environment, PORT: port }, { folder })
    await shows(page, 'Your bid leads.')
    await page.locator('.page:not([data-stale])').waitFor()
    expect(await auction.bids()).toMatchObject([{ bidderId: 2, amount: 100 }])
    await auction.placeBid({ bidderId: 3, amount: 120 })
    await shows(page, 'Outbid')
    expect(page.troubles).toEqual([])
  })

  test('two clicks make one bid, and a refusal offers what would be accepted', { timeout }, async () => {
    const server = await startServer()
    const auction = await openAuction(server)
    const page = await openPage({ url: server.url, view: `#/auctions/${auction.id}` })
    await page.getByRole('button', { name: 'Bid $100.00' }).dblclick()
    await shows(page, 'Your bid leads.')
    expect(await auction.bids()).toMatchObject([{ amount: 100 }])

    await auction.placeBid({ bidderId: 3, amount: 200 })
    await shows(page, 'Outbid')
    await bid(page, '150')
    await shows(page, 'The bid is too low. The next bid is at least $205.00.')
    await page.locator('.messages').getByRole('button', { name: 'Bid $205.00' }).click()
    await shows(page, 'You lead')
    expect(await auction.read()).toMatchObject({ bidCount: 3, currentPrice: 205, leaderId: 2 })
    expect(page.troubles).toEqual([])
  })

  test('an amount of more than three increments above the minimum is sent only after a question', {
    timeout,
  }, async () => {
    const server = await startServer()
    const auction = await openAuction(server, { maximumBidIncrement: 2_000 })
    const page = await openPage({ url: server.url, view: `#/auctions/${auction.id}` })
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
    await page.getByLabel('Your bid').fill('5000')
    await button.click()
    await question.getByRole('button', { name: 'Yes, bid $5,000.00' }).click()
    await shows(page, 'The bid is too high. The next bid is at most $2,100.00.')
    await page.getByLabel('Your bid').fill('115')
    await page.getByLabel('Maximum').fill('90000')
    await button.click()
    await shows(page, 'the service bids for you up to $90,000.00', 'dialog')
    await question.getByRole('button', { name: 'Yes, bid up to $90,000.00' }).click()
    await shows(page, 'You lead')
    expect(await auction.read()).toMatchObject({ bidCount: 1, currentPrice: 115, leaderId: 2 })
    expect(page.troubles).toEqual([])
  })

  test('the main action of a leader raises the maximum, and another field the bid', { timeout }, async () => {
    const server = await startServer()
    const auction = await openAuction(server)
    const page = await openPage({ url: server.url, view: `#/auctions/${auction.id}` })
    await bid(page, '100')
    await shows(page, 'You lead')
    await page.getByRole('button', { name: 'Raise your maximum', exact: true }).click()
    // It is proposed before it is sent.
    await page.getByRole('button', { name: 'Raise your maximum to $105.00' }).waitFor()
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
    expect(page.troubles).toEqual([])
  })

  test.each([1200, 390])(
    'the button of a bid has the same place in all states of the last minute, at %i pixels',
    {
      timeout,
    },
    async (width) => {
      const server = await startServer()
      const softClose = { windowSeconds: 30, extensionSeconds: 50, latestEndTime: '2030-01-31T13:00:00Z' }
      const fields = { endTime: '2030-01-31T12:00:50Z', softClose, reservePrice: 115, buyNowPrice: 5_000 }
      const auction = await openAuction(server, fields)
      const profile = await openProfile({ viewport: { width, height: 844 } })
      const page = await openPage({ url: server.url, view: `#/auctions/${auction.id}`, profile })
      const button = page.locator('form.bid button')
      const places: unknown[] = []
      const note = async (text: string) => {
        await shows(page, text)
        places.push(await button.boundingBox())
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
      expect(new Set(places.map((place) => JSON.stringify(place))).size, JSON.stringify(places)).toBe(1)
      expect(page.troubles).toEqual([])
    },
  )

  test('the amount does not change while a user is at the form', { timeout }, async () => {
    const server = await startServer()
    const auction = await openAuction(server)
    const page = await openPage({ url: server.url, view: `#/auctions/${auction.id}` })
    const field = page.getByLabel('Your bid')
    await auction.placeBid({ bidderId: 3, amount: 100 })
    await shows(page, 'Bid $105.00')
    await field.focus()
    await auction.placeBid({ bidderId: 4, amount: 105 })
    await shows(page, 'The minimum is now $110.00.')
    expect(await field.inputValue()).toBe('105.00')
    await page.getByRole('button', { name: 'Use this amount' }).click()
    await page.getByRole('button', { name: 'Bid $110.00' }).waitFor()
  })

  test('the time left follows the server, years from the clock of the device, and at zero a bid is still possible', {
    timeout,
  }, async () => {
    const server = await startServer()
    const { url } = server
    // The clock of this server stands still, so the end never comes; the page's own does not.
    const long = await openAuction(server, { endTime: '2030-02-07T12:00:30Z' })
    const short = await openAuction(server, { endTime: '2030-01-31T12:00:05Z' })
    const profile = await openProfile()
    const page = await openPage({ url, profile, view: `#/auctions/${long.id}` })
    await shows(page, /^\u2068(7d|6d 23h)\u2069 left$/, '.left')
    const ending = await openPage({ url, profile, view: `#/auctions/${short.id}` })
    await shows(ending, 'Ending…', '.left')
    await bid(ending, '100')
    await shows(ending, 'Your bid leads.')
    server.clock.set('2030-01-31T12:00:30Z')
    await shows(ending, 'Sold to you for $100.00')
  })

  test('buys at once, and cancels', { timeout }, async () => {
    const server = await startServer()
    const { url } = server
    const bought = await openAuction(server, { buyNowPrice: 500 })
    const page = await openPage({ url, view: `#/auctions/${bought.id}` })
    await bid(page, '600')
    await shows(page, 'You can buy it now for $500.00, so a bid must be lower.')
    await page.getByRole('button', { name: 'Buy now for $500.00' }).click()
    await shows(page, 'This ends the auction', 'dialog')
    await confirm(page)
    await shows(page, 'Bought by you for $500.00')

    const cancelled = await openAuction(server, { ownerId: 2 })
    await page.evaluate(`location.hash = '#/auctions/${cancelled.id}'`)
    await shows(page, 'This is your auction, so you cannot bid on it.')
    await page.getByText('Cancel the auction').first().click()
    await page.getByLabel('Reason').fill('Broken')
    await page.getByRole('button', { name: 'Cancel the auction' }).click()
    await confirm(page)
    await shows(page, 'Cancelled: Broken')
    expect(page.troubles).toEqual([])
  })

  longTest(
    'twelve tabs share one stream, and the next one takes it over',
    async () => {
      const server = await startServer()
      const { url } = server
      const auction = await openAuction(server)
      const profile = await openProfile()
      let streams = 0
      server.app.server.on('request', ({ url = '' }: IncomingMessage, response: ServerResponse) => {
        if (!url.includes('Events')) return
        streams += 1
        response.once('close', () => {
          streams -= 1
        })
      })
      const view = `#/auctions/${auction.id}`
      const pages = [await openPage({ url, profile, view })]
      // They have the token from the first one.
      for (let tab = 2; tab <= 12; tab++) pages.push(await openPage({ url, profile, view, token: '' }))
      await auction.placeBid({ bidderId: 3, amount: 130 })
      for (const page of pages) await shows(page, '$130.00', '.price.large')
      await expect.poll(() => streams).toBe(1)

      await pages[0]?.close()
      await auction.placeBid({ bidderId: 4, amount: 140 })
      for (const page of pages.slice(1)) await shows(page, '$140.00', '.price.large')
      await expect.poll(() => streams).toBe(1)
    },
    { timeout },
  )

  test('a tab that was frozen or without a network shows what happened meanwhile', { timeout }, async () => {
    const server = await startServer()
    const auction = await openAuction(server)
    const profile = await openProfile()
    const page = await openPage({ url: server.url, profile, view: `#/auctions/${auction.id}` })
    await shows(page, '$100.00', '.price.large')
    const session = await profile.newCDPSession(page)
    await session.send('Page.setWebLifecycleState', { state: 'frozen' })
    await auction.placeBid({ bidderId: 3, amount: 110 })
    await session.send('Page.setWebLifecycleState', { state: 'active' })
    await shows(page, '$110.00', '.price.large')

    await profile.setOffline(true)
    await page.locator('.page[data-stale]').waitFor()
    await shows(page, 'Connection lost.', 'main')
    await auction.placeBid({ bidderId: 4, amount: 120 })
    await profile.setOffline(false)
    await shows(page, '$120.00', '.price.large')
    await page.locator('.page:not([data-stale])').waitFor()
    expect(page.troubles).toEqual([])
  })

  test('a connection that stays open but sends nothing looks stale after 45 seconds, and is replaced', {
    timeout,
  }, async () => {
    const server = await startServer()
    const auction = await openAuction(server)
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: server.port })
    onTestFinished(proxy.close)
    const streams: string[] = []
    server.app.server.on('request', ({ url = '' }: IncomingMessage) => {
      if (url.includes('Events')) streams.push(url)
    })
    const profile = await openProfile()
    await profile.clock.install()
    const url = `http://127.0.0.1:${proxy.port}`
    const page = await openPage({ url, profile, view: `#/auctions/${auction.id}` })
    await expect.poll(() => streams.length).toBe(1)
    await auction.placeBid({ bidderId: 3, amount: 100 })
    await shows(page, '1 bid', '.marks')

    proxy.hang()
    await auction.placeBid({ bidderId: 4, amount: 120 })
    await page.clock.fastForward(46_000)
    await page.locator('.page[data-stale]').waitFor()
    await shows(page, '$100.00', '.price.large')
    await page.clock.fastForward(10_000)
    proxy.restore()
    await shows(page, '$120.00', '.price.large')
    await page.locator('.page:not([data-stale])').waitFor()
    await page.locator('tbody tr:nth-child(2)').waitFor()
    expect(streams.length).toBeGreaterThan(1)
    expect(page.troubles).toEqual([])
  })

  test('shows bidders by pseudonyms, and still marks the bids of the user', { timeout }, async () => {
    const server = await startServer({ environment: pseudonymous })
    const auction = await openAuction(server, {}, newCaller({ uid: 1 }))
    const bidder = newCaller({ uid: 2 })
    const page = await openPage({ url: server.url, view: `#/auctions/${auction.id}`, token: bidder })
    await bid(page, '100')
    await shows(page, 'You lead')
    await auction.as(newCaller({ uid: 3 })).placeBid({ bidderId: 3, amount: 120 })
    await shows(page, 'You were outbid')
    const names = page.locator('tbody tr td:nth-child(2)')
    await expect.poll(() => names.allTextContents()).toEqual([expect.stringMatching(/^Bidder \w{4}$/), 'You'])
    expect(page.troubles).toEqual([])
  })

  test('shows a purchase to its buyer after a reload, and in the list of bids', { timeout }, async () => {
    const server = await startServer({ environment: pseudonymous })
    const auction = await openAuction(server, { buyNowPrice: 900, title: 'Desk' }, newCaller({ uid: 1 }))
    const token = newCaller({ uid: 2 })
    const page = await openPage({ url: server.url, view: `#/auctions/${auction.id}`, token })
    await page.getByRole('button', { name: 'Buy now for $900.00' }).click()
    await confirm(page)
    await shows(page, 'You won', '.banner')
    await page.reload()
    await shows(page, 'To pay: $900.00', '.banner')
    // What all readers see has the pseudonym of the buyer.
    await page.locator('.page:not([data-stale])').waitFor()
    await shows(page, 'Bought by you for $900.00', '.banner')
    await goTo(page, '#/bids')
    await shows(page, 'You won', '.card .standing')
    expect(page.troubles).toEqual([])
  })

  test.each(['stream', 'read'])(
    'never shows "outbid" after a bid that leads, if the %s arrives first',
    {
      timeout,
    },
    async (first) => {
      const server = await startServer({ environment: pseudonymous })
      const auction = await openAuction(server, {}, newCaller({ uid: 1 }))
      const profile = await openProfile()
      if (first === 'read') await profile.route('**/Events*', (route) => route.abort())
      const view = `#/auctions/${auction.id}`
      const page = await openPage({ url: server.url, view, profile, token: newCaller({ uid: 2 }) })
      await shows(page, '$100.00', '.price.large')
      await page.evaluate(`{
      globalThis.seen = []
      const root = document.querySelector('#page').shadowRoot
      new MutationObserver(() => seen.push(root.querySelector('.banner')?.textContent)).observe(root, {
        childList: true, characterData: true, subtree: true })
    }`)
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      if (first === 'stream')
        await page.route(/Auctions\/\d+(\/Bids)?$/, async (route) => {
          const response = await route.fetch()
          await released
          await route.fulfill({ response })
        })
      await page.locator('form.bid button').click()
      if (first === 'stream') await shows(page, '1 bid', '.marks')
      release()
      await shows(page, 'You lead', '.banner')
      await profile.unroute('**/Events*')
      await page.locator('.page:not([data-stale])').waitFor()
      await shows(page, 'You lead', '.banner')
      const seen: readonly string[] = await page.evaluate('globalThis.seen')
      expect(seen.filter((text) => text?.includes('outbid'))).toEqual([])
      expect(page.troubles).toEqual([])
    },
  )
})
