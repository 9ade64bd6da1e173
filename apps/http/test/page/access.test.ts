import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { longTest } from '../../../../tools/vitest/long-test.ts'
import { sampleOf } from '../../../../tools/vitest/size.ts'
import { describeBrowser, hangMs, openProfile } from '../support/browser.ts'
import { type AuctionClient, clientOf, newCaller, openAuction } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { epochSeconds, managing, permissions, tokenOf } from '../support/tokens.ts'
import { bid, goTo, goToStep, openPage, shows } from './open-page.ts'

const timeout = 2 * hangMs

/** What axe finds. In Chromium’s own world of scripts, because the policy of the page forbids others. */
async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  // A string, because it runs in the page. Without `preload`, which adds style elements for those of shadow roots.
  return page.evaluate(
    "axe.run({ preload: false }).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join(' ')))",
  )
}

/** Auctions with the longest texts and amounts, and one in each status. */
async function createAuctions(server: TestServer): Promise<AuctionClient> {
  await openAuction(server, { title: '🎉'.repeat(200), startingPrice: 0.5 })
  await openAuction(server, { title: 'W'.repeat(200), currency: 'KWD', startingPrice: 999_999_999_999.999 })
  await openAuction(server, { title: 'طاولة', startTime: '2030-01-31T13:00:00Z' })
  await (await openAuction(server)).cancelAuction({ reason: 'Sold elsewhere, '.repeat(12) })
  const softClose = { windowSeconds: 604_800, extensionSeconds: 604_800, latestEndTime: '2030-02-14T12:00:00Z' }
  const yen = { currency: 'JPY', startingPrice: 1_000_000_000_000, minimumBidIncrement: 1 }
  const prices = { reservePrice: 2_000_000_000_000, buyNowPrice: 3_000_000_000_000 }
  const open = await openAuction(server, { ...yen, ...prices, softClose, description: 'y'.repeat(500) })
  await open.placeBid({ amount: 1_000_000_000_000 })
  await open.placeBid({ bidderId: 3, amount: 1_234_567_890_123 })
  return open
}

const lists = [
  '#/ending',
  '#/upcoming',
  '#/newest',
  '#/newest?q=none',
  '#/nothing',
  '#/ended',
  '#/bids',
  '#/selling',
  '#/new',
]

