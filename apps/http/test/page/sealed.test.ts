import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ringAuction } from '../../src/api/operations/example-data.ts'
import { describeBrowser, openProfile } from '../support/browser.ts'
import { newCaller, openAuction } from '../support/client.ts'
import { serverOfFile, startServer } from '../support/server.ts'
import { managing, permissions } from '../support/tokens.ts'
import { appears, goTo, openPage, shows } from './open-page.ts'

const server = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
const { url } = server

const userToken = (uid: number, more: readonly string[] = []) =>
  newCaller({ uid, permissions: [...permissions, ...more] })

const openRing = (fields: object = {}) =>
  openAuction(server, { description: undefined, ...ringAuction, ...fields }, userToken(4))

/** Opens the page of an auction, or another view, as a user. */
const openAs = async (uid: number, view: string, more: readonly string[] = []) =>
  openPage({ url, profile: await openProfile(), view, user: uid, token: userToken(uid, more) })

/** Places a sealed bid, and confirms it. */
async function seal(page: Page, amount: string): Promise<void> {
  await page.locator('form.bid').getByRole('textbox').fill(amount)
  await page.getByRole('button', { name: /^(Place sealed bid|Replace your bid)$/ }).click()
  await page
    .locator('dialog')
    .getByRole('button', { name: /^Yes, bid/ })
    .click()
}

/** Ends auctions, after the margin for clock differences. */
async function close(): Promise<void> {
  server.clock.set('2030-02-07T12:00:02Z')
  await server.service.closeDue()
}

const contentOf = (page: Page) => page.locator('main').innerHTML()

