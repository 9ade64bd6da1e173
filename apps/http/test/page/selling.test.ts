import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sampleOf } from '../../../../tools/vitest/size.ts'
import { describeBrowser, openProfile } from '../support/browser.ts'
import { clientOf, newCaller, openAuction } from '../support/client.ts'
import { serverOfFile } from '../support/server.ts'
import { correctingOwn, permissions, tokenOf } from '../support/tokens.ts'
import { appears, bid, confirm, openPage, servePictures, shows } from './open-page.ts'

const server = await serverOfFile()
const { url } = server
const bound = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })

/** An auction of user 1, its page, and the button that corrects it. */
async function openOwn(fields: object) {
  const token = tokenOf('seller', { uid: 1, permissions: [...permissions, correctingOwn] })
  const auction = await openAuction(bound, fields, token)
  const profile = await openProfile({ timezoneId: 'UTC' })
  const page = await openPage({ url: bound.url, view: `#/auctions/${auction.id}`, token, profile })
  await page.getByText('Correct the auction').first().click()
  return { auction, page, correct: () => page.getByRole('button', { name: 'Correct the auction' }).click() }
}

const moveTo = (page: Page, button: string) => page.getByRole('button', { name: button }).click()

describeBrowser('selling on the page', () => {
  test('an auction is created with increments, and times in the zone of the seller, with errors next to the fields', async () => {
    const profile = await openProfile({ timezoneId: 'Europe/Berlin' })
    const page = await openPage({ url, profile, view: '#/new', user: 1 })
    await moveTo(page, 'Price')
    await page.getByLabel('Starting price').fill('50')
    await moveTo(page, 'Next')
    await shows(page, 'Enter a value.', '.field:has([name=minimumBidIncrement])')
    await page.getByLabel('Increment', { exact: true }).fill('5')
    await page.locator('summary', { hasText: 'Increments, limit of a bid' }).click()
    const steps = page.getByLabel('Increments from a price on')
    await steps.fill('100: 10\n500')
    await moveTo(page, 'Next')
    await shows(page, 'Enter a price and its increment in USD in each line', '.field:has([name=incrementSteps])')
    await steps.fill('100: 10\n1,000: 7.50')
    await page.getByLabel('How far a bid may exceed the price').fill('500')
    await moveTo(page, 'Next')
    await shows(page, 'Times are in the time zone \u2068Europe/Berlin\u2069.')
    await page.getByLabel('End', { exact: true }).fill('2030-04-01T12:00')
    const start = page.getByLabel('Start (if empty: now)')
    // A date without a time must not mean now.
    await start.pressSequentially('03312030')
    await moveTo(page, 'Next')
    await shows(page, 'Enter a date and a time.', '.field:has([name=startTime])')
    await start.fill('2030-03-31T02:30')
    await moveTo(page, 'Next')
    await shows(page, /^This time does not exist/, '.field:has([name=startTime])')
    await start.fill('2030-03-31T03:30')
    await moveTo(page, 'Next')
    await shows(page, 'Europe/Berlin', 'dd')
    await moveTo(page, 'Create the auction')
    // The service refuses it, and the form returns to the step.
    await shows(page, 'Line 2: increment must be at least the increment of the step before.')
    await steps.fill('100: 10\n1,000: 25.50\n')
    await moveTo(page, 'Preview')
    await moveTo(page, 'Create the auction')
    await shows(page, 'Not open yet', '.state')
    const { body } = await clientOf(server).get('/api/Auctions?limit=1')
    expect(body.data.items).toMatchObject([
      {
        startTime: '2030-03-31T01:30:00.000Z',
        incrementSteps: [
          { fromPrice: 100, increment: 10 },
          { fromPrice: 1000, increment: 25.5 },
        ],
        maximumBidIncrement: 500,
      },
    ])
  })

  test('a seller corrects the start, the increments, the guard and the late bids, with errors next to the fields', async () => {
    const times = { startTime: '2030-01-31T13:00:00Z', endTime: '2030-01-31T15:00:00Z' }
    const { auction, page, correct } = await openOwn(times)
    await page.getByLabel('Increments from a price on').fill('200')
    await page.getByLabel('How far a bid may exceed the price').fill('x')
    await correct()
    await shows(page, 'Enter a price and its increment in USD', '.field:has([name=incrementSteps])')
    await shows(page, 'Enter an amount in USD, such as 100.00.', '.field:has([name=maximumBidIncrement])')
    await page.getByLabel('Increments from a price on').fill('200: 2')
    await page.getByLabel('How far a bid may exceed the price').fill('500')
    await correct()
    await shows(page, 'Line 1: increment must be', '.field:has([name=incrementSteps])')
    await page.getByLabel('Increments from a price on').fill('200: 20')
    await page.getByLabel('Start (if empty: now)').fill('2030-01-31T13:30')
    await page.getByLabel('Minutes before the end in which').fill('3')
    await page.getByLabel('Minutes from a late bid').fill('4')
    await page.getByLabel('Latest end').fill('2030-01-31T16:00')
    await correct()
    await shows(page, 'The auction was corrected.')
    const incrementSteps = [{ fromPrice: 200, increment: 20 }]
    const softClose = { windowSeconds: 180, extensionSeconds: 240, latestEndTime: '2030-01-31T16:00:00.000Z' }
    const startTime = '2030-01-31T13:30:00.000Z'
    expect(await auction.read()).toMatchObject({ startTime, incrementSteps, maximumBidIncrement: 500, softClose })
    await page.getByLabel('Increments from a price on').fill('')
    await page.getByLabel('Or the increment in percent').fill('2.5')
    await page.getByLabel('Minutes before the end in which').fill('')
    await correct()
    await shows(page, 'Bids rise by 2.5% of the price', '.terms')
    expect(await auction.read()).toMatchObject({ incrementPercent: 2.5 })
    expect(await auction.read()).not.toHaveProperty('softClose')
    bound.clock.set('2030-01-31T13:31:00Z')
    await page.reload()
    await page.getByText('Correct the auction').first().click()
    await appears(page.getByLabel('Title'))
    expect(await page.getByLabel('Start (if empty: now)').count()).toBe(0)
  })

  test('a correction of how a price falls keeps the rest of it', async () => {
    const falling = { decrement: 25, intervalSeconds: 60, floorPrice: 40 }
    const times = { startTime: '2030-03-31T13:00:00Z', endTime: '2030-03-31T15:00:00Z' }
    const { auction, page, correct } = await openOwn({
      format: 'falling',
      minimumBidIncrement: undefined,
      falling,
      ...times,
    })
    await page.getByLabel('Lowest price').fill('50')
    await correct()
    await shows(page, 'The auction was corrected.')
    expect(await auction.read()).toMatchObject({ falling: { ...falling, floorPrice: 50 } })
  })

  test('a correction sends only what the seller has changed, and replaces only the state that it has read, until the first bid', async () => {
    const texts = { title: ' Desk ', description: 'Four drawers.\r\nOne key.\n' }
    const { auction, page, correct } = await openOwn({ ...texts, buyNowPrice: 900, reservePrice: 500 })
    await shows(page, 'Your reserve: $500.00')
    await page.getByLabel('Starting price').fill('80.50')
    await page.getByLabel('Buy-now price').fill('')
    await correct()
    await shows(page, 'The auction was corrected.')
    expect(await auction.read()).toMatchObject({ ...texts, startingPrice: 80.5, minimumBidIncrement: 5 })
    expect(await auction.read()).not.toHaveProperty('buyNowPrice')

    await page.getByLabel('Title').fill('Mine')
    await auction.patch(`/api/Auctions/${auction.id}`, { title: 'Theirs' }, { 'if-match': '*' })
    // The state that this form reads is not the one that the other form has read.
    const lowering = page.locator('details', { hasText: 'Lower the reserve' })
    await lowering.locator('summary').click()
    await lowering.getByLabel('New reserve').fill('400')
    await lowering.getByRole('button', { name: 'Lower the reserve' }).click()
    await confirm(page)
    await shows(page, 'The reserve was lowered.')
    await shows(page, 'Reserve lowered by the seller', '.repairs')
    await shows(page, 'Corrected by the seller', '.repairs')
    await correct()
    await shows(page, 'The auction has changed.')
    expect(await auction.read()).toMatchObject({ title: 'Theirs' })
    await correct()
    await shows(page, 'The auction was corrected.')
    expect(await auction.read()).toMatchObject({ title: 'Mine', reservePrice: 400 })

    await auction.as(newCaller({ uid: 2 })).placeBid({ bidderId: 2, amount: 90 })
    await shows(page, /^1 bid/, '.marks')
    expect(await page.getByText('Correct the auction').count()).toBe(0)
  })

  test.each(sampleOf([390, 1200]))(
    'a whole sale at %i pixels: created with a picture, bid up, extended late, and sold',
    async (width) => {
      const open = async (user: number, view: string) => {
        const profile = await openProfile({ viewport: { width, height: 844 }, timezoneId: 'UTC' })
        await servePictures(profile)
        return openPage({ url, user, view, profile })
      }
      const seller = await open(1, '#/new')
      await seller.getByLabel('Title').fill('Walnut desk')
      await seller.getByLabel(/^Pictures: up to 10/).fill('https://pictures.example/desk.svg')
      await moveTo(seller, 'Next')
      await seller.getByLabel('Starting price').fill('100')
      await seller.getByLabel('Increment', { exact: true }).fill('5')
      await seller.locator('summary', { hasText: 'Increments, limit of a bid' }).click()
      await seller.getByLabel('Or the increment in percent of the price').fill('2.5')
      await moveTo(seller, 'Next')
      await seller.getByLabel('End', { exact: true }).fill('2030-01-31T12:30')
      await moveTo(seller, 'Next')
      await shows(seller, 'Bids rise by 2.5% of the price, by at least $5.00.', '.create')
      await moveTo(seller, 'Create the auction')
      await shows(seller, 'Bids rise by 2.5% of the price, by at least $5.00.', '.terms')
      const view = new URL(seller.url()).hash

      server.clock.set('2030-01-31T12:10:00Z')
      const [ann, bob] = [await open(2, view), await open(3, view)]
      await appears(ann.locator('img.picture'))
      await bid(ann, '100', '200')
      await shows(ann, 'Your bid leads.')
      await bid(bob, '150')
      await shows(bob, 'another bidder’s maximum outbid it')
      await shows(bob, 'You were outbid', '.banner')
      server.clock.set('2030-01-31T12:29:00Z')
      await bid(bob, '250')
      await shows(bob, 'You lead', '.banner')
      await shows(ann, 'You were outbid', '.banner')
      await shows(ann, /^Late bids moved the end from .*12:30:00/, '.extended')
      server.clock.set('2030-01-31T12:35:00Z')
      await shows(bob, 'Sold to you for $250.00', '.banner')
      await shows(bob, 'To pay: $250.00')
      await shows(ann, 'Sold to User 3 for $250.00', '.banner')
      const isWider = 'document.documentElement.scrollWidth > innerWidth'
      for (const page of [seller, ann, bob]) {
        const amounts = page.locator('tbody tr td:first-child')
        // The page reads the bids again after each event.
        await expect.poll(() => amounts.allTextContents()).toEqual(['$250.00', '$155.00', '$150.00', '$100.00'])
        expect(await page.evaluate(isWider)).toBe(false)
      }
    },
  )
})
