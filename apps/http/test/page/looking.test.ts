import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeBrowser, hangMs, openProfile } from '../support/browser.ts'
import { openAuction } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { bid, openPage, shows } from './open-page.ts'

const timeout = 2 * hangMs

/** Waits until the page has announced a text to screen readers. */
const announces = (page: Page, text: RegExp) => page.locator('[role=status]').getByText(text).waitFor()

const animations = (page: Page) =>
  page.evaluate(
    "document.querySelector('#page').shadowRoot.getAnimations().map(({ animationName }) => animationName).join()",
  )

describeBrowser('what a bidder notices', () => {
  test('the last minute and an extension, in colour and announced, and without motion if the reader prefers it', {
    timeout,
  }, async () => {
    const server = await startServer()
    const softClose = { windowSeconds: 120, extensionSeconds: 120, latestEndTime: '2030-01-31T13:00:00Z' }
    const auction = await openAuction(server, { endTime: '2030-01-31T12:01:40Z', softClose })
    const open = async (reducedMotion: 'reduce' | 'no-preference') => {
      const profile = await openProfile({ reducedMotion, timezoneId: 'UTC' })
      await profile.clock.install()
      const opened = await openPage({ url: server.url, view: `#/auctions/${auction.id}`, profile })
      await opened.locator('.clock .left[data-phase=open]').waitFor()
      await opened.clock.fastForward(43_000)
      await opened.locator('.clock .left[data-phase=last]').waitFor()
      return opened
    }
    const still = await open('reduce')
    const page = await open('no-preference')
    await announces(page, /^Less than a minute left\.$/)
    expect([await animations(page), await animations(still)]).toEqual(['beat', ''])
    await auction.placeBid({ bidderId: 3, amount: 100 })
    await page.locator('.extended[data-turn]').waitFor()
    await announces(page, /^\$100\.00, 1 bid Extended: the auction now ends at 12:02:00/)
    await page.locator('.clock .left[data-phase=open]').waitFor()
    expect([...page.troubles, ...still.troubles]).toEqual([])
  })

  test('where they stand, on the auction and in every list, even without colours', { timeout }, async () => {
    const server = await startServer()
    const auction = await openAuction(server)
    const profile = await openProfile({ forcedColors: 'active' })
    const page = await openPage({ url: server.url, view: `#/auctions/${auction.id}`, profile })
    await bid(page, '100')
    await page.locator('.banner[data-standing=leads]').waitFor()
    await auction.placeBid({ bidderId: 3, amount: 110 })
    await shows(page, 'You were outbid', '.banner[data-standing=outbid]')
    expect(await page.locator('main').getByText('Your bid leads.').count()).toBe(0)
    const border =
      "getComputedStyle(document.querySelector('#page').shadowRoot.querySelector('.banner')).borderTopWidth"
    expect(await page.evaluate(border)).toBe('2px')
    await page.evaluate("location.hash = '#/ending'")
    await page.reload()
    await shows(page, 'You were outbid', '.card .standing')
    await page.evaluate("location.hash = '#/bids'")
    await shows(page, 'You were outbid', '.card .standing')
    server.clock.set('2030-02-08T12:00:00Z')
    await shows(page, 'You did not win', '.card .standing')
    expect(page.troubles).toEqual([])
  })

  test('when each bid was, even if all are within one second', { timeout }, async () => {
    const server = await startServer()
    const auction = await openAuction(server)
    for (const [at, amount] of [100, 110, 120].entries()) {
      server.clock.set(`2030-01-31T12:00:10.${at * 3}00Z`)
      await auction.placeBid({ bidderId: 3, amount })
    }
    server.clock.set('2030-01-31T15:00:00Z')
    const page = await openPage({ url: server.url, view: `#/auctions/${auction.id}` })
    const dots = page.locator('svg .dot')
    await dots.nth(2).waitFor({ state: 'attached' })
    const places = await dots.evaluateAll((found) => found.map((dot) => Number(Reflect.get(dot, 'x1').baseVal.value)))
    const [first = 0, second = 0, third = 0] = places
    expect(second - first).toBeGreaterThan(100)
    expect(third - second).toBeGreaterThan(100)
    const times = await page.locator('figcaption span').allTextContents()
    expect(new Set(times).size).toBe(3)
    expect(times[1]).toMatch(/12:00:10[.]300/)
    expect(page.troubles).toEqual([])
  })

  test('the page in German, if the reader prefers it', { timeout }, async () => {
    const server = await startServer()
    const auction = await openAuction(server, { currency: 'EUR', startingPrice: 1_000 })
    const page = await openPage({ url: server.url, profile: await openProfile({ locale: 'de-DE' }) })
    await shows(page, 'Endet bald', 'nav')
    expect(await page.evaluate('document.documentElement.lang')).toBe('de')
    await page.locator('.card a').click()
    await page.getByLabel('Ihr Gebot').fill('1.250,50')
    await page.getByRole('button', { name: /bieten$/ }).click()
    await page.getByRole('button', { name: 'Ja, 1.250,50 € bieten' }).click()
    await shows(page, 'Sie führen', '.banner')
    await shows(page, '1 Gebot', '.marks')
    expect(await auction.read()).toMatchObject({ currentPrice: 1250.5 })
    await auction.placeBid({ bidderId: 3, amount: 1_300 })
    await shows(page, 'Überboten', '.banner')
    expect(page.troubles).toEqual([])
  })
})