describeBrowser('an auction with sealed bids, on the page', () => {
  test('is created with its own fields only, and says how it works', async () => {
    const page = await openAs(4, '#/new')
    await page.getByLabel('Title').fill('Ring')
    await page.getByRole('button', { name: 'Price' }).click()
    await page.getByLabel('Kind of auction').selectOption('sealed')
    await shows(page, 'Bids are secret until the end', '#format-hint')
    expect(await page.getByLabel('Increment', { exact: true }).count()).toBe(0)
    await page.getByLabel('The second-highest bid').check()
    await page.getByLabel('The result and the bids').check()
    await page.getByLabel('Starting price').fill('100')
    await page.getByLabel('Reserve').fill('120')
    await page.getByRole('button', { name: 'Preview' }).click()
    await shows(page, 'Sealed bids', '.card .offer')
    await page.getByRole('button', { name: 'Create the auction' }).click()
    await shows(page, 'Open for sealed bids', '.banner')
    await shows(page, /pays only the second-highest one/, '.terms')
    await shows(page, /even from you\. After the end, everyone sees .* the last bid of each bidder\.$/, '.terms')
    await shows(page, 'Your reserve: $120.00', '.terms')
    expect(await page.locator('form.bid').count()).toBe(0)
  })

  test('takes a bid, a lower one instead of it, and a withdrawal', async () => {
    const auction = await openRing()
    const page = await openAs(2, `#/auctions/${auction.id}`)
    await seal(page, '150')
    await shows(page, 'Your bid: $150.00', '.banner')
    await shows(page, 'Your bid is sealed.', '.messages')
    await seal(page, '110')
    await shows(page, 'Your bid: $110.00', '.banner')
    await page.reload()
    await shows(page, 'Your bid: $110.00', '.banner')
    await goTo(page, '#/bids')
    await shows(page, 'Sealed: $110.00', '.card .standing')
    await goTo(page, `#/auctions/${auction.id}`)
    await page.getByRole('button', { name: 'Withdraw your bid' }).click()
    await page.getByRole('button', { name: 'Yes, withdraw it' }).click()
    await shows(page, 'Bid withdrawn', '.banner')
    await page.getByRole('button', { name: 'Place sealed bid' }).waitFor()
    await goTo(page, '#/bids')
    await shows(page, 'Bid withdrawn', '.card .standing')
    expect((await auction.as(userToken(2)).read()).youBid).toBeNull()
  })

  test('refuses in words what the service would refuse', async () => {
    const auction = await openRing()
    const page = await openAs(2, `#/auctions/${auction.id}`)
    await page.getByRole('button', { name: 'Place sealed bid' }).click()
    await shows(page, /^Enter an amount in USD/, '.messages')
    await page.locator('form.bid').getByRole('textbox').fill('99.99')
    await page.getByRole('button', { name: 'Place sealed bid' }).click()
    await shows(page, 'Enter at least $100.00.', '.messages')
    await seal(page, '150')
    await shows(page, 'Your bid: $150.00', '.banner')
    const blocking = { bidderId: 2, reason: 'Asked for it.', block: true }
    await auction.as(userToken(9, [managing])).post(`/api/Auctions/${auction.id}/Withdrawal`, blocking)
    await shows(page, 'Bid withdrawn', '.banner')
    await seal(page, '150')
    await shows(page, 'Staff have excluded you from this auction.', '.messages')
  })

  test('has a result, which winner, loser and stranger see, and no amount is shown before it', async () => {
    const auction = await openRing()
    const view = `#/auctions/${auction.id}`
    const [winner, loser, stranger] = [await openAs(2, view), await openAs(3, view), await openAs(5, view)]
    await seal(winner, '155.55')
    await seal(loser, '133.33')
    await shows(winner, 'Your bid: $155.55', '.banner')
    await shows(loser, 'Your bid: $133.33', '.banner')
    await stranger.reload()
    await shows(stranger, 'Seller', 'dt')
    for (const amount of ['155.55', '133.33']) expect(await contentOf(stranger)).not.toContain(amount)
    await goTo(stranger, '#/ending')
    await appears(stranger.locator('.card').getByText('Sealed bids').first())
    for (const amount of ['155.55', '133.33']) expect(await contentOf(stranger)).not.toContain(amount)
    await goTo(stranger, view)
    await close()
    await shows(winner, 'You won', '.banner')
    await shows(winner, 'To pay: $133.33', '.banner')
    await shows(winner, 'Your bid: $155.55', '.terms')
    await shows(loser, 'You did not win', '.banner')
    await shows(stranger, 'Sold to User 2 for $133.33', '.banner')
    await shows(stranger, '2 bidders', '.terms')
    expect(await contentOf(stranger)).not.toContain('155.55')
    await goTo(loser, '#/bids')
    await shows(loser, 'You did not win', '.card .standing')
  })

  test('shows the last bid of each bidder after the end, if the seller chose that', async () => {
    const auction = await openRing({ pricing: 'first', reveal: 'bids' })
    for (const [bidderId, amount] of [
      [2, 110],
      [3, 130],
      [2, 150],
    ] as const)
      await auction.as(userToken(bidderId)).placeBid({ bidderId, amount })
    const page = await openAs(2, `#/auctions/${auction.id}`)
    await shows(page, 'Your bid: $150.00', '.banner')
    expect(await page.locator('tbody tr').count()).toBe(0)
    await close()
    const amounts = page.locator('tbody tr td:first-child')
    await expect.poll(() => amounts.allTextContents()).toEqual(['$150.00', '$130.00'])
  })

  test('shows a bid in its tab only, if callers are not bound to users', async () => {
    const unbound = await startServer()
    const auction = await openAuction(unbound, { description: undefined, ...ringAuction })
    const view = `#/auctions/${auction.id}`
    const page = await openPage({ url: unbound.url, profile: await openProfile(), view })
    await shows(page, /^Bids that you placed earlier are not shown here/, 'form.bid')
    await page.getByRole('button', { name: 'Withdraw your bid' }).click()
    await page.getByRole('button', { name: 'Yes, withdraw it' }).click()
    await shows(page, 'You have no bid to withdraw.', '.messages')
    await seal(page, '150')
    await shows(page, 'Your bid: $150.00', '.banner')
    await page.reload()
    await shows(page, 'Open for sealed bids', '.banner')
    await shows(page, /^Bids that you placed earlier are not shown here/, 'form.bid')
  })

  test('has no price in the element for other pages', async () => {
    const auction = await openRing()
    await auction.as(userToken(2)).placeBid({ bidderId: 2, amount: 150 })
    const page = await openAs(5, '#/ending')
    await page.evaluate(`import('/page/auction-live.js').then(() => {
      const element = document.createElement('auction-live')
      element.setAttribute('auction', '${auction.id}')
      element.token = '${userToken(5)}'
      document.body.append(element)
    })`)
    const element = page.locator('auction-live')
    await appears(element.locator('[part=price]').getByText('Sealed bids', { exact: true }))
    expect(await element.locator('article').textContent()).not.toContain('$')
  })

  test('tells staff nothing of bids, whether there are some or not', async () => {
    const auction = await openRing()
    await auction.as(userToken(3)).placeBid({ bidderId: 3, amount: 150 })
    const page = await openAs(9, `#/auctions/${auction.id}`, [managing])
    await page.locator('summary').getByText('Withdraw the bids of a bidder').click()
    for (const bidderId of ['2', '3']) {
      const form = page.locator('details[open]')
      await form.getByLabel('Bidder', { exact: true }).fill(bidderId)
      await form.getByLabel('Reason').fill('Asked for it.')
      await form.getByRole('button').click()
      await shows(page, /^Any bids of this bidder go\./, 'dialog')
      await page.locator('dialog').getByRole('button', { name: /^Yes/ }).click()
      await shows(page, 'No bid of this bidder counts any more.', '.staff')
      await shows(page, `Any bids of User ${bidderId} withdrawn by staff: Asked for it.`, '.repairs')
    }
  })
})
