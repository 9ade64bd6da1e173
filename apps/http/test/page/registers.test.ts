import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { clockAuction, ringAuction } from '../../src/api/operations/example-data.ts'
import { describeBrowser, openProfile } from '../support/browser.ts'
import { clientOf, newCaller, openAuction } from '../support/client.ts'
import { serverOfFile } from '../support/server.ts'
import { managing, permissions, registering } from '../support/tokens.ts'
import { appears, bid, goTo, openPage, shows } from './open-page.ts'

const server = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
const { url } = server

const userToken = (uid: number, more: readonly string[] = []) =>
  newCaller({ uid, permissions: [...permissions, ...more] })
const staff = [managing, ...registering]
const desk = clientOf(server, userToken(9, staff))

/** Creates a register. Returns its id, and a function that sets the entry of a bidder. */
async function openRegister(fields: object = {}) {
  const { body } = await desk.post('/api/Registers', { currency: 'USD', admits: 'listed', ...fields })
  const id: number = body.data.id
  const set = async (bidderId: number, entry: object) =>
    expect((await desk.put(`/api/Registers/${id}/Bidders/${bidderId}`, entry)).status).toBe(200)
  const read = async (bidderId: number) => (await desk.get(`/api/Registers/${id}/Bidders/${bidderId}`)).body.data
  return { id, set, read }
}

/** Opens a view as a user, in a separate profile. */
const openAs = async (uid: number, view: string, more: readonly string[] = []) =>
  openPage({ url, profile: await openProfile(), view, user: uid, token: userToken(uid, more) })

/** An auction whose owner is user 4. */
const openFor = (registerId: number, fields: object = {}) =>
  openAuction(server, { ownerId: 4, registerId, ...fields }, userToken(4))

const later = { startTime: '2030-02-08T12:00:00Z', endTime: '2030-02-09T12:00:00Z' }

const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()

