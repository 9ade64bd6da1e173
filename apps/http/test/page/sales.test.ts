import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeBrowser, openProfile } from '../support/browser.ts'
import { clientOf, newCaller } from '../support/client.ts'
import { serverOfFile } from '../support/server.ts'
import { permissions, saleManaging } from '../support/tokens.ts'
import { appears, bid, confirm, goTo, openPage, shows } from './open-page.ts'

const server = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
const { url, clock, service } = server

const userToken = (uid: number, more: readonly string[] = []) =>
  newCaller({ uid, permissions: [...permissions, ...more] })
const desk = clientOf(server, userToken(9, [saleManaging]))

const lotDefaults = { productId: 1, ownerId: 4, startingPrice: 100, minimumBidIncrement: 10 }

/** Creates a sale, which is active, and whose lot 1 ends after two minutes. */
async function openSale(lots: readonly object[], fields: object = {}) {
  const times = { startTime: '2030-01-31T11:00:00Z', firstEndTime: '2030-01-31T12:02:00Z', intervalSeconds: 60 }
  const sale = { title: 'Estate of a clockmaker', currency: 'USD', ...times, lotDefaults, ...fields }
  const id: number = (await desk.post('/api/Sales', sale)).body.data.id
  const ids: number[] = []
  for (let at = 0; at < lots.length; at += 100) {
    const { body } = await desk.post(`/api/Sales/${id}/Lots`, { lots: lots.slice(at, at + 100) })
    ids.push(...body.data.lots.map(({ auctionId }: { auctionId: number }) => auctionId))
  }
  return { id, ids }
}

/** Lots with the numbers from 1 on. */
const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ lot: `${at + 1}`, title: `Thing ${at + 1}` }))

const placeBid = (uid: number, auctionId: number, amount: number, maximumAmount: number | null = null) =>
  clientOf(server, userToken(uid)).post(`/api/Auctions/${auctionId}/Bids`, { bidderId: uid, amount, maximumAmount })

/** Opens a view as a user, in a separate profile. */
const openAs = async (uid: number, view: string, more: readonly string[] = []) =>
  openPage({ url, profile: await openProfile(), view, user: uid, token: userToken(uid, more) })
const openStaff = (view: string) => openAs(9, view, [saleManaging])

/** The card of a lot. */
const card = (page: Page, lot: string) => page.locator('.lot', { hasText: new RegExp(`Lot ${lot}\\b`) })

