import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { describeBrowser, openProfile } from '../support/browser.ts'
import { openAuction } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { tokenOf } from '../support/tokens.ts'
import { foreignStyles } from './foreign-styles.ts'
import { appears, shows } from './open-page.ts'

/** Opens an example as the page of another origin, whose back end returns tokens. Its time passes and can be moved. */
async function openExample(name: string, fields: object = {}) {
  let serviceUrl = ''
  const shop = createServer(async ({ url = '' }, response) => {
    if (url.startsWith('/token')) return response.end(tokenOf('anna'))
    const html = await readFile(new URL(`examples/${name}.html`, import.meta.url), 'utf8')
    return response.setHeader('content-type', 'text/html').end(html.replaceAll('http://127.0.0.1:3000', serviceUrl))
  })
  await once(shop.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void shop.close())
  // The cast: a server that listens on a port has an address of this form.
  const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  const server = await startServer({ environment: { CORS_ORIGINS: shopUrl } })
  serviceUrl = server.url
  const auction = await openAuction(server, { title: 'Walnut desk', ...fields })
  const profile = await openProfile()
  await profile.clock.install()
  const page = await profile.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  onTestFinished(() => expect(errors).toEqual([]))
  await page.goto(shopUrl)
  return { page, auction, serviceUrl }
}

const properties = [
  ...['backgroundColor', 'borderTopColor', 'borderTopStyle', 'borderTopWidth', 'color', 'cursor', 'display', 'filter'],
  ...['fontFamily', 'fontSize', 'fontStyle', 'fontWeight', 'letterSpacing', 'lineHeight', 'marginTop', 'marginLeft'],
  ...['paddingTop', 'paddingLeft', 'textAlign', 'textIndent', 'textShadow', 'textTransform', 'whiteSpace'],
  'wordSpacing',
]

/** The styles of all elements of the page within its host. */
const stylesIn = (page: Page): Promise<readonly string[]> =>
  page.locator('.page *').evaluateAll((all, names) => {
    const computed = Reflect.get(globalThis, 'getComputedStyle')
    return all.map((element) => {
      const style = computed(element)
      return [Reflect.get(element, 'localName'), ...names.map((name) => `${name}: ${style[name]}`)].join('; ')
    })
  }, properties)

/** Values of the style of an element; it runs in the page. */
const colourOf = (page: Page, selector: string, name: 'color' | 'backgroundColor') =>
  page
    .locator(selector)
    .evaluate((element, property) => Reflect.get(globalThis, 'getComputedStyle')(element)[property], name)

