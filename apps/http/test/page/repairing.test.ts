import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeBrowser, hangMs } from '../support/browser.ts'
import { openAuction } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { managing, permissions, reserveReader, tokenOf } from '../support/tokens.ts'
import { openPage, shows } from './open-page.ts'

const timeout = 2 * hangMs

/** Opens a form of staff, fills it in, and confirms what it asks. */
async function repair(page: Page, title: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const form = page.locator('.staff details', { hasText: title })
  await form.locator('summary').click()
  for (const [label, text] of Object.entries(fields)) await form.getByLabel(label).fill(text)
  await form.getByRole('button', { name: title }).click()
  await form.getByRole('button', { name: /^Yes: / }).click()
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

    await repair(staff, 'Withdraw the bids of a bidder', { 'Id of the bidder': '4', [reason]: 'a slip' })
    await shows(bidder, '$200.00', '.price.large')
    await shows(bidder, 'You lead', '.banner')
    await shows(bidder, /^Bids of User 4 withdrawn by staff: a slip/, '.repairs')
    await bidder.locator('tbody tr[data-withdrawn]').waitFor()
    const rows = bidder.locator('tbody tr td:first-child')
    expect(await rows.allTextContents()).toEqual(['$300.00', '$200.00', '$100.00'])
    await shows(bidder, '$300.00', '.axis')

    await repair(staff, 'Lower the reserve', { 'New reserve': '150', [reason]: 'agreed' })
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
})
