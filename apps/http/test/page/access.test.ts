import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { longTest } from '../../../../tools/vitest/long-test.ts'
import { isLong, sampleOf } from '../../../../tools/vitest/size.ts'
import { describeBrowser, openProfile } from '../support/browser.ts'
import { type AuctionClient, clientOf, openAuction } from '../support/client.ts'
import { serverOfFile, startServer } from '../support/server.ts'
import { forcing, managing, permissions, registering, tokenOf } from '../support/tokens.ts'
import { appears, bid, goTo, openPage, shows } from './open-page.ts'

const server = await serverOfFile()
const { url } = server

/** What axe finds. In Chromium’s own world of scripts, because the policy of the page forbids others. */
async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  // A string, because it runs in the page. Without `preload`, which adds style elements for those of shadow roots.
  return page.evaluate(
    "axe.run({ preload: false }).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join(' ')))",
  )
}

/** Auctions with the longest texts and amounts, and one in each status. */
async function createAuctions(): Promise<AuctionClient> {
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

/** The views of a register with long texts. */
async function createRegister(token: string): Promise<readonly string[]> {
  const staff = clientOf(server, token)
  const fields = {
    title: 'W'.repeat(200),
    currency: 'KWD',
    admits: 'listed',
    metadata: { admissionText: 'y'.repeat(500) },
  }
  const { id } = (await staff.post('/api/Registers', fields)).body.data
  const entry = { status: 'admitted', limit: 999_999_999_999.999, paddle: 'W'.repeat(10) }
  await staff.put(`/api/Registers/${id}/Bidders/9007199254740991`, entry)
  return ['', `/${id}`, `/${id}?bidder=9007199254740991`, `/${id}?import`].map((rest) => `#/registers${rest}`)
}

/** A list, an empty one and the form; the long form has all lists. */
const lists = [
  ...['#/ending', '#/newest?q=none', '#/new'],
  ...(isLong ? ['#/upcoming', '#/newest', '#/nothing', '#/ended', '#/bids', '#/selling'] : []),
]
const content = '.card, .panel, .empty, .found, main > p'

describeBrowser('the page', () => {
  describe.each(sampleOf(['light', 'dark'] as const))('in the %s scheme', (colorScheme) => {
    test('passes the checks of axe, and fits on 320 pixels in both directions', async () => {
      const open = await createAuctions()
      const profile = await openProfile({ colorScheme, viewport: { width: 320, height: 640 } })
      const token = tokenOf('staff', { permissions: [...permissions, managing, ...registering] })
      const registers = await createRegister(token)
      const page = await openPage({ url, profile, token })
      for (const view of [...lists, ...registers, `#/auctions/${open.id}`]) {
        await goTo(page, view)
        await appears(page.locator(content).first())
        for (const direction of ['rtl', 'ltr']) {
          await page.evaluate(`document.documentElement.dir = '${direction}'`)
          expect(await page.evaluate('document.documentElement.scrollWidth'), `${view} ${direction}`).toBe(320)
        }
        expect(await findings(page), view).toEqual([])
      }
      await shows(page, '¥1,234,567,890,123', '.price.large')
      for (const summary of await page.locator('.staff summary').all()) await summary.click()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
      await bid(page, '5')
      await shows(page, 'The bid is too low.')
      await page.getByRole('button', { name: 'Buy now for' }).click()
      expect(await findings(page)).toEqual([])
    })
  })

  longTest('fits if a reader makes its text twice as large', async () => {
    const open = await createAuctions()
    const page = await openPage({ url, profile: await openProfile({ viewport: { width: 640, height: 640 } }) })
    await page.evaluate("document.querySelector('#page').shadowRoot.querySelector('.page').style.fontSize = '200%'")
    for (const view of [...lists, `#/auctions/${open.id}`]) {
      await goTo(page, view)
      await appears(page.locator(content).first())
      expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBe(640)
    }
  })

  test('asks for another token if the service accepts none, and shows a reader only what the token permits', async () => {
    const { id } = await openAuction(server, { ownerId: 9 })
    const page = await openPage({ url, view: `#/auctions/${id}`, token: '' })
    const field = page.getByLabel('Token')
    await shows(page, 'This service requires a token.')
    expect(await findings(page)).toEqual([])
    await field.fill('garbage')
    await field.press('Enter')
    await shows(page, 'The service does not accept your token.')
    await field.fill(tokenOf('bidder', { permissions: ['auction-service:Bids:Create'] }))
    await field.press('Enter')
    await appears(page.getByRole('button', { name: 'Bid $100.00' }))
    expect(await page.getByText('Sell', { exact: true }).count()).toBe(0)
    await page.locator('.account summary').click()
    await appears(page.getByText('You act as user'))
    expect(await page.evaluate('localStorage.length')).toBe(0)
  })

  test('a visitor signs in to bid, in the way of the host', async () => {
    const open = await startServer({ environment: { ANONYMOUS_READS: 'on' } })
    const { id } = await openAuction(open)
    const page = await openPage({ url: open.url, view: `#/auctions/${id}`, token: '' })
    await page.getByRole('button', { name: 'Sign in to bid' }).click()
    await page.keyboard.type('a.b.c')
    expect(await page.getByLabel('Token').inputValue()).toBe('a.b.c')

    await page.evaluate(`(async () => {
      const { mountPage } = await import('/page/app.js')
      document.querySelector('#page').remove()
      const element = document.body.appendChild(document.createElement('section'))
      mountPage(element, { signIn: () => { document.title = 'Host' } })
    })()`)
    await page.getByRole('button', { name: 'Sign in to bid' }).click()
    await expect.poll(() => page.title()).toBe('Host')
  })

  test('asks for a new token when the service refuses the old one, and keeps what it shows', async () => {
    const auction = await openAuction(server)
    const profile = await openProfile()
    const page = await openPage({ url, view: `#/auctions/${auction.id}`, profile })
    await shows(page, '$100.00', '.price.large')
    await page.route('**/api/**', (route) =>
      route.fulfill({ status: 401, json: { success: false, status: 401, code: 'unauthenticated', message: '' } }),
    )
    // The page connects again.
    await profile.setOffline(true)
    await profile.setOffline(false)
    await shows(page, 'Sign in')
    await appears(page.locator('.page[data-stale]'))
    await shows(page, '$100.00', '.price.large')
    await page.unrouteAll()
    await page.getByLabel('Token').fill(tokenOf('anna'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await appears(page.locator('.page:not([data-stale])'))
    await auction.placeBid({ bidderId: 3, amount: 140 })
    await shows(page, '$140.00', '.price.large')
  })

  longTest('stays live by polling for a token that may not read bids, and so has no stream', async () => {
    const restricted = await startServer({ environment: { PERMISSIONS_BIDS_READ: 'see-bids' } })
    const auction = await openAuction(restricted)
    const page = await openPage({ url: restricted.url })
    await shows(page, '$100.00')
    await auction.placeBid({ bidderId: 3, amount: 140 })
    await shows(page, '$140.00')
    expect(await page.locator('.page[data-stale]').count()).toBe(0)
  })

  test('is used by keyboard alone to bid and to cancel', async () => {
    const { id } = await openAuction(server, { cancellableUntilEnd: true })
    const page = await openPage({ url, view: `#/auctions/${id}`, user: 1 })
    await act(page, '2')
    await press(page, page.getByRole('button', { name: 'Bid $100.00' }), 'Enter')
    await shows(page, 'You lead')
    await act(page, '1')
    await press(page, page.locator('summary', { hasText: 'Cancel the auction' }), 'Enter')
    await press(page, page.getByRole('button', { name: 'Cancel the auction' }), 'Enter')
    await press(page, page.getByRole('button', { name: /^Yes/ }), 'Enter')
    await shows(page, 'Cancelled', '.left')
  })

  longTest('is used by keyboard alone to sell, and by staff', async () => {
    server.clock.set(new Date().toISOString())
    const token = tokenOf('staff', { permissions: [...permissions, managing, forcing] })
    const page = await openPage({ url, token })
    const next = page.getByRole('button', { name: 'Next' })
    await press(page, page.getByRole('link', { name: 'Sell' }), 'Enter')
    await type(page, 'Title', 'Walnut desk')
    await page.keyboard.press('Enter')
    await type(page, 'Starting price', '1,000.50')
    await type(page, 'Increment', '5')
    await press(page, page.locator('summary', { hasText: 'Reserve, buy now, cancellation' }), 'Enter')
    await type(page, 'Buy-now price', '2000')
    await press(page, page.getByLabel('Can be cancelled until the end'), 'Space')
    await press(page, next, 'Enter')
    await press(page, page.locator('summary', { hasText: 'Late bids' }), 'Enter')
    await type(page, 'Minutes before the end in which a bid counts as late', '5')
    await type(page, 'Minutes from a late bid to the new end', '5')
    await press(page, next, 'Enter')
    await press(page, page.getByRole('button', { name: 'Create the auction' }), 'Enter')
    await shows(page, 'Walnut desk', 'h1')
    // The auction begins at the time of the page.
    server.clock.set(new Date(Date.now() + 60_000).toISOString())
    const form = page.locator('.staff details', { hasText: 'Withdraw the bids' })
    await press(page, form.locator('summary'), 'Enter')
    await press(page, form.getByLabel('Bidder', { exact: true }), '3')
    await press(page, form.getByLabel('Reason'), 'x')
    await press(page, form.getByRole('button'), 'Enter')
    await press(page, page.getByRole('button', { name: 'Yes: Withdraw the bids of User 3' }), 'Enter')
    await shows(page, 'This bidder has no bid that counts.')
  })
})

/** Chooses the user that the page acts for. */
async function act(page: Page, user: string): Promise<void> {
  await press(page, page.locator('.account summary'), 'Enter')
  await type(page, 'You act as user', user)
  await page.keyboard.press('Enter')
}

/** The element that has the focus. */
const focused = "(document.querySelector('#page').shadowRoot.activeElement ?? document.activeElement)"

type Target = ReturnType<Page['getByRole']>

/** Moves the focus to an element by Tab alone, and presses a key there. */
async function press(page: Page, target: Target, key: string): Promise<void> {
  await appears(target)
  await page.evaluate(`${focused}.blur()`)
  for (let moves = 0; moves < 60; moves++) {
    await page.keyboard.press('Tab')
    const isThere = await target.evaluate((found) => found === Reflect.get(found.getRootNode(), 'activeElement'))
    if (isThere) return page.keyboard.press(key)
  }
  throw new Error(`Tab does not reach ${target}`)
}

/** Moves the focus to a field by Tab alone, and types. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await press(page, page.getByLabel(label, { exact: true }), 'Control+A')
  await page.keyboard.type(text)
}