describeBrowser('a page of another origin', () => {
  test('embeds the page as it is, whatever the styles of the host, and with its colours', async () => {
    const { page, auction } = await openExample('embed')
    await page.getByRole('link', { name: 'Walnut desk' }).click()
    await auction.placeBid({ bidderId: 3, amount: 130 })
    await shows(page, '$130.00', '.price.large')
    await appears(page.locator('tbody tr'))
    const plain = await stylesIn(page)
    expect(plain.length).toBeGreaterThan(80)
    for (const [name, content] of Object.entries(foreignStyles)) {
      const sheet = await page.addStyleTag({ content })
      const found = await stylesIn(page)
      for (const [at, style] of found.entries()) expect(style, name).toBe(plain[at])
      expect(found.length).toBe(plain.length)
      await sheet.evaluate((element) => Reflect.apply(Reflect.get(element, 'remove'), element, []))
    }
    await page.addStyleTag({ content: '#auctions { --accent: rgb(0, 90, 90); color-scheme: dark }' })
    await page.evaluate("location.hash = '#/ending'")
    await appears(page.locator('.search button'))
    expect(await colourOf(page, '.search button', 'color')).toBe('rgb(0, 90, 90)')
    expect(await colourOf(page, '.page', 'backgroundColor')).toBe('rgb(19, 21, 24)')
  })

  test('shows its frame without waiting for a token, and nothing more after it was closed', async () => {
    const { page, serviceUrl } = await openExample('own-page')
    const shown = await page.evaluate(`(async () => {
      const { mountPage } = await import('${serviceUrl}/page/app.js')
      location.hash = '#/ending'
      const element = document.createElement('div')
      const { promise, resolve } = Promise.withResolvers()
      const page = mountPage(element, { url: '${serviceUrl}', token: () => promise })
      const before = element.shadowRoot.querySelectorAll('nav').length
      page.close()
      resolve('a.b.c')
      await new Promise((done) => setTimeout(done))
      return [before, element.shadowRoot.childElementCount]
    })()`)
    expect(shown).toEqual([1, 0])
  })

  test('shows the bids of the user whom a token identifies that comes later', async () => {
    const server = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
    const token = tokenOf('seven', { uid: 7 })
    const auction = await openAuction(server, { title: 'Walnut desk', ownerId: 1 }, tokenOf('one', { uid: 1 }))
    await auction.as(token).placeBid({ bidderId: 7 })
    const page = await (await openProfile()).newPage()
    await page.goto(`${server.url}/#/bids`)
    await page.evaluate(`(async () => {
      const { mountPage } = await import('/page/app.js')
      const element = document.body.appendChild(document.createElement('section'))
      element.id = 'later'
      mountPage(element, { token: async () => ${JSON.stringify(token)} })
    })()`)
    await shows(page, 'Walnut desk', '#later .card')
    expect(await page.locator('#later .card').count()).toBe(1)
  })

  test('shows one auction by an element with its own styles, texts and language', async () => {
    const { page, auction } = await openExample('auction-live')
    await shows(page, 'Walnut desk', 'auction-live')
    await auction.placeBid({ bidderId: 3, amount: 1_130 })
    await shows(page, /^1\.130,00/, '[part=price]')
    await shows(page, '1 Gebot', '[part=bids]')
    expect(await colourOf(page, '[part=price]', 'color')).toBe('rgb(128, 0, 0)')
    await page.evaluate(axe.source)
    const findings = await page.evaluate(
      "axe.run('auction-live').then(({ violations }) => violations.map(({ id }) => id))",
    )
    expect(findings).toEqual([])
    const element = page.locator('auction-live')
    await element.evaluate((host) => Reflect.apply(Reflect.get(host, 'setAttribute'), host, ['auction', '99']))
    await shows(page, 'does not exist', '[part=problem]')
  })

  test('uses the client, and shows one auction after a failed read and a refused stream, with a token and texts that come later', async () => {
    const metadata = { pictureUrl: 'https://127.0.0.1:1/desk.png' }
    const { page, auction, serviceUrl } = await openExample('own-page', { metadata, cancellableUntilEnd: true })
    await shows(page, '$100.00', '#price')
    await page.getByRole('button', { name: 'Bid' }).click()
    await shows(page, '$150.00', '#price')
    await shows(page, 'Placed.', '#message')
    await auction.placeBid({ bidderId: 3, amount: 175.5 })
    await shows(page, '$175.50', '#price')

    const headers = { 'access-control-allow-origin': '*' }
    let reads = 0
    await page.route(`${serviceUrl}/api/Auctions/1`, (route) => {
      const problem = { success: false, status: 500, code: 'internal', message: 'It failed.' }
      return reads++ === 1 ? route.fulfill({ status: 500, headers, json: problem }) : route.continue()
    })
    await page.route(`${serviceUrl}/api/Auctions/Events*`, (route) =>
      route.fulfill({ status: 401, headers, json: { code: 'unauthenticated' } }),
    )
    await page.evaluate(`(async () => {
      await import('${serviceUrl}/page/auction-live.js')
      document.body.insertAdjacentHTML('beforeend', '<auction-live auction="1" base="${serviceUrl}"></auction-live>')
    })()`)
    await shows(page, 'token', '[part=problem]')
    await page.evaluate(
      `document.querySelector('auction-live').token = () => fetch('/token').then((found) => found.text())`,
    )
    await shows(page, 'It failed.', '[part=problem]')
    await page.clock.fastForward(5_000)
    await shows(page, '2 bids', '[part=bids]')
    await shows(page, 'does not accept your token', '[part=card] [part=problem]')
    await page.unrouteAll()
    await page.clock.fastForward(10_000)
    await page.locator('[part=problem]').waitFor({ state: 'detached' })
    await page.evaluate(`import('${serviceUrl}/page/texts.german.js').then(({ german }) => {
      document.querySelector('auction-live').texts = german
    })`)
    await shows(page, '2 Gebote', '[part=bids]')
    await shows(page, 'W', '[part~=letter]')
    await auction.cancelAuction()
    await shows(page, 'Abgesagt', '[part=result]')
  })
})
