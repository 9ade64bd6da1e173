import { expect, test } from 'vitest'
import { describeBrowser, hangMs, openProfile } from '../support/browser.ts'
import { clientOf, openAuction } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { correctingOwn, managing, permissions, tokenOf } from '../support/tokens.ts'
import { confirm, goTo, openPage, shows } from './open-page.ts'

const timeout = 2 * hangMs
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

describeBrowser('selling on the page', () => {
  test('shows the picture of an https URL, in lists and on the auction, without a referrer', { timeout }, async () => {
    const server = await startServer()
    const pictureUrl = 'https://pictures.example/desk.gif'
    const { id } = await openAuction(server, { metadata: { pictureUrl } })
    const others = ['http://pictures.example/a.gif', 'javascript:alert(1)', 'data:image/gif;base64,R0', '/page/a.gif']
    for (const url of others) await openAuction(server, { metadata: { pictureUrl: url } })
    const page = await openPage({ url: server.url })
    const sent: (string | undefined)[] = []
    await page.route('https://pictures.example/**', async (route) => {
      sent.push(route.request().headers()['referer'])
      await route.fulfill({ body: pixel, contentType: 'image/gif' })
    })
    for (const view of ['#/newest', `#/auctions/${id}`]) {
      await goTo(page, view)
      const picture = page.locator('img.picture')
      await picture.first().waitFor()
      expect([await picture.count(), await picture.first().getAttribute('src')]).toEqual([1, pictureUrl])
    }
    expect(new Set(sent)).toEqual(new Set([undefined]))
    expect(page.troubles).toEqual([])
  })

  test('a correction sends only what the seller has changed', { timeout }, async () => {
    const server = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
    const token = tokenOf('seller', { uid: 1, permissions: [...permissions, correctingOwn] })
    const texts = { title: ' Desk ', description: 'Four drawers.\r\nOne key.\n' }
    const auction = await openAuction(server, { ownerId: 1, ...texts }, token)
    const page = await openPage({ url: server.url, view: `#/auctions/${auction.id}`, user: 1, token })
    await page.getByText('Correct the auction').first().click()
    await page.getByLabel('Starting price').fill('80.5')
    await page.getByRole('button', { name: 'Correct the auction' }).click()
    await shows(page, 'The auction was corrected.')
    expect(await auction.read()).toMatchObject({ ...texts, startingPrice: 80.5 })
    expect(page.troubles).toEqual([])
  })

  test('a seller corrects the start, the increments, the guard and the late bids, with errors next to the fields', {
    timeout,
  }, async () => {
    const server = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
    const token = tokenOf('seller', { uid: 1, permissions: [...permissions, correctingOwn] })
    const times = { startTime: '2030-01-31T13:00:00Z', endTime: '2030-01-31T15:00:00Z' }
    const auction = await openAuction(server, { ownerId: 1, ...times }, token)
    const profile = await openProfile({ timezoneId: 'UTC' })
    const view = `#/auctions/${auction.id}`
    const page = await openPage({ url: server.url, view, user: 1, token, profile })
    const correct = page.getByRole('button', { name: 'Correct the auction' })
    await page.getByText('Correct the auction').first().click()
    await page.getByLabel('Increments from a price on').fill('200')
    await page.getByLabel('How far a bid may exceed the price').fill('x')
    await correct.click()
    await shows(page, 'Enter a price and its increment in USD', '.field:has([name=incrementSteps])')
    await shows(page, 'Enter an amount in USD, such as 100.00.', '.field:has([name=maximumBidIncrement])')
    await page.getByLabel('Increments from a price on').fill('200: 2')
    await page.getByLabel('How far a bid may exceed the price').fill('500')
    await correct.click()
    await shows(page, 'Line 1: increment must be', '.field:has([name=incrementSteps])')
    await page.getByLabel('Increments from a price on').fill('200: 20')
    await page.getByLabel('Start (if empty: now)').fill('2030-01-31T13:30')
    await page.getByLabel('Minutes before the end in which').fill('3')
    await page.getByLabel('Minutes from a late bid').fill('4')
    await page.getByLabel('Latest end').fill('2030-01-31T16:00')
    await correct.click()
    await shows(page, 'The auction was corrected.')
    const incrementSteps = [{ fromPrice: 200, increment: 20 }]
    const softClose = { windowSeconds: 180, extensionSeconds: 240, latestEndTime: '2030-01-31T16:00:00.000Z' }
    const startTime = '2030-01-31T13:30:00.000Z'
    expect(await auction.read()).toMatchObject({ startTime, incrementSteps, maximumBidIncrement: 500, softClose })
    await page.getByLabel('Increments from a price on').fill('')
    await page.getByLabel('Or the increment in percent').fill('2.5')
    await page.getByLabel('Minutes before the end in which').fill('')
    await correct.click()
    await shows(page, 'Bids rise by 2.5% of the price', '.terms')
    expect(await auction.read()).toMatchObject({ incrementPercent: 2.5 })
    expect(await auction.read()).not.toHaveProperty('softClose')
    server.clock.set('2030-01-31T13:31:00Z')
    await page.reload()
    await page.getByText('Correct the auction').first().click()
    await page.getByLabel('Title').waitFor()
    expect(await page.getByLabel('Start (if empty: now)').count()).toBe(0)
    expect(page.troubles).toEqual([])
  })

  test('a seller corrects an auction until its first bid, unless it has changed', { timeout }, async () => {
    const server = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
    const token = tokenOf('seller', { uid: 1, permissions: [...permissions, correctingOwn] })
    const auction = await openAuction(server, { ownerId: 1, buyNowPrice: 900 }, token)
    const page = await openPage({ url: server.url, view: `#/auctions/${auction.id}`, user: 1, token })
    await page.getByText('Correct the auction').first().click()
    await page.getByLabel('Title').fill('Walnut table')
    await page.getByLabel('Starting price').fill('80.5')
    await page.getByLabel('Buy-now price').fill('')
    await page.getByRole('button', { name: 'Correct the auction' }).click()
    await shows(page, 'The auction was corrected.')
    expect(await auction.read()).toMatchObject({ title: 'Walnut table', startingPrice: 80.5, minimumBidIncrement: 5 })
    expect(await auction.read()).not.toHaveProperty('buyNowPrice')

    await page.getByLabel('Starting price').fill('x')
    await page.getByRole('button', { name: 'Correct the auction' }).click()
    await shows(page, 'Enter an amount in USD, such as 100.00.', '.field:has([name=startingPrice])')
    await clientOf(server, token).patch(`/api/Auctions/${auction.id}`, { description: 'Worn.' }, { 'if-match': '*' })
    await page.getByLabel('Starting price').fill('70')
    await page.getByRole('button', { name: 'Correct the auction' }).click()
    await shows(page, 'The auction has changed.')
    await page.getByRole('button', { name: 'Correct the auction' }).click()
    await shows(page, 'The auction was corrected.')
    expect(await auction.read()).toMatchObject({ startingPrice: 70, description: 'Worn.' })

    await auction.as(tokenOf('ben', { uid: 2 })).placeBid({ bidderId: 2, amount: 70 })
    await shows(page, /^1 bid/, '.marks')
    expect(await page.getByText('Correct the auction').count()).toBe(0)
    expect(page.troubles).toEqual([])
  })
  test('a correction replaces only the state that the form has read, whatever another form has sent', {
    timeout,
  }, async () => {
    const server = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
    const token = tokenOf('seller', { uid: 1, permissions: [...permissions, correctingOwn] })
    const auction = await openAuction(server, { ownerId: 1, reservePrice: 500 }, token)
    const page = await openPage({ url: server.url, view: `#/auctions/${auction.id}`, user: 1, token })
    await page.getByText('Correct the auction').first().click()
    await page.getByLabel('Title').fill('Mine')
    await clientOf(server, token).patch(`/api/Auctions/${auction.id}`, { title: 'Theirs' }, { 'if-match': '*' })
    const lowering = page.locator('details', { hasText: 'Lower the reserve' })
    await lowering.locator('summary').click()
    await lowering.getByLabel('New reserve').fill('400')
    await lowering.getByRole('button', { name: 'Lower the reserve' }).click()
    await confirm(page)
    await shows(page, 'The reserve was lowered.')
    await shows(page, 'Reserve lowered by the seller', '.repairs')
    await shows(page, 'Corrected by the seller', '.repairs')
    const staffToken = tokenOf('staff', { uid: 9, permissions: [managing] })
    const staff = await openPage({ url: server.url, view: `#/auctions/${auction.id}`, token: staffToken })
    // Staff see who did it.
    await shows(staff, /^By 1/, '.repairs')
    await page.getByRole('button', { name: 'Correct the auction' }).click()
    await shows(page, 'The auction has changed.')
    expect(await auction.read()).toMatchObject({ title: 'Theirs' })
    expect(page.troubles).toEqual([])
  })
})
