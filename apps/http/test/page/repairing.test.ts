import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeBrowser } from '../support/browser.ts'
import { newCaller, openAuction } from '../support/client.ts'
import { serverOfFile } from '../support/server.ts'
import { forcing, managing, reserveReader } from '../support/tokens.ts'
import { appears, confirm, goTo, openPage, shows } from './open-page.ts'

const server = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
const { url } = server
const reason = 'Reason, visible to everyone'
const newReserve = 'New reserve (USD); 0 removes it'

/** Opens a form of staff, fills it in, and sends it, which asks first. */
async function fill(page: Page, title: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const form = page.locator('.staff details', { hasText: title })
  const label = form.getByLabel(reason)
  if (!(await label.isVisible())) await form.locator('summary').click()
  for (const [name, text] of Object.entries(fields)) await form.getByLabel(name, { exact: true }).fill(text)
  await form.getByRole('button').click()
}

describeBrowser('repairs on the page', () => {
  test('staff extend, withdraw, lower, end and cancel, and bidders see each with its reason', async () => {
    const auction = await openAuction(server, { reservePrice: 500 }, newCaller({ uid: 1 }))
    for (const [bidderId, amount] of [
      [2, 100],
      [3, 200],
      [4, 300],
    ] as const)
      await auction.as(newCaller({ uid: bidderId })).placeBid({ bidderId, amount })
    const view = `#/auctions/${auction.id}`
    const token = newCaller({ uid: 9, permissions: [managing, forcing, reserveReader] })
    const staff = await openPage({ url, view, token })
    const bidder = await openPage({ url, view, token: newCaller({ uid: 3 }) })
    await shows(bidder, 'You were outbid')
    await shows(bidder, 'Reserve not met', '.marks')
    expect(await bidder.locator('.staff').count()).toBe(0)

    await fill(staff, 'Extend the auction', { [reason]: 'outage' })
    await confirm(staff)
    await shows(staff, 'The auction was extended.')
    await shows(bidder, /^Extended to .* by staff: outage/, '.repairs')
    // Callers who are not staff do not see who did it.
    await shows(staff, /^By 9/, '.repairs')
    expect(await bidder.locator('.repairs').getByText('By 9').count()).toBe(0)

    const offered = await staff.locator('datalist option').allTextContents()
    expect(offered).toEqual(['User 4', 'User 3', 'User 2'])
    await fill(staff, 'Withdraw the bids', { Bidder: 'Anna', [reason]: 'a slip' })
    await shows(staff, 'Choose a bidder, or enter the id of one.')
    await fill(staff, 'Withdraw the bids', { Bidder: 'User 4' })
    await shows(staff, 'All bids of User 4 go. The price is $300.00 now, and $200.00 at most afterwards.', 'dialog')
    await confirm(staff)
    await shows(bidder, '$200.00', '.price.large')
    await shows(bidder, 'You lead', '.banner')
    await shows(bidder, /^Bids of User 4 withdrawn by staff: a slip/, '.repairs')
    await appears(bidder.locator('tbody tr[data-withdrawn]'))
    const rows = bidder.locator('tbody tr td:first-child')
    expect(await rows.allTextContents()).toEqual(['$300.00', '$200.00', '$100.00'])
    await shows(bidder, '$300.00', '.axis')

    await fill(staff, 'Lower the reserve', { [newReserve]: '500', [reason]: 'agreed' })
    await shows(staff, 'Enter less than $500.00.')
    await fill(staff, 'Lower the reserve', { [newReserve]: '150' })
    await confirm(staff)
    await shows(bidder, 'Reserve met', '.marks')
    await fill(staff, 'End the auction now', { [reason]: 'sold out' })
    await confirm(staff)
    await shows(bidder, 'Ended early by staff: sold out', '.repairs')
    server.clock.set('2030-01-31T12:05:00Z')
    await shows(bidder, 'Sold to you for $200.00', '.banner')
    await shows(bidder, 'Ended early', '.left')
    expect(await bidder.locator('.repairs li').count()).toBe(4)
    await staff.locator('.staff').waitFor({ state: 'detached' })
    // A withdrawn bidder is not outbid, in any list.
    const withdrawn = await openPage({ url, view: '#/bids', token: newCaller({ uid: 4 }) })
    await appears(withdrawn.locator('.card'))
    expect(await withdrawn.locator('.card .standing').count()).toBe(0)

    const other = await openAuction(server, {}, newCaller({ uid: 1 }))
    await other.as(newCaller({ uid: 2 })).placeBid()
    await goTo(staff, `#/auctions/${other.id}`)
    await fill(staff, 'Cancel the auction', { [reason]: 'Fake' })
    const question = staff.locator('dialog.question[open]')
    await appears(question)
    // A question closes with its auction.
    await goTo(staff, '#/ending')
    await question.waitFor({ state: 'detached' })
    await goTo(staff, `#/auctions/${other.id}`)
    await fill(staff, 'Cancel the auction', { [reason]: 'Fake' })
    await confirm(staff)
    await shows(staff, 'Cancelled: Fake', '.banner')
  })
})