describeBrowser('the page', () => {
  describe.each(sampleOf(['light', 'dark'] as const))('in the %s scheme', (colorScheme) => {
    test('passes the checks of axe, and fits on 320 pixels in both directions', { timeout }, async () => {
      const server = await startServer()
      const open = await createAuctions(server)
      const profile = await openProfile({ colorScheme, viewport: { width: 320, height: 640 } })
      const token = tokenOf('staff', { permissions: [...permissions, managing] })
      const page = await openPage({ url: server.url, profile, token })
      for (const view of [...lists, `#/auctions/${open.id}`]) {
        await goTo(page, view)
        if (view !== '#/new') await page.locator('.card, .panel, .empty, .found, main > p').first().waitFor()
        for (const direction of ['rtl', 'ltr']) {
          await page.evaluate(`document.documentElement.dir = '${direction}'`)
          expect(await page.evaluate('document.documentElement.scrollWidth'), `${view} ${direction}`).toBe(320)
        }
        expect(await findings(page), view).toEqual([])
      }
      await shows(page, '¥1,234,567,890,123', '.price.large')
      for (const summary of await page.locator('.staff summary').all()) await summary.click()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
      await page.getByRole('button', { name: 'Buy now for' }).click()
      expect(await findings(page)).toEqual([])
      await page.keyboard.press('Escape')
      await bid(page, '5')
      await shows(page, 'The bid is too low.')
      expect(await findings(page)).toEqual([])
      expect(page.troubles).toEqual([])
    })
  })

  test('fits if a reader makes its text twice as large', { timeout }, async () => {
    const server = await startServer()
    const open = await createAuctions(server)
    const page = await openPage({
      url: server.url,
      profile: await openProfile({ viewport: { width: 640, height: 640 } }),
    })
    await page.evaluate("document.querySelector('#page').shadowRoot.querySelector('.page').style.fontSize = '200%'")
    for (const view of [...lists, `#/auctions/${open.id}`]) {
      await goTo(page, view)
      await page.locator('.card, .panel, .empty, .found, main > p').first().waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBe(640)
    }
    expect(page.troubles).toEqual([])
  })

  test('asks for a token, and shows a reader only what the token permits', { timeout }, async () => {
    const server = await startServer()
    const auction = await openAuction(server)
    const page = await openPage({ url: server.url, view: `#/auctions/${auction.id}`, token: '' })
    await shows(page, 'Sign in')
    expect(await findings(page)).toEqual([])
    await page.getByLabel('Token').fill(tokenOf('reader', { permissions: ['auction-service:Auctions:Nothing'] }))
    await page.getByLabel('Token').press('Enter')
    await shows(page, '$100.00', '.price.large')
    await page.locator('.account summary').click()
    await page.getByText('You act as user').waitFor()
    expect(await page.evaluate('localStorage.length')).toBe(0)

    const token = tokenOf('bidder', { permissions: ['auction-service:Bids:Create'] })
    const other = await openPage({ url: server.url, view: `#/auctions/${auction.id}`, token })
    await other.getByRole('button', { name: 'Bid $100.00' }).waitFor()
    expect(await other.getByText('Sell', { exact: true }).count()).toBe(0)
  })

  test('asks for a new token when the old one expires, and keeps what it shows', { timeout }, async () => {
    const server = await startServer({ environment: { JWT_CLOCK_TOLERANCE_SECONDS: '0' } })
    const auction = await openAuction(server)
    const token = tokenOf('anna', { exp: epochSeconds() + 12 })
    const page = await openPage({ url: server.url, view: `#/auctions/${auction.id}`, token })
    await shows(page, '$100.00', '.price.large')
    await shows(page, 'Sign in')
    await page.locator('.page[data-stale]').waitFor()
    await shows(page, '$100.00', '.price.large')
    await page.getByLabel('Token').fill(tokenOf('anna'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.page:not([data-stale])').waitFor()
    await auction.placeBid({ bidderId: 3, amount: 140 })
    await shows(page, '$140.00', '.price.large')
  })

  longTest(
    'stays live by polling for a token that may not read bids, and so has no stream',
    async () => {
      const server = await startServer({ environment: { PERMISSIONS_BIDS_READ: 'see-bids' } })
      const auction = await openAuction(server)
      const page = await openPage({ url: server.url })
      await shows(page, '$100.00')
      await auction.placeBid({ bidderId: 3, amount: 140 })
      await shows(page, '$140.00')
      expect(await page.locator('.page[data-stale]').count()).toBe(0)
    },
    { timeout },
  )

  test('lists what ended and what was cancelled together, the latest first', { timeout }, async () => {
    const server = await startServer()
    const titles = Array.from({ length: 24 }, (_, at) => (at % 4 === 0 ? `Cancelled ${at}` : `Bought ${at}`))
    for (const [minute, title] of titles.entries()) {
      server.clock.set(`2030-01-31T12:${10 + minute}:00Z`)
      const auction = await openAuction(server, { title, buyNowPrice: 500, endTime: '2030-02-01T12:00:00Z' })
      if (title.startsWith('Cancelled')) await auction.cancelAuction()
      else await auction.buyNow()
    }
    const page = await openPage({ url: server.url, view: '#/ended' })
    const shown = page.locator('.auctions a.name')
    await expect.poll(() => shown.allTextContents()).toEqual(titles.toReversed().slice(0, 20))
    await page.getByRole('button', { name: 'More' }).click()
    await expect.poll(() => shown.allTextContents()).toEqual(titles.toReversed())
    expect(await page.getByRole('button', { name: 'More' }).count()).toBe(0)
  })

  test('shows a reserve to its owner, and nothing of it to others', { timeout }, async () => {
    const server = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
    const owner = newCaller({ uid: 1 })
    const { id } = await openAuction(server, { reservePrice: 777.25 }, owner)
    const view = `#/auctions/${id}`
    const profile = await openProfile()
    await shows(await openPage({ url: server.url, view, token: owner, profile }), 'Your reserve: $777.25')

    const other = await openPage({ url: server.url, token: newCaller({ uid: 2 }), profile })
    const bodies: Promise<string>[] = []
    other.on('response', (response) => {
      if (!response.url().includes('Events')) bodies.push(response.text())
    })
    await goTo(other, view)
    await shows(other, 'Reserve not met')
    await bid(other, '100', '700')
    await shows(other, 'Your maximum: $700.00')
    expect((await Promise.all(bodies)).join()).not.toContain('777.25')
    expect(await other.content()).not.toContain('777.25')
    expect(await other.getByLabel('You act as user').count()).toBe(0)
  })

  test('names the zone of its times, and says at the field which time has no value or does not exist', {
    timeout,
  }, async () => {
    const server = await startServer()
    const profile = await openProfile({ timezoneId: 'Europe/Berlin' })
    const page = await openPage({ url: server.url, profile, view: '#/new', user: 1 })
    await goToStep(page, 'Next')
    await page.getByLabel('Starting price').fill('100')
    await page.getByLabel('Increment', { exact: true }).fill('5')
    await goToStep(page, 'Next')
    await shows(page, 'Times are in the time zone \u2068Europe/Berlin\u2069.')
    await page.getByLabel('End', { exact: true }).fill('2030-04-01T12:00')
    const start = page.getByLabel('Start (if empty: now)')
    const next = page.getByRole('button', { name: 'Next' })
    // A date without a time must not mean now.
    await start.pressSequentially('03312030')
    await next.click()
    await shows(page, 'Enter a date and a time.', '.field:has([name=startTime])')
    await start.fill('2030-03-31T02:30')
    await next.click()
    await shows(page, /^This time does not exist/, '.field:has([name=startTime])')
    await start.fill('2030-03-31T03:30')
    await next.click()
    await shows(page, 'Europe/Berlin', 'dd')
    await page.getByRole('button', { name: 'Create the auction' }).click()
    await page.locator('.state').waitFor()
    const { body } = await clientOf(server).get('/api/Auctions')
    expect(body.data.items).toMatchObject([{ startTime: '2030-03-31T01:30:00.000Z' }])
    expect(page.troubles).toEqual([])
  })

  test('creates an auction with increments, and shows which line has no price', { timeout }, async () => {
    const server = await startServer()
    server.clock.set(new Date().toISOString())
    const page = await openPage({ url: server.url, view: '#/new', user: 1 })
    const next = page.getByRole('button', { name: 'Next' })
    const create = page.getByRole('button', { name: 'Create the auction' })
    await goToStep(page, 'Price')
    await page.getByLabel('Starting price').fill('50')
    await next.click()
    await shows(page, 'Enter a value.', '.field:has([name=minimumBidIncrement])')
    await page.getByLabel('Increment', { exact: true }).fill('5')
    await page.locator('summary', { hasText: 'Increments, limit of a bid' }).click()
    const steps = page.getByLabel('Increments from a price on')
    await steps.fill('100: 10\n500')
    await next.click()
    await shows(page, 'Enter a price and its increment in USD in each line', '.field:has([name=incrementSteps])')
    await steps.fill('100: 10\n1,000: 7.50')
    await goToStep(page, 'Preview')
    await create.click()
    // The service refuses it, and the form returns to the step.
    await shows(page, 'Line 2: increment must be at least the increment of the step before.')
    await steps.fill('100: 10\n1,000: 25.50\n')
    await page.getByLabel('How far a bid may exceed the price').fill('500')
    await goToStep(page, 'Preview')
    await create.click()
    await shows(page, 'Bids rise by $5.00; by $10.00 from $100.00; by $25.50 from $1,000.00.', '.terms')
    await shows(page, '$500.00 above the price', 'dd')
    await shows(page, 'at least $50.00, at most $550.00')
    const { body } = await clientOf(server).get('/api/Auctions')
    const incrementSteps = [
      { fromPrice: 100, increment: 10 },
      { fromPrice: 1000, increment: 25.5 },
    ]
    expect(body.data.items).toMatchObject([{ incrementSteps, maximumBidIncrement: 500 }])
    await goTo(page, '#/new')
    await goToStep(page, 'Price')
    await page.getByLabel('Starting price').fill('50')
    await page.getByLabel('Increment', { exact: true }).fill('5')
    await page.locator('summary', { hasText: 'Increments, limit of a bid' }).click()
    await page.getByLabel('Or the increment in percent of the price').fill('2.5')
    await goToStep(page, 'Preview')
    await shows(page, 'Bids rise by 2.5% of the price, by at least $5.00.', '.create')
    await create.click()
    await shows(page, 'Bids rise by 2.5% of the price, by at least $5.00.', '.terms')
    expect(page.troubles).toEqual([])
  })

  test('is used by keyboard alone', { timeout }, async () => {
    const server = await startServer()
    server.clock.set(new Date().toISOString())
    const page = await openPage({ url: server.url, user: 1 })
    await press(page, page.getByRole('link', { name: 'Sell' }), 'Enter')
    await type(page, 'Title', 'Walnut desk')
    await page.keyboard.press('Enter')
    await type(page, 'Starting price', '1,000.50')
    await type(page, 'Increment', '5')
    await press(page, page.locator('summary', { hasText: 'Reserve, buy now, cancellation' }), 'Enter')
    await type(page, 'Buy-now price', '2000')
    await press(page, page.getByLabel('Can be cancelled until the end'), 'Space')
    await press(page, page.getByRole('button', { name: 'Next' }), 'Enter')
    await press(page, page.locator('summary', { hasText: 'Late bids' }), 'Enter')
    await type(page, 'Minutes before the end in which a bid counts as late', '5')
    await type(page, 'Minutes from a late bid to the new end', '5')
    await press(page, page.getByRole('button', { name: 'Next' }), 'Enter')
    await press(page, page.getByRole('button', { name: 'Create the auction' }), 'Enter')
    await shows(page, 'Walnut desk', 'h1')
    // The clock of this server stands still, and the auction begins at the time of the page.
    server.clock.set(new Date(Date.now() + 60_000).toISOString())

    await press(page, page.locator('.account summary'), 'Enter')
    await type(page, 'You act as user', '2')
    await page.keyboard.press('Enter')
    await press(page, page.getByRole('button', { name: 'Bid $1,000.50' }), 'Enter')
    await shows(page, 'You lead')

    const view = new URL(page.url()).hash
    const staff = await openPage({
      url: server.url,
      view,
      user: 9,
      token: tokenOf('staff', { permissions: [managing] }),
    })
    const form = staff.locator('.staff details', { hasText: 'Withdraw the bids' })
    await press(staff, form.locator('summary'), 'Enter')
    await press(staff, form.getByLabel('Bidder', { exact: true }), '2')
    await press(staff, form.getByLabel('Reason'), 'x')
    await press(staff, form.getByRole('button'), 'Enter')
    await press(staff, staff.getByRole('button', { name: 'Yes: Withdraw the bids of User 2' }), 'Enter')
    await shows(page, '0 bids', '.marks')
    expect(staff.troubles).toEqual([])

    await press(page, page.locator('.account summary'), 'Enter')
    await type(page, 'You act as user', '1')
    await page.keyboard.press('Enter')
    await press(page, page.locator('summary', { hasText: 'Cancel the auction' }), 'Enter')
    await press(page, page.getByRole('button', { name: 'Cancel the auction' }), 'Enter')
    await press(page, page.getByRole('button', { name: /^Yes/ }), 'Enter')
    await shows(page, 'Cancelled', '.left')
    expect(page.troubles).toEqual([])
  })
})

/** The element that has the focus. */
const focused = "(document.querySelector('#page').shadowRoot.activeElement ?? document.activeElement)"

type Target = ReturnType<Page['getByRole']>

/** Moves the focus to an element by Tab alone, and presses a key there. */
async function press(page: Page, target: Target, key: string): Promise<void> {
  await target.waitFor()
  await page.evaluate(`${focused}.blur()`)
  for (let moves = 0; moves < 60; moves++) {
    await page.keyboard.press('Tab')
    const element = await target.elementHandle()
    const isThere = await element?.evaluate((found) => found === Reflect.get(found.getRootNode(), 'activeElement'))
    if (isThere) return page.keyboard.press(key)
  }
  throw new Error(`Tab does not reach ${target}`)
}

/** Moves the focus to a field by Tab alone, and types. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await press(page, page.getByLabel(label, { exact: true }), 'Control+A')
  await page.keyboard.type(text)
}
