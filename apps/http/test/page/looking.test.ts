import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeBrowser, openProfile } from '../support/browser.ts'
import { openAuction } from '../support/client.ts'
import { serverOfFile } from '../support/server.ts'
import { appears, bid, goTo, openPage, servePictures, shows } from './open-page.ts'

const server = await serverOfFile()
const { url } = server
const pictureUrl = (name: string) => `https://pictures.example/${name}.svg`

/** Waits until the page has announced a text to screen readers. */
const announces = (page: Page, text: RegExp) => page.locator('[role=status]').getByText(text).waitFor()

const animations = (page: Page) =>
  page.evaluate(
    "document.querySelector('#page').shadowRoot.getAnimations().map(({ animationName }) => animationName).join()",
  )

describeBrowser('what a reader notices', () => {
  test('the last minute, an extension and the end, by the clock of the server, and announced, and without motion if the reader prefers it', async () => {
    const softClose = { windowSeconds: 120, extensionSeconds: 120, latestEndTime: '2030-01-31T13:00:00Z' }
    const auction = await openAuction(server, { endTime: '2030-01-31T12:01:40Z', softClose })
    const profile = await openProfile({ timezoneId: 'UTC' })
    await profile.clock.install()
    const page = await openPage({ url, view: `#/auctions/${auction.id}`, profile })
    await appears(page.locator('.clock .left[data-phase=open]'))
    await page.clock.fastForward(43_000)
    await appears(page.locator('.clock .left[data-phase=last]'))
    await announces(page, /^Less than a minute left\.$/)
    expect(await animations(page)).toBe('beat')
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await animations(page)).toBe('')
    await auction.placeBid({ bidderId: 3, amount: 100 })
    await appears(page.locator('.extended[data-turn]'))
    await page.clock.fastForward(5_000)
    await announces(page, /^\$100\.00, 1 bid Extended: the auction now ends at 12:02:00/)
    await appears(page.locator('.clock .left[data-phase=open]'))
    // The clock of this server stands still, so a bid is still possible.
    await page.clock.fastForward(90_000)
    await shows(page, 'Ending…', '.left')
    await bid(page, '120')
    await shows(page, 'Your bid leads.')
    server.clock.set('2030-01-31T12:10:00Z')
    await shows(page, 'Sold to you for $120.00')
  })

  test('where they stand, on the auction and in every list, even without colours', async () => {
    const auction = await openAuction(server)
    const page = await openPage({ url, user: 12, view: `#/auctions/${auction.id}` })
    await page.emulateMedia({ forcedColors: 'active' })
    await bid(page, '100')
    await appears(page.locator('.banner[data-standing=leads]'))
    await auction.placeBid({ bidderId: 3, amount: 110 })
    await shows(page, 'You were outbid', '.banner[data-standing=outbid]')
    expect(await page.locator('main').getByText('Your bid leads.').count()).toBe(0)
    const border =
      "getComputedStyle(document.querySelector('#page').shadowRoot.querySelector('.banner')).borderTopWidth"
    expect(await page.evaluate(border)).toBe('2px')
    await goTo(page, '#/ending')
    await page.reload()
    await shows(page, 'You were outbid', '.card .standing')
    await goTo(page, '#/bids')
    await shows(page, 'You were outbid', '.card .standing')
    server.clock.set('2030-02-08T12:00:00Z')
    await shows(page, 'You did not win', '.card .standing')
  })

  test('when each bid was, even if all are within one second', async () => {
    const auction = await openAuction(server)
    for (const [at, amount] of [100, 110, 120].entries()) {
      server.clock.set(`2030-01-31T12:00:10.${at * 3}00Z`)
      await auction.placeBid({ bidderId: 3, amount })
    }
    server.clock.set('2030-01-31T15:00:00Z')
    const page = await openPage({ url, view: `#/auctions/${auction.id}` })
    const dots = page.locator('svg .dot')
    await dots.nth(2).waitFor({ state: 'attached' })
    const positions = await dots.evaluateAll((found) =>
      found.map((dot) => Number(Reflect.get(dot, 'x1').baseVal.value)),
    )
    const [first = 0, second = 0, third = 0] = positions
    expect(second - first).toBeGreaterThan(100)
    expect(third - second).toBeGreaterThan(100)
    const times = await page.locator('figcaption span').allTextContents()
    expect(new Set(times).size).toBe(3)
    expect(times[1]).toMatch(/12:00:10[.]300/)
  })

  test('the page in German, if the reader prefers it', async () => {
    const auction = await openAuction(server, { currency: 'EUR', startingPrice: 1_000 })
    const page = await openPage({ url, profile: await openProfile({ locale: 'de-DE' }) })
    await shows(page, 'Endet bald', 'nav')
    expect(await page.evaluate('document.documentElement.lang')).toBe('de')
    await page.locator(`.card a[href$="/${auction.id}"]`).click()
    await page.getByLabel('Ihr Gebot').fill('1.250,50')
    await page.getByRole('button', { name: /bieten$/ }).click()
    await page.getByRole('button', { name: 'Ja, 1.250,50 € bieten' }).click()
    await shows(page, 'Sie führen', '.banner')
    await shows(page, '1 Gebot', '.marks')
    expect(await auction.read()).toMatchObject({ currentPrice: 1250.5 })
    await auction.placeBid({ bidderId: 3, amount: 1_300 })
    await shows(page, 'Überboten', '.banner')
  })

  test('a search, which states what it looked for and how many it found, and can be cleared; what does not exist leads back', async () => {
    for (const title of ['Birch desk', 'Birch chair', 'Birches']) await openAuction(server, { title })
    const page = await openPage({ url, view: '#/newest' })
    await page.getByLabel('Words in the title').fill('birch')
    await page.getByLabel('Words in the title').press('Enter')
    await shows(page, 'Auctions with “birch” in the title: 2 found', '.found')
    await shows(page, 'The search finds whole words', '.found')
    await page.getByLabel('Status').selectOption('Pending')
    await page.getByRole('button', { name: 'Search' }).click()
    await shows(page, /“birch” in the title and the status “Pending”: 0 found/, '.found')
    await page.getByRole('link', { name: 'Clear the search' }).click()
    await shows(page, 'Birches', '.card')
    expect(await page.locator('.found').count()).toBe(0)
    for (const view of ['#/auctions/999999', '#/auctions/x', '#/auctions', '#/nothing', '#/ending/3']) {
      await goTo(page, view)
      await shows(page, 'Not found', 'h1')
      await page.getByRole('link', { name: 'Go to the auctions' }).click()
      await shows(page, 'Ending soon', 'h1')
    }
  })

  test('when an auction starts, and no button before', async () => {
    await openAuction(server, { title: 'Later', startTime: '2030-02-02T10:00:00Z' })
    await openAuction(server, { title: 'Sooner', startTime: '2030-02-01T10:00:00Z', buyNowPrice: 900 })
    const page = await openPage({ url, view: '#/upcoming' })
    await expect.poll(() => page.locator('a.name').allTextContents()).toEqual(['Sooner', 'Later'])
    await page.getByRole('link', { name: 'Sooner' }).click()
    await shows(page, /^Starts in/, '.clock')
    await shows(page, /^from .*Feb 1, 2030/, '.clock')
    await appears(page.locator('dl').first())
    expect(await page.locator('.side button').count()).toBe(0)
  })

  test('whole pictures without a referrer, enlarged by a click or a key, and the letter for one that fails', async () => {
    const names = ['one', 'two', 'broken']
    const metadata = Object.fromEntries(
      names.map((name, at) => [`pictureUrl${at === 0 ? '' : at + 1}`, pictureUrl(name)]),
    )
    const facts = { yearMade: 'about 1935', Material: 'Walnut' }
    const { id } = await openAuction(server, { metadata: { ...metadata, ...facts }, description: 'Four drawers.' })
    await openAuction(server, { title: 'Lamp', metadata: { pictureUrl: pictureUrl('broken') } })
    const profile = await openProfile()
    const referrers = await servePictures(profile)
    const page = await openPage({ url, view: '#/newest', profile })
    await shows(page, 'L', '.card:has-text("Lamp") .blank')
    await goTo(page, `#/auctions/${id}`)
    await appears(page.locator('.thumbs button').nth(1))
    await expect.poll(() => page.locator('.thumbs button').count()).toBe(2)
    const shown = page.locator('.picture-button img')
    const fit = await shown.evaluate((image) => Reflect.get(globalThis, 'getComputedStyle')(image).objectFit)
    expect(fit).toBe('contain')
    await page.getByRole('button', { name: 'Enlarge: Picture 1 of 2' }).press('Enter')
    const enlarged = page.locator('dialog.enlarged[open] img')
    await appears(enlarged)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => enlarged.getAttribute('src')).toBe(pictureUrl('two'))
    await page.keyboard.press('Escape')
    await enlarged.waitFor({ state: 'detached' })
    expect(await shown.getAttribute('src')).toBe(pictureUrl('two'))
    expect(await page.locator('.facts dt').allTextContents()).toEqual(['Year made', 'Material'])
    expect([...referrers]).toEqual([undefined])
  })
})