describeBrowser('sales, on the page', () => {
  test('a reader finds a sale among the sales, and its lots by words and by number', async () => {
    const { id } = await openSale(
      [
        { lot: '12A', title: 'Mantel clock' },
        { lot: '2', title: 'Wall clock' },
        { lot: '12', title: 'Lathe' },
      ],
      { title: 'Found' },
    )
    const page = await openAs(2, '#/sales')
    await page.getByRole('link', { name: 'Found' }).click()
    await shows(page, 'Found', 'h1')
    const names = page.locator('.lot .name')
    await expect.poll(() => names.allInnerTexts()).toEqual(['Lot 2 Wall clock', 'Lot 12 Lathe', 'Lot 12A Mantel clock'])
    const search = page.getByLabel('Words in the title')
    await search.fill('clo mant')
    await expect.poll(() => names.allInnerTexts()).toEqual(['Lot 12A Mantel clock'])
    await search.fill('12')
    await expect.poll(() => names.allInnerTexts()).toEqual(['Lot 12 Lathe'])
    await search.fill('oven')
    await shows(page, 'No lot was found.')
    expect(page.url()).toContain(`#/sales/${id}`)
  })

  test('lots change by one stream, and only a read says where the reader is', async () => {
    const { id, ids } = await openSale(numbered(3))
    const [first = 0, second = 0] = ids
    await placeBid(2, first, 100, 150)
    await placeBid(2, second, 200)
    const page = await openAs(2, `#/sales/${id}`)
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await shows(page, 'You lead', '.lot:nth-child(1)')
    await shows(page, 'You lead in 2 lots. If you win all that you lead, you pay at most $350.00.', '.panel')
    // The bid of another below the maximum: the price rises, and the reader still leads.
    await placeBid(3, first, 120)
    await shows(page, '$130.00', '.lot:nth-child(1)')
    await shows(page, 'You lead', '.lot:nth-child(1)')
    await placeBid(3, second, 210)
    await shows(page, 'You were outbid', '.lot:nth-child(2)')
    await shows(page, 'Lot 2: You were outbid', '[role=status]')
    await shows(
      page,
      'You lead in 1 lot, outbid in 1. If you win all that you lead, you pay at most $150.00.',
      '.panel',
    )
    await placeBid(3, first, 140, 500)
    await shows(page, 'You were outbid', '.lot:nth-child(1)')
    expect(requests.filter((path) => path.endsWith('/Events'))).toEqual([`/api/Sales/${id}/Events`])
    expect(await card(page, '3').locator('.standing').count()).toBe(0)
  })

  test('a lot opens as an auction, with the lots next to it and the way back to where the reader was', async () => {
    const { id, ids } = await openSale(numbered(130))
    const page = await openAs(2, `#/sales/${id}`)
    await card(page, '99').scrollIntoViewIfNeeded()
    await card(page, '99').getByRole('link').click()
    await shows(page, 'Lot 99 of Estate of a clockmaker', '.place')
    await bid(page, '100')
    await shows(page, 'You lead', '.banner')
    await page.getByRole('link', { name: 'Lot 100, the next one' }).click()
    await shows(page, 'Thing 100', 'h1')
    await page.getByRole('link', { name: 'Lot 99, the previous one' }).click()
    await shows(page, 'Thing 99', 'h1')
    await page.getByRole('link', { name: 'Estate of a clockmaker' }).click()
    await shows(page, 'You lead', '.lot:nth-child(99)')
    const top = async () => (await page.locator('.lot:nth-child(99)').boundingBox())?.y ?? Number.NaN
    await expect.poll(top).toBeGreaterThan(0)
    await expect.poll(top).toBeLessThan(800)
    // A direct link opens the lot when nothing is known of its sale.
    const other = await openAs(3, `#/auctions/${ids[99]}`)
    await shows(other, 'Lot 100 of Estate of a clockmaker', '.place')
    await other.getByRole('link', { name: 'Lot 101, the next one' }).click()
    await shows(other, 'Thing 101', 'h1')
  })

  test('the lots that end next have countdowns, and an extension shows its reason', async () => {
    const { id } = await openSale(numbered(8))
    const page = await openAs(2, `#/sales/${id}`)
    const next = page.locator('.strip li')
    await expect.poll(() => next.count()).toBe(6)
    await shows(page, /[12]m.* left$/, '.strip li:first-child')
    const seconds = { seconds: 600, reason: 'The site was down.' }
    const { status } = await desk.post(`/api/Sales/${id}/Extension`, seconds, { 'idempotency-key': 'down' })
    expect(status).toBe(200)
    await shows(page, /All lots end .*10m.* later: The site was down\./, '.extended')
    await shows(page, /1[12]m.* left$/, '.strip li:first-child')
  })

  test('results are counted, and a winner sees what to pay', async () => {
    const { id, ids } = await openSale(numbered(3))
    await placeBid(2, ids[0] ?? 0, 100)
    await placeBid(3, ids[1] ?? 0, 300)
    await placeBid(2, ids[1] ?? 0, 250)
    const page = await openAs(2, `#/sales/${id}`)
    await shows(page, '3 of 3 lots are open')
    clock.set('2030-01-31T12:05:00Z')
    await service.closeDue()
    await shows(page, 'The sale has ended')
    await shows(page, 'Results: 2 sold · 1 not sold · total $400.00')
    await shows(page, 'You won 1 lot. To pay: $100.00', '.panel')
    await shows(page, 'Sold: $300.00', '.lot:nth-child(2)')
    await shows(page, 'Not sold', '.lot:nth-child(3)')
  })

  test('a sale of 3,000 lots opens with few requests and one connection, and draws what the reader scrolls to', async () => {
    const { id } = await openSale(numbered(3000), { firstEndTime: '2030-02-01T12:00:00Z' })
    const page = await openAs(2, '#/sales')
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await goTo(page, `#/sales/${id}`)
    await shows(page, '3,000 of 3,000 lots are open')
    await appears(card(page, '1').first())
    expect(await page.locator('.lot').count()).toBe(100)
    await page.getByRole('button', { name: 'More lots' }).scrollIntoViewIfNeeded()
    await expect.poll(() => page.locator('.lot').count()).toBeGreaterThanOrEqual(200)
    await page.getByLabel('Words in the title').fill('2999')
    await expect.poll(() => page.locator('.lot .name').allInnerTexts()).toEqual(['Lot 2999 Thing 2999'])
    const api = requests.filter((path) => path.startsWith('/api/'))
    expect(api.length).toBeLessThan(15)
    expect(api.filter((path) => path.endsWith('/Events'))).toHaveLength(1)
  })

  test('staff create a sale, and readers see that it has no lots yet', async () => {
    const page = await openStaff('#/sales')
    await page.locator('summary', { hasText: 'Create a sale' }).click()
    await page.getByLabel('Title').fill('Coins')
    await page.getByRole('button', { name: 'Create a sale' }).click()
    await shows(page, 'Enter a value.', '.field:has([name=firstEndTime])')
    await page.getByLabel('End of lot 1').fill('2030-02-09T18:00')
    await page.getByLabel('Starting price').fill('20')
    await page.getByLabel('Increment', { exact: true }).fill('5')
    await page.getByRole('button', { name: 'Create a sale' }).click()
    await shows(page, 'Coins', 'h1')
    const [, id = ''] = /sales\/(\d+)/.exec(page.url()) ?? []
    const { data } = (await desk.get(`/api/Sales/${id}`)).body
    expect(data).toMatchObject({ title: 'Coins', currency: 'USD', lotsPerInterval: 1, intervalSeconds: 60 })
    expect(data.lotDefaults).toMatchObject({ startingPrice: 20, minimumBidIncrement: 5, ownerId: 9 })
    const reader = await openAs(2, `#/sales/${id}`)
    await shows(reader, 'This sale has no lots yet.')
    expect(await reader.getByRole('link', { name: 'Manage' }).count()).toBe(0)
    await goTo(reader, `#/sales/${id}?manage`)
    expect(await reader.locator('.staff').count()).toBe(0)
  })

  test('a CSV of lots is checked as a whole, with errors by its lines, and then added in parts', async () => {
    const { id } = await openSale([{ lot: '1', title: 'Thing 1' }])
    const rows = Array.from({ length: 150 }, (_, at) => `${at + 1};Thing ${at + 1};`)
    const csv = (replaced: Readonly<Record<number, string>>) =>
      ['lot;title;metadata.hall', ...rows.map((row, at) => replaced[at] ?? row)].join('\r\n')
    const page = await openStaff(`#/sales/${id}?import`)
    const check = async (text: string) => {
      const buffer = Buffer.from(text)
      await page.locator('[type=file]').setInputFiles({ name: 'lots.csv', mimeType: 'text/csv', buffer })
      await page.getByRole('button', { name: 'Check' }).click()
    }
    const errors = page.locator('#csv-errors li')
    const long = 'x'.repeat(501)
    await check(csv({ 1: '02;Thing;', 120: `121;Thing;${long}` }))
    await expect
      .poll(() => errors.allTextContents())
      .toEqual([
        expect.stringMatching(/^Line 3, lot: must be a number from 1 to 99999/),
        expect.stringMatching(/^Line 122, metadata\.hall: /),
      ])
    await check(csv({ 149: '1;Thing;' }))
    await expect.poll(() => errors.allTextContents()).toEqual(['Line 151, lot: is that of line 2, too'])
    await check(csv({ 0: '1;Another thing;' }))
    await expect.poll(() => errors.allTextContents()).toEqual([expect.stringMatching(/^Line 2: .*other content/)])
    await check(csv({}))
    await shows(page, '150 lots, without an error. Nothing is added yet.')
    await shows(page, '1 lot is there already.')
    await shows(page, 'Lot 150', '.preview')
    await page.getByRole('button', { name: 'Add 150 lots' }).click()
    await shows(page, 'The sale has all 150 lots of this file.')
    expect((await desk.get(`/api/Sales/${id}`)).body.data.counts.lots).toBe(150)
    await page.getByRole('link', { name: 'Go to the sale' }).click()
    await shows(page, '150 of 150 lots are open')
  })

  test('an extension whose response is lost is sent again with its key', async () => {
    const { id } = await openSale(numbered(2))
    const page = await openStaff(`#/sales/${id}?manage`)
    await page.locator('summary', { hasText: 'Extend the sale' }).click()
    const form = page.locator('form', { has: page.locator('[name=duration]') })
    await form.getByLabel('By', { exact: true }).fill('10')
    await form.getByLabel('Reason').fill('The site was down.')
    const keys: (string | undefined)[] = []
    await page.route(/\/Extension$/, async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      const response = await route.fetch()
      // The service has done it, and the page does not know.
      if (keys.length === 1) await route.fulfill({ status: 500, contentType: 'text/plain', body: 'lost' })
      else await route.fulfill({ response })
    })
    const send = async () => {
      await form.getByRole('button').click()
      await shows(page, 'Every lot without a result ends later', 'dialog')
      await confirm(page)
    }
    await send()
    await shows(page, /Send it again; it counts only once/, '.staff')
    await send()
    await shows(page, '2 lots end later.', '.staff')
    expect(keys).toEqual([keys[0], keys[0]])
    expect((await desk.get(`/api/Sales/${id}`)).body.data.extendedSeconds).toBe(600)
  })

  test('staff cancel the lots that they name, and see those that could not be cancelled', async () => {
    const { id } = await openSale(numbered(6))
    const page = await openStaff(`#/sales/${id}?manage`)
    await page.locator('summary', { hasText: 'Cancel lots' }).click()
    const lots = page.getByLabel('Lots: numbers and ranges')
    const form = page.locator('form', { has: lots })
    await lots.fill('2, 9')
    await form.getByRole('button').click()
    await shows(page, 'The sale has no lot 9.', '.field')
    await lots.fill('2, 4-5')
    await shows(page, '3 lots: 2 Thing 2, 4 Thing 4, 5 Thing 5', 'form .hint')
    await form.getByLabel('Reason').fill('Damaged')
    // The lot ends before the request arrives.
    await page.route(/\/Cancellation$/, async (route) => {
      clock.set('2030-01-31T12:03:30Z')
      await service.closeDue()
      await route.continue()
    })
    await form.getByRole('button').click()
    await confirm(page)
    await shows(page, '2 lots were cancelled.', '.staff')
    await shows(page, 'Lot 2: The auction has ended.', '.outcomes')
    await shows(page, 'Cancelled', '.lot:nth-child(4)')
  })

  test('staff save the results as CSV', async () => {
    const { id } = await openSale(numbered(2))
    const page = await openStaff(`#/sales/${id}?manage`)
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save the results as CSV' }).click()
    expect((await saving).suggestedFilename()).toBe(`sale-${id}-lots.csv`)
    await shows(page, 'The results were saved.')
  })

  test('readers see sales in German', async () => {
    const { id, ids } = await openSale(numbered(2))
    await placeBid(2, ids[0] ?? 0, 100)
    const profile = await openProfile({ locale: 'de-DE' })
    const page = await openPage({ url, profile, view: `#/sales/${id}`, user: 2, token: userToken(2) })
    await shows(page, '2 von 2 Losen sind offen')
    await shows(page, 'Sie führen bei 1 Los.', '.panel')
    expect(await page.locator('main').textContent()).not.toMatch(/undefined|\bLot\b/)
  })
})
