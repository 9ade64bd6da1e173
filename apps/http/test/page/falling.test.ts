import { expect, test } from 'vitest'
import { describeBrowser, openProfile } from '../support/browser.ts'
import { openAuction } from '../support/client.ts'
import { serverOfFile } from '../support/server.ts'
import { appears, confirm, openPage, shows } from './open-page.ts'

const server = await serverOfFile()
const { url } = server

/** An auction that started 30 seconds ago, whose price falls once a minute. */
const running = () => ({
  ...{ format: 'falling', minimumBidIncrement: undefined, title: 'Table clock', startingPrice: 1_200 },
  falling: { decrement: 25, intervalSeconds: 60, floorPrice: 400 },
  startTime: new Date(server.clock.nowMs() - 30_000).toISOString(),
  endTime: new Date(server.clock.nowMs() + 3_600_000).toISOString(),
})

describeBrowser('an auction whose price falls, on the page', () => {
  test('is created with its own fields only', async () => {
    const page = await openPage({ url, profile: await openProfile(), view: '#/new', user: 1 })
    await page.getByLabel('Title').fill('Table clock')
    await page.getByRole('button', { name: 'Price' }).click()
    await page.getByLabel('Kind of auction').selectOption('falling')
    await shows(page, 'the first buyer gets it', '#format-hint')
    expect(await page.getByLabel('Increment', { exact: true }).count()).toBe(0)
    await page.getByLabel('Starting price').fill('100')
    await page.getByLabel('How much the price falls at each step').fill('5')
    await page.getByLabel('Lowest price').fill('100')
    await page.getByRole('button', { name: 'Next' }).click()
    await shows(page, 'Enter less than $100.00.', '.field:has([name=floorPrice])')
    await page.getByLabel('Lowest price').fill('60')
    await page.getByRole('button', { name: 'Preview' }).click()
    await shows(page, /^Falls to \$95\.00 in/, '.card .marks')
    await page.getByRole('button', { name: 'Create the auction' }).click()
    await shows(page, 'Open: the first buyer gets it', '.banner')
    await shows(page, /^The price falls by \$5\.00 every .1m., to \$60\.00 at the lowest\.$/, 'dd')
  })

  test('shows the price of now and the next one, and is bought for the price that the buyer saw', async () => {
    const auction = await openAuction(server, running())
    const page = await openPage({ url, profile: await openProfile(), view: `#/auctions/${auction.id}`, user: 3 })
    await shows(page, '$1,200.00', '.price.large')
    await shows(page, /^Next price: \$1,175\.00 in \u2068\d+s\u2069\./, '.terms')
    await page.getByRole('button', { name: 'Buy for $1,200.00' }).click()
    await shows(page, 'You pay $1,200.00, or less if the price falls first.', 'dialog')
    await confirm(page)
    await shows(page, 'Bought by you for $1,200.00', '.banner')
    await appears(page.locator('.banner').getByText('You won'))
  })

  test('that another buyer takes first is over, with the price that was paid', async () => {
    const auction = await openAuction(server, running())
    const page = await openPage({ url, profile: await openProfile(), view: `#/auctions/${auction.id}`, user: 3 })
    await page.getByRole('button', { name: 'Buy for $1,200.00' }).waitFor()
    expect((await auction.buyNow({ buyerId: 2, atMost: 1_200 })).status).toBe(201)
    await shows(page, 'Bought by User 2 for $1,200.00', '.banner')
    expect(await page.getByRole('button', { name: /^Buy/ }).count()).toBe(0)
  })
})
