import { join } from 'node:path'
import { servePage } from './serve-page.ts'

// Draws the pictures of the README, in both schemes: the page of an auction on a real server, whose clock is set.

const folder = join(import.meta.dirname, '../../../../docs/images')
const startTime = '2030-01-31T11:00:00Z'
const desk = {
  ...{ productId: 7, ownerId: 1, title: 'Walnut desk', description: 'Four drawers, one key.', currency: 'USD' },
  ...{ startingPrice: 100, minimumBidIncrement: 5, reservePrice: 300, startTime, endTime: '2030-01-31T12:00:00Z' },
  softClose: { windowSeconds: 300, extensionSeconds: 300, latestEndTime: '2030-01-31T13:00:00Z' },
}
/** The minute, bidder, amount and maximum of each bid. */
const bids = [
  [4, 2, 100],
  [9, 3, 120, 180],
  [17, 2, 140],
  [28, 4, 200],
  [33, 2, 210],
  [41, 4, 240, 330],
  [52, 2, 310],
  [56, 3, 350],
  [57, 2, 365],
] as const

const { clock, browser, link, post, close } = await servePage(startTime)
await post('/api/Auctions', desk)
for (const [minute, bidderId, amount, maximumAmount = null] of bids) {
  clock.set(new Date(Date.parse(startTime) + minute * 60_000).toISOString())
  await post('/api/Bids', { auctionId: 1, bidderId, amount, maximumAmount })
}

for (const colorScheme of ['light', 'dark'] as const) {
  const viewport = { width: 960, height: 720 }
  const context = await browser.newContext({ colorScheme, viewport, locale: 'en-US', timezoneId: 'UTC' })
  const page = await context.newPage()
  await page.goto(link(3))
  await page.getByRole('link', { name: 'Walnut desk' }).click()
  await page.getByText('Outbid').waitFor()
  await page.screenshot({ path: join(folder, `page-${colorScheme}.png`) })
}
await close()
