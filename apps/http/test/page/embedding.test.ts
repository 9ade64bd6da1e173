import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import axe from 'axe-core'
import { expect, onTestFinished, test } from 'vitest'
import { describeBrowser, hangMs, openProfile } from '../support/browser.ts'
import { openAuction } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { tokenOf } from '../support/tokens.ts'
import { foreignStyles } from './foreign-styles.ts'
import { shows } from './open-page.ts'

const timeout = 2 * hangMs

/** Opens an example as the page of another origin, whose back end returns tokens. */
async function openExample(name: string, fields: object = {}, styles = '') {
  let serviceUrl = ''
  const shop = createServer(async ({ url = '' }, response) => {
    if (url.startsWith('/token')) return response.end(tokenOf('anna'))
    const html = await readFile(new URL(`examples/${name}.html`, import.meta.url), 'utf8')
    const styled = html.replace('</title>', `</title><style>${styles}</style>`)
    return response.setHeader('content-type', 'text/html').end(styled.replaceAll('http://127.0.0.1:3000', serviceUrl))
  })
  await once(shop.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void shop.close())
  // The cast: a server that listens on a port has an address of this form.
  const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  const server = await startServer({ environment: { CORS_ORIGINS: shopUrl } })
  serviceUrl = server.url
  const auction = await openAuction(server, { title: 'Walnut desk', ...fields })
  const page = await (await openProfile()).newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  await page.goto(shopUrl)
  return { page, auction, errors, serviceUrl }
}

const properties = [
  ...['backgroundColor', 'borderTopColor', 'borderTopStyle', 'borderTopWidth', 'color', 'cursor', 'display', 'filter'],
  ...['fontFamily', 'fontSize', 'fontStyle', 'fontWeight', 'letterSpacing', 'lineHeight', 'marginTop', 'marginLeft'],
  ...[
    'paddingTop',
    'paddingLeft',
    'textAlign',
    'textIndent',
    'textShadow',
    'textTransform',
    'whiteSpace',
    'wordSpacing',
  ],
]

/** Values of the style of an element; it runs in the page. */
function styleOf(element: unknown, names: readonly string[]): readonly string[] {
  const style: Record<string, string> = Reflect.get(globalThis, 'getComputedStyle')(element)
  return names.map((name) => style[name] ?? '')
}

/** The styles of all elements of an auction within a host with these styles. */
async function stylesWithin(styles: string): Promise<readonly string[]> {
  const { page, auction, errors } = await openExample('embed', {}, styles)
  await auction.placeBid({ bidderId: 3, amount: 130 })
  await page.evaluate(`location.hash = '#/auctions/${auction.id}'`)
  await page.locator('tbody tr').waitFor()
  await page.locator('dl').first().waitFor()
  const elements = page.locator('.page *')
  const found = await elements.evaluateAll((all, names) => {
    const computed = Reflect.get(globalThis, 'getComputedStyle')
    return all.map((element) => {
      const style = computed(element)
      return [Reflect.get(element, 'localName'), ...names.map((name) => `${name}: ${style[name]}`)].join('; ')
    })
  }, properties)
  expect(errors).toEqual([])
  return found
}

