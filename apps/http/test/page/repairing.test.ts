import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeBrowser, hangMs } from '../support/browser.ts'
import { openAuction } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { forcing, managing, permissions, reserveReader, tokenOf } from '../support/tokens.ts'
import { confirm, goTo, openPage, shows } from './open-page.ts'

const timeout = 2 * hangMs

/** Opens a form of staff, fills it in, and confirms what it asks. */
async function repair(page: Page, title: string, fields: Readonly<Record<string, string>>, asked = ''): Promise<void> {
  const form = page.locator('.staff details', { hasText: title })
  await form.locator('summary').click()
  for (const [label, text] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(text)
  await form.getByRole('button', { name: title }).click()
  await shows(page, asked, 'dialog.question')
  await confirm(page)
}

describeBrowser('repairs on the page', () => {
  test('staff extend, withdraw, lower and end, and bidders see each with its reason', { timeout }, async () => {
    const server = await startServer()
    const auction = await openAuction(server, { reservePrice: 500 })
    for (const [bidderId, amount] of [
      [2, 100],
      [3, 200],
      [4, 300],
    ] as const)
      await auction.placeBid({ bidderId, amount })
    const view = `#/auctions/${auction.id}`
    const token = tokenOf('staff', { permissions: [...permissions, managing, reserveReader] })
    const staff = await openPage({ url: server.url, view, user: 9, token })
    const bidder = await openPage({ url: server.url, view, user: 3 })
    await shows(bidder, 'You were outbid')
    expect(await bidder.locator('.staff').count()).toBe(0)

    const reason = 'Reason, visible to everyone'
    await repair(staff, 'Extend the auction', { [reason]: 'outage' })
    await shows(staff, 'The auction was extended.')
    await shows(bidder, /^Extended to .* by staff: outage/, '.repairs')

    const asked = 'All bids of User 4 go. The price is $300.00 now, and $200.00 at most afterwards.'
    const withdrawing = staff.locator('.staff details', { hasText: 'Withdraw the bids' })
    const offered = await withdrawing.locator('datalist option').allTextContents()
    expect(offered).toEqual(['User 4', 'User 3', 'User 2'])
    await withdrawing.locator('summary').click()
    await withdrawing.getByLabel('Bidder', { exact: true }).fill('Anna')
    await withdrawing.getByLabel(reason).fill('a slip')
    await withdrawing.getByRole('button').click()
    await withdrawing.getByText('Choose a bidder, or enter the id of one.').waitFor()
    await withdrawing.getByLabel('Bidder', { exact: true }).fill('User 4')
    await withdrawing.getByRole('button').click()
    await shows(staff, asked, 'dialog.question')
    await confirm(staff)
    await shows(bidder, '$200.00', '.price.large')
    await shows(bidder, 'You lead', '.banner')
    await shows(bidder, /^Bids of User 4 withdrawn by staff: a slip/, '.repairs')
    await bidder.locator('tbody tr[data-withdrawn]').waitFor()
    const rows = bidder.locator('tbody tr td:first-child')
    expect(await rows.allTextContents()).toEqual(['$300.00', '$200.00', '$100.00'])
    await shows(bidder, '$300.00', '.axis')

    const lowering = staff.locator('.staff details', { hasText: 'Lower the reserve' })
    await lowering.locator('summary').click()
    await lowering.getByLabel('New reserve').fill('500')
    await lowering.getByLabel(reason).fill('agreed')
    await lowering.getByRole('button').click()
    await lowering.getByText('Enter less than $500.00.').waitFor()
    await lowering.getByLabel('New reserve').fill('150')
    await lowering.getByRole('button').click()
    await confirm(staff)
    await shows(bidder, 'Reserve met', '.marks')
    await repair(staff, 'End the auction now', { [reason]: 'sold out' })
    await shows(bidder, 'Ended early by staff: sold out', '.repairs')
    server.clock.set('2030-01-31T12:05:00Z')
    await shows(bidder, 'Sold to you for $200.00', '.banner')
    await shows(bidder, 'Ended early', '.left')
    await staff.locator('.staff').waitFor({ state: 'detached' })
    // A withdrawn bidder is not outbid, in any list.
    const withdrawn = await openPage({ url: server.url, view: '#/bids', user: 4 })
    await withdrawn.locator('.card').waitFor()
    expect(await withdrawn.locator('.card .standing').count()).toBe(0)
    expect(await bidder.locator('.repairs li').count()).toBe(4)
    expect([...staff.troubles, ...bidder.troubles]).toEqual([])
  })

  test('staff cancel an auction with bids, and a question closes with its auction', { timeout }, async () => {
    const server = await startServer()
    const auction = await openAuction(server)
    await auction.placeBid()
    const token = tokenOf('staff', { permissions: [forcing] })
    const page = await openPage({ url: server.url, view: `#/auctions/${auction.id}`, user: 9, token })
    const form = page.locator('.staff details', { hasText: 'Cancel the auction' })
    await form.locator('summary').click()
    await form.getByLabel('Reason, visible to everyone').fill('Fake')
    await form.getByRole('button').click()
    const question = page.locator('dialog.question[open]')
    await question.waitFor()
    await goTo(page, '#/ending')
    await question.waitFor({ state: 'detached' })
    await goTo(page, `#/auctions/${auction.id}`)
    await form.locator('summary').click()
    await form.getByLabel('Reason, visible to everyone').fill('Fake')
    await form.getByRole('button').click()
    await confirm(page)
    await shows(page, 'Cancelled: Fake', '.banner')
    expect(page.troubles).toEqual([])
  })
})
