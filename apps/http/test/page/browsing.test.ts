import { expect, test } from 'vitest'
import { describeBrowser, hangMs, openProfile } from '../support/browser.ts'
import { openAuction } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { goTo, openPage, shows } from './open-page.ts'

const timeout = 2 * hangMs
const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><path d="M0 0h40v30H0z"/></svg>'
const urlOf = (name: string) => `https://pictures.example/${name}.svg`

describeBrowser('what a visitor finds', () => {
  test('a search states what it looked for and how many it found, and can be cleared', { timeout }, async () => {
    const server = await startServer()
    for (const title of ['Walnut desk', 'Oak desk', 'Desktop']) await openAuction(server, { title })
    const page = await openPage({ url: server.url, view: '#/newest' })
    await page.getByLabel('Words in the title').fill('desk')
    await page.getByLabel('Words in the title').press('Enter')
    await shows(page, 'Auctions with “desk” in the title: 2 found', '.found')
    await shows(page, 'The search finds whole words', '.found')
    await page.getByLabel('Status').selectOption('Pending')
    await page.getByRole('button', { name: 'Search' }).click()
    await shows(page, /“desk” in the title and the status “Pending”: 0 found/, '.found')
    await page.getByRole('link', { name: 'Clear the search' }).click()
    await shows(page, 'Desktop', '.card')
    expect(await page.locator('.found').count()).toBe(0)
    expect(page.troubles).toEqual([])
  })

  test('what does not exist leads back', { timeout }, async () => {
    const server = await startServer()
    const page = await openPage({ url: server.url })
    for (const view of ['#/auctions/7', '#/auctions/x', '#/auctions', '#/nothing', '#/ending/3']) {
      await goTo(page, view)
      await shows(page, 'Not found', 'h1')
      await page.getByRole('link', { name: 'Go to the auctions' }).click()
      await shows(page, 'Ending soon', 'h1')
    }
    expect(page.troubles).toEqual([])
  })

  test('an auction that has not started shows when it starts, and no button', { timeout }, async () => {
    const server = await startServer()
    await openAuction(server, { title: 'Later', startTime: '2030-02-02T10:00:00Z' })
    await openAuction(server, { title: 'Sooner', startTime: '2030-02-01T10:00:00Z', buyNowPrice: 900 })
    const page = await openPage({ url: server.url, view: '#/upcoming' })
    await expect.poll(() => page.locator('a.name').allTextContents()).toEqual(['Sooner', 'Later'])
    await page.getByRole('link', { name: 'Sooner' }).click()
    await shows(page, /^Starts in/, '.clock')
    await shows(page, /^from .*Feb 1, 2030/, '.clock')
    await page.locator('dl').first().waitFor()
    expect(await page.locator('.side button').count()).toBe(0)
    expect(page.troubles).toEqual([])
  })

  test('a visitor signs in to bid, in the way of the host', { timeout }, async () => {
    const server = await startServer({ environment: { ANONYMOUS_READS: 'on' } })
    const { id } = await openAuction(server)
    const page = await openPage({ url: server.url, view: `#/auctions/${id}`, token: '' })
    await page.getByRole('button', { name: 'Sign in to bid' }).click()
    await page.keyboard.type('a.b.c')
    expect(await page.getByLabel('Token').inputValue()).toBe('a.b.c')

    await page.evaluate(`(async () => {
      const { mountPage } = await import('/page/app.js')
      document.querySelector('#page').remove()
      const element = document.body.appendChild(document.createElement('section'))
      mountPage(element, { signIn: () => { document.title = 'Host' } })
    })()`)
    await page.getByRole('button', { name: 'Sign in to bid' }).click()
    await expect.poll(() => page.title()).toBe('Host')
    expect(page.troubles).toEqual([])
  })

  test.each(['a.bnVsbA.c', 'a.NQ.c', 'garbage'])(
    'the token %s is refused, and the page asks for another',
    {
      timeout,
    },
    async (token) => {
      const server = await startServer()
      const page = await openPage({ url: server.url, token })
      await shows(page, 'The service does not accept your token.')
      await page.getByLabel('Token').waitFor()
      expect(page.troubles).toEqual([])
    },
  )

  test('shows whole pictures, enlarged by a click or a key, and the letter for one that fails', {
    timeout,
  }, async () => {
    const server = await startServer()
    const names = ['one', 'two', 'broken']
    const metadata = Object.fromEntries(names.map((name, at) => [`pictureUrl${at === 0 ? '' : at + 1}`, urlOf(name)]))
    const facts = { yearMade: 'about 1935', Material: 'Walnut' }
    const { id } = await openAuction(server, { metadata: { ...metadata, ...facts }, description: 'Four drawers.' })
    await openAuction(server, { title: 'Lamp', metadata: { pictureUrl: urlOf('broken') } })
    const profile = await openProfile()
    await profile.route('https://pictures.example/**', (route) =>
      route.request().url().includes('broken')
        ? route.fulfill({ status: 404 })
        : route.fulfill({ contentType: 'image/svg+xml', body: picture }),
    )
    const page = await openPage({ url: server.url, view: '#/newest', profile })
    await shows(page, 'L', '.card .blank')
    await goTo(page, `#/auctions/${id}`)
    await page.locator('.thumbs button').nth(1).waitFor()
    await expect.poll(() => page.locator('.thumbs button').count()).toBe(2)
    const shown = page.locator('.picture-button img')
    const fit = await shown.evaluate((image) => Reflect.get(globalThis, 'getComputedStyle')(image).objectFit)
    expect(fit).toBe('contain')
    await page.getByRole('button', { name: 'Enlarge: Picture 1 of 2' }).press('Enter')
    const enlarged = page.locator('dialog.enlarged[open] img')
    await enlarged.waitFor()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => enlarged.getAttribute('src')).toBe(urlOf('two'))
    await page.keyboard.press('Escape')
    await enlarged.waitFor({ state: 'detached' })
    expect(await shown.getAttribute('src')).toBe(urlOf('two'))
    expect(await page.locator('.facts dt').allTextContents()).toEqual(['Year made', 'Material'])
    expect(page.troubles).toEqual([])
  })
})