describeBrowser('registers of bidders, on the page', () => {
  test('a bidder who is not admitted sees the text of the host instead of a form, in each format', async () => {
    const admissionText = 'Register at the <b>front desk</b>.\nOpen from 9 to 18.'
    const { id, set } = await openRegister({ metadata: { admissionText } })
    await set(3, { status: 'refused' })
    const planned = { startTime: '2030-02-01T12:00:00Z' }
    for (const format of [{ buyNowPrice: 900 }, ringAuction, clockAuction, planned]) {
      const auction = await openFor(id, { description: undefined, ...format, ownerId: 4 })
      for (const uid of [2, 3]) {
        const page = await openAs(uid, `#/auctions/${auction.id}`)
        await shows(page, 'You are not admitted to this auction.', '.barred')
        expect(await page.locator('.bar .description').textContent()).toBe(admissionText)
        expect(await page.locator('form.bid, .take, .buy').count()).toBe(0)
        await page.close()
      }
    }
  })

  test('a bidder whose registration is checked bids after staff have admitted them', async () => {
    const { id, set } = await openRegister()
    await set(2, { status: 'pending' })
    const auction = await openFor(id)
    const page = await openAs(2, `#/auctions/${auction.id}`)
    await shows(page, 'Your registration is being checked.', '.bar')
    await set(2, { status: 'admitted' })
    await page.getByRole('button', { name: 'Check again' }).press('Enter')
    await expect.poll(() => page.locator('form.bid :focus').count()).toBe(1)
    await bid(page, '100')
    await shows(page, 'You lead', '.banner')
    await set(2, { status: 'refused' })
    // The form is still there, so the service refuses.
    await bid(page, '', '150')
    await shows(page, 'You are not admitted to this auction.', '.barred')
    expect(await page.locator('form.bid, .messages .problem').count()).toBe(0)
  })

  test('a bidder sees their limit and their paddle, and the form refuses more than the limit', async () => {
    const { id, set } = await openRegister()
    await set(2, { status: 'admitted', limit: 5000, paddle: '12' })
    const auction = await openFor(id, { buyNowPrice: 6000 })
    const page = await openAs(2, `#/auctions/${auction.id}`)
    await shows(page, 'Your limit here: $5,000.00', '.bar')
    await shows(page, 'Your paddle: 12', '.bar')
    const above = 'This is above your limit here, which is $5,000.00.'
    await bid(page, '5000.01')
    await shows(page, above, '.messages')
    await bid(page, '100', '5001')
    await shows(page, above, '.messages')
    await page.locator('[name=maximum]').fill('')
    await page.getByRole('button', { name: 'Buy now for $6,000.00' }).click()
    await shows(page, above, '.messages')
    expect(await auction.bids()).toEqual([])
    // The limit is lowered meanwhile, so the service refuses.
    await set(2, { status: 'admitted', limit: 200, paddle: '12' })
    await bid(page, '100', '300')
    await shows(page, 'Your limit here: $200.00', '.bar')
    await shows(page, 'This is above your limit here, which is $200.00.', '.messages')
    const ring = await openFor(id, { description: undefined, ...ringAuction, ownerId: 4 })
    await goTo(page, `#/auctions/${ring.id}`)
    await shows(page, 'Your limit here: $200.00', '.bar')
    await page.locator('form.bid').getByRole('textbox').fill('201')
    await page.getByRole('button', { name: 'Place sealed bid' }).click()
    await shows(page, 'This is above your limit here, which is $200.00.', '.messages')
  })

  test('paddles are shown instead of bidders, and the own one with the reader', async () => {
    const { id, set } = await openRegister()
    for (const uid of [2, 3]) await set(uid, { status: 'admitted', paddle: `${uid}0` })
    const auction = await openFor(id, { showPaddles: true })
    await auction.as(userToken(2)).placeBid({ bidderId: 2, amount: 100 })
    await auction.as(userToken(3)).placeBid({ bidderId: 3, amount: 110 })
    const page = await openAs(2, `#/auctions/${auction.id}`)
    await shows(page, 'Paddle 30 leads.', '.banner')
    const bidders = page.locator('tbody tr td:nth-child(2)')
    await expect.poll(() => bidders.allTextContents()).toEqual(['Paddle 30', 'You (paddle 20)'])
    server.clock.set('2030-02-07T12:00:02Z')
    await server.service.closeDue()
    await shows(page, 'Sold to Paddle 30 for $110.00', '.banner')
  })

  test('staff create a register, admit a bidder, and create an auction with it', async () => {
    const page = await openAs(9, '#/registers', staff)
    const form = page.locator('form.create')
    if (!(await form.isVisible())) await page.locator('summary', { hasText: 'Create a register' }).click()
    await form.getByLabel('Title').fill('Spring sale')
    await form.getByLabel('Currency').fill('XXX')
    await form.getByRole('button').click()
    await appears(page.locator('.field:has([name=currency]) .problem'))
    await form.getByLabel('Currency').fill('eur')
    await form.getByLabel('Text for bidders').fill('Come in.')
    await form.getByRole('button').click()
    await shows(page, 'Spring sale', 'h1')
    await page.getByLabel('User or paddle').fill('7')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('link', { name: 'Add user 7' }).click()
    await shows(page, 'Not listed')
    await page.getByLabel('Limit in each auction (EUR').fill('1,500.505')
    await save(page)
    await shows(page, 'EUR has 2 decimals.', '.field')
    await page.getByLabel('Limit in each auction (EUR').fill('1,500.50')
    await page.getByLabel('Paddle').fill('12')
    await save(page)
    await shows(page, 'Saved.')
    await page.getByRole('link', { name: /^Register \d+$/ }).click()
    await shows(page, '1 admitted, 0 being checked, 0 refused', 'dd')
    await shows(page, '€1,500.50', 'td')
    const [, id = ''] = /registers\/(\d+)/.exec(page.url()) ?? []
    expect((await desk.get(`/api/Registers/${id}`)).body.data).toMatchObject({
      ...{ title: 'Spring sale', currency: 'EUR', admits: 'listed' },
      metadata: { admissionText: 'Come in.' },
    })
    await goTo(page, '#/new')
    await page.getByLabel('Title').fill('Lamp')
    await page.getByRole('button', { name: 'Price' }).click()
    await page.getByLabel('Currency').fill('EUR')
    await page.getByLabel('Starting price').fill('50')
    await page.getByLabel('Increment', { exact: true }).fill('5')
    await page.locator('summary', { hasText: 'Who may bid' }).click()
    await page.getByLabel('Register of bidders').fill('999999')
    await page.getByLabel('Show the paddles').check()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('button', { name: 'Create the auction' }).click()
    await appears(page.locator('.field:has([name=registerId]) .problem'))
    await page.getByLabel('Register of bidders').fill(id)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('button', { name: 'Create the auction' }).click()
    await page.locator('dd').getByRole('link', { name: id, exact: true }).click()
    await shows(page, 'Spring sale', 'h1')
  })

  test('staff find bidders by user, paddle and status', async () => {
    const { id, set } = await openRegister()
    for (const [uid, paddle] of [
      [21, '5'],
      [5, '21'],
    ] as const)
      await set(uid, { status: 'admitted', paddle })
    await set(6, { status: 'refused' })
    const page = await openAs(9, `#/registers/${id}`, staff)
    const users = page.locator('tbody tr td:first-child')
    await expect.poll(() => users.allTextContents()).toEqual(['User 21', 'User 5', 'User 6'])
    await page.getByLabel('Status').selectOption('refused')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect.poll(() => users.allTextContents()).toEqual(['User 6'])
    await goTo(page, `#/registers/${id}?find=21`)
    await expect.poll(() => users.allTextContents()).toEqual(['User 5', 'User 21'])
  })

  test('staff refuse a bidder and withdraw the bids, which the page repeats later', async () => {
    const { id, set, read } = await openRegister()
    await set(3, { status: 'admitted', limit: 500, paddle: '30' })
    const auctions = [await openFor(id), await openFor(id)]
    for (const auction of auctions) await auction.as(userToken(3)).placeBid({ bidderId: 3, amount: 100 })
    const profile = await openProfile()
    await profile.clock.install()
    const token = userToken(9, staff)
    const page = await openPage({ url, profile, view: `#/registers/${id}?bidder=3`, user: 9, token })
    await page.getByLabel('Refused').check()
    await page.getByLabel('Also withdraw the bids').check()
    await save(page)
    await shows(page, 'Enter a value.', '.field:has([name=reason])')
    await page.getByLabel('Reason').fill('Has not paid.')
    await save(page)
    await shows(page, /stays excluded from these auctions/, 'dialog')
    await page.locator('dialog').getByRole('button', { name: /^Yes/ }).click()
    for (const auction of auctions) await shows(page, `Auction ${auction.id}: no bid counts any more`, 'li')
    await shows(page, /may still arrive until .* Send it again after that\.$/)
    expect(await read(3)).toMatchObject({ status: 'refused', limit: 500, paddle: '30' })
    for (const auction of auctions) expect(await auction.read()).toMatchObject({ bidCount: 0, leaderId: null })
    const again = page.getByRole('button', { name: 'Send again' })
    expect(await again.isDisabled()).toBe(true)
    server.clock.set('2030-01-31T12:01:00Z')
    await page.clock.fastForward(60_000)
    await again.click()
    await shows(page, /may still arrive until .*12:01/)
    expect(await read(3)).toMatchObject({ status: 'refused', limit: 500, paddle: '30' })
  })

  test('a change by another member of staff is shown, and not overwritten', async () => {
    const { id, set, read } = await openRegister()
    await set(3, { status: 'admitted', limit: 500 })
    const page = await openAs(9, `#/registers/${id}?bidder=3`, staff)
    await page.getByLabel('Limit').fill('900')
    await set(3, { status: 'refused', limit: 100 })
    await save(page)
    await shows(page, /^Another user has changed this bidder\./)
    await expect.poll(() => page.getByLabel('Limit').inputValue()).toBe('100.00')
    expect(await page.getByLabel('Refused').isChecked()).toBe(true)
    expect(await read(3)).toMatchObject({ status: 'refused', limit: 100 })
    await page.getByLabel('Limit').fill('900')
    await save(page)
    await shows(page, 'Saved.')
    expect(await read(3)).toMatchObject({ status: 'refused', limit: 900 })
  })

  test('a CSV is checked as a whole, with errors by the lines of the file, and then imported', async () => {
    const { id, set, read } = await openRegister()
    const rows = Array.from({ length: 150 }, (_, at) => `${at + 101},admitted,2500,${at + 101}`)
    const csv = (replaced: Readonly<Record<number, string>>) =>
      ['bidderId,status,limit,paddle', ...rows.map((row, at) => replaced[at] ?? row)].join('\r\n')
    const page = await openAs(9, `#/registers/${id}?import`, staff)
    const check = async (text: string) => {
      const buffer = Buffer.from(text)
      await page.locator('[type=file]').setInputFiles({ name: 'bidders.csv', mimeType: 'text/csv', buffer })
      await page.getByRole('button', { name: 'Check' }).click()
    }
    const errors = page.locator('#csv-errors li')
    await check(csv({ 1: '102,admitted,"2,500.00",102', 120: '221,banned,,' }))
    await expect
      .poll(() => errors.allTextContents())
      .toEqual([
        'Line 3, limit: 2,500.00 has a thousands separator; write 2500.00',
        expect.stringMatching(/^Line 122, status: must be admitted, pending or refused$/),
      ])
    await check(csv({ 149: '101,admitted,,' }))
    await expect.poll(() => errors.allTextContents()).toEqual(['Line 151, bidderId: is that of line 2, too'])
    expect((await desk.get(`/api/Registers/${id}`)).body.data.counts.admitted).toBe(0)
    await check(csv({}))
    await shows(page, '150 bidders, without an error. Nothing is changed yet.')
    // Another bidder gets a paddle of the second part meanwhile.
    await set(7, { status: 'admitted', paddle: '230' })
    await page.getByRole('button', { name: 'Admit 150 bidders' }).click()
    await shows(page, '100 of 150 bidders are imported; 50 are left.')
    await expect.poll(() => errors.allTextContents()).toEqual([expect.stringMatching(/^Line 131: .*paddle 230/)])
    await set(7, { status: 'admitted' })
    await page.locator('[name=csv]').fill(csv({ 129: '230,admitted,2500,999' }))
    await page.getByRole('button', { name: 'Check' }).click()
    await shows(page, '150 bidders, without an error. Nothing is changed yet.')
    await page.locator('button:focus').press('Enter')
    await shows(page, '150 bidders are imported.')
    expect(await read(230)).toMatchObject({ status: 'admitted', limit: 2500, paddle: '999' })
    await page.getByRole('link', { name: 'Go to the register' }).click()
    await shows(page, '151 admitted, 0 being checked, 0 refused', 'dd')
  })

  test('readers without the permissions of staff see no registers', async () => {
    const { id } = await openRegister()
    const page = await openAs(2, `#/registers/${id}`)
    await shows(page, 'Your token does not permit this.')
    expect(await page.locator('nav').getByText('Registers').count()).toBe(0)
  })

  test('an offer says whom it is for, and a relisted auction where it comes from', async () => {
    const source = await openAuction(server, { ownerId: 4 }, userToken(4))
    for (const [bidderId, amount] of [
      [2, 100],
      [3, 150],
    ] as const)
      await source.as(userToken(bidderId)).placeBid({ bidderId, amount })
    server.clock.set('2030-02-07T12:00:02Z')
    await server.service.closeDue()
    const body = { excludedBidderIds: [3], endTime: '2030-02-08T12:00:00Z' }
    const offer = (await desk.post(`/api/Auctions/${source.id}/Offers`, body)).body.data
    const [recipient, other] = [await openAs(2, `#/auctions/${offer.id}`), await openAs(3, `#/auctions/${offer.id}`)]
    await shows(other, 'This is an offer to one bidder, at this price.', '.terms')
    expect(await other.getByRole('button', { name: /^Buy for/ }).count()).toBe(0)
    await shows(recipient, 'This is offered to you alone, at this price, until the end.', '.terms')
    await shows(recipient, `Auction ${source.id}`, 'dd a')
    await recipient.getByRole('button', { name: 'Buy for $100.00' }).click()
    await shows(recipient, 'This ends the auction, and cannot be undone.', 'dialog')
    await recipient.locator('dialog').getByRole('button', { name: 'Buy for $100.00' }).click()
    await shows(recipient, 'You won', '.banner')

    const cancelled = await openAuction(server, { ownerId: 4, cancellableUntilEnd: true, ...later }, userToken(4))
    await cancelled.cancelAuction()
    const relisted = (await desk.post(`/api/Auctions/${cancelled.id}/Relisting`, later)).body.data
    await goTo(recipient, `#/auctions/${relisted.id}`)
    await shows(recipient, `Auction ${cancelled.id}`, 'dd a')
  })
})