describeBrowser('a page of another origin', () => {
  test('embeds the page', { timeout }, async () => {
    const { page, auction, errors } = await openExample('embed')
    await page.getByRole('link', { name: 'Walnut desk' }).click()
    await auction.placeBid({ bidderId: 3, amount: 130 })
    await shows(page, '$130.00', '.price.large')
    expect(errors).toEqual([])
  })

  test('embeds the page as it is, whatever the styles of the host', { timeout }, async () => {
    const plain = await stylesWithin('')
    expect(plain.length).toBeGreaterThan(80)
    for (const [name, styles] of Object.entries(foreignStyles)) {
      const found = await stylesWithin(styles)
      for (const [at, style] of found.entries()) expect(style, name).toBe(plain[at])
      expect(found.length).toBe(plain.length)
    }
  })

  test('embeds the page with the colours of the host', { timeout }, async () => {
    const { page } = await openExample('embed', {}, '#auctions { --accent: rgb(0, 90, 90); color-scheme: dark }')
    const button = page.locator('.search button')
    await button.waitFor()
    expect(await button.evaluate(styleOf, ['color'])).toEqual(['rgb(0, 90, 90)'])
    expect(await page.locator('.page').evaluate(styleOf, ['backgroundColor'])).toEqual(['rgb(19, 21, 24)'])
  })

  test('shows its frame without waiting for a token, and nothing more after it was closed', { timeout }, async () => {
    const { page, serviceUrl } = await openExample('embed')
    const shown = await page.evaluate(`(async () => {
      const { mountPage } = await import('${serviceUrl}/page/app.js')
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

  test('shows the bids of the user whom a token identifies that comes later', { timeout }, async () => {
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

  test('shows one auction by an element with its own styles, texts and language', { timeout }, async () => {
    const { page, auction, errors } = await openExample('auction-live')
    const element = page.locator('auction-live')
    await shows(page, 'Walnut desk', 'auction-live')
    await auction.placeBid({ bidderId: 3, amount: 1_130 })
    await shows(page, /^1\.130,00/, '[part=price]')
    await shows(page, '1 Gebot', '[part=bids]')
    const colour =
      "getComputedStyle(document.querySelector('auction-live').shadowRoot.querySelector('[part=price]')).color"
    expect(await page.evaluate(colour)).toBe('rgb(128, 0, 0)')
    await page.evaluate(axe.source)
    expect(
      await page.evaluate("axe.run('auction-live').then(({ violations }) => violations.map(({ id }) => id))"),
    ).toEqual([])
    await element.evaluate((host) => Reflect.apply(Reflect.get(host, 'setAttribute'), host, ['auction', '99']))
    await shows(page, 'does not exist', '[part=problem]')
    expect(errors).toEqual([])
  })

  test('shows one auction after a failed read, with a token and texts that come later', { timeout }, async () => {
    const metadata = { pictureUrl: 'https://127.0.0.1:1/desk.png' }
    const { page, auction, errors, serviceUrl } = await openExample('own-page', { metadata, cancellableUntilEnd: true })
    let reads = 0
    await page.route(`${serviceUrl}/api/Auctions/1`, (route) => {
      const headers = { 'access-control-allow-origin': '*' }
      const problem = { success: false, status: 500, code: 'internal', message: 'It failed.' }
      return reads++ === 1 ? route.fulfill({ status: 500, headers, json: problem }) : route.continue()
    })
    await page.evaluate(`(async () => {
      await import('${serviceUrl}/page/auction-live.js')
      document.body.insertAdjacentHTML('beforeend', '<auction-live auction="1" base="${serviceUrl}"></auction-live>')
    })()`)
    await shows(page, 'token', '[part=problem]')
    const german = `import('${serviceUrl}/page/texts.german.js').then(({ german }) => german)`
    await page.evaluate(
      `document.querySelector('auction-live').token = () => fetch('/token').then((found) => found.text())`,
    )
    await shows(page, 'It failed.', '[part=problem]')
    await shows(page, '0 bids', '[part=bids]')
    await page.evaluate(`${german}.then((texts) => Object.assign(document.querySelector('auction-live'), { texts }))`)
    await shows(page, '0 Gebote', '[part=bids]')
    await shows(page, 'W', '[part~=letter]')
    await auction.cancelAuction()
    await shows(page, 'Abgesagt', '[part=result]')
    expect(errors).toEqual([])
  })

  test('shows that an element is not up to date while its token is refused', { timeout }, async () => {
    const { page, auction, serviceUrl } = await openExample('own-page')
    await page.route(`${serviceUrl}/api/Auctions/Events*`, (route) => {
      const headers = { 'access-control-allow-origin': '*' }
      return route.fulfill({ status: 401, headers, json: { code: 'unauthenticated' } })
    })
    await page.evaluate(`(async () => {
      await import('${serviceUrl}/page/auction-live.js')
      document.body.insertAdjacentHTML('beforeend', '<auction-live auction="1" base="${serviceUrl}"></auction-live>')
      document.querySelector('auction-live').token = () => fetch('/token').then((found) => found.text())
    })()`)
    await shows(page, 'does not accept your token', '[part=card] [part=problem]')
    await page.unrouteAll()
    await page.locator('[part=problem]').waitFor({ state: 'detached' })
    await auction.placeBid({ bidderId: 3, amount: 130 })
    await shows(page, '$130.00', '[part=price]')
  })

  test('uses the client', { timeout }, async () => {
    const { page, auction, errors } = await openExample('own-page')
    await shows(page, '$100.00', '#price')
    await page.getByRole('button', { name: 'Bid' }).click()
    await shows(page, '$150.00', '#price')
    await shows(page, 'Placed.', '#message')
    await auction.placeBid({ bidderId: 3, amount: 175.5 })
    await shows(page, '$175.50', '#price')
    expect(errors).toEqual([])
  })
})
