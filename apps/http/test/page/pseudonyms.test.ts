import { expect, test } from 'vitest'
import { longTest } from '../../../../tools/vitest/long-test.ts'
import { describeBrowser, openProfile } from '../support/browser.ts'
import { newCaller, openAuction } from '../support/client.ts'
import { serverOfFile } from '../support/server.ts'
import { appears, bid, confirm, goTo, openPage, shows } from './open-page.ts'

const server = await serverOfFile({
  environment: { PSEUDONYM_SECRET: 'a secret for pseudonyms that only the tests know', JWT_SUBJECT_CLAIM: 'uid' },
})
const { url } = server

describeBrowser('the page with pseudonyms', () => {
  test('shows bidders by pseudonyms, the bids of the user, and a purchase to its buyer', async () => {
    const owner = newCaller({ uid: 1 })
    const auction = await openAuction(server, {}, owner)
    const view = `#/auctions/${auction.id}`
    const page = await openPage({ url, view, token: newCaller({ uid: 2 }) })
    await bid(page, '100', '105')
    await shows(page, 'You lead')
    await shows(page, 'Your maximum: $105.00')
    await auction.as(newCaller({ uid: 3 })).placeBid({ bidderId: 3, amount: 120 })
    await shows(page, 'You were outbid')
    const names = page.locator('tbody tr td:nth-child(2)')
    await expect.poll(() => names.allTextContents()).toEqual([expect.stringMatching(/^Bidder \w{4}$/), 'You'])

    const { id } = await openAuction(server, { buyNowPrice: 900 }, owner)
    await goTo(page, `#/auctions/${id}`)
    await bid(page, '1000')
    await shows(page, 'You can buy it now for $900.00, so a bid must be lower.')
    await page.getByRole('button', { name: 'Buy now for $900.00' }).click()
    await shows(page, 'This ends the auction', 'dialog')
    await confirm(page)
    await shows(page, 'You won', '.banner')
    await page.reload()
    await shows(page, 'To pay: $900.00', '.banner')
    // What all readers see has the pseudonym of the buyer.
    await appears(page.locator('.page:not([data-stale])'))
    await shows(page, 'Bought by you for $900.00', '.banner')
    await goTo(page, '#/bids')
    await shows(page, 'You won', '.card .standing')
  })

  for (const first of ['stream', 'read'])
    longTest(`never shows "outbid" after a bid that leads, if the ${first} arrives first`, async () => {
      const auction = await openAuction(server, {}, newCaller({ uid: 1 }))
      const profile = await openProfile()
      if (first === 'read') await profile.route('**/Events*', (route) => route.abort())
      const view = `#/auctions/${auction.id}`
      const page = await openPage({ url, view, profile, token: newCaller({ uid: 2 }) })
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
      await appears(page.locator('.page:not([data-stale])'))
      await shows(page, 'You lead', '.banner')
      const seen: readonly string[] = await page.evaluate('globalThis.seen')
      expect(seen.filter((text) => text?.includes('outbid'))).toEqual([])
    })
})
