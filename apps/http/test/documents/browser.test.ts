import { type Browser, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { chromiumProgram, describeChromium } from '../../../../tools/vitest/chromium.ts'
import { documented } from '../contract/document.ts'
import { startServer } from '../support/server.ts'
import { stored } from '../support/stored.ts'
import { tokenOf } from '../support/tokens.ts'

// Chromium cannot use its sandbox as root, as in containers. The other switches turn off its own requests.
const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

// On a busy machine, a click takes seconds.
const hangMs = 120_000

/** A page in a new browser, with its errors and the origins of its requests. */
async function openPage(url: string) {
  const browser: Browser = await chromium.launch({ executablePath: chromiumProgram(), args: switches })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(hangMs)
  const troubles: string[] = []
  const origins = new Set<string>()
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin)
  })
  const answer = await page.goto(`${url}/docs`)
  expect(answer?.status()).toBe(200)
  return { page, troubles, origins }
}

/** Enters a token in the page. */
async function authorize(page: Page, token: string): Promise<void> {
  await page.locator('.auth-wrapper button.authorize').click()
  await page.locator('.auth-container input').fill(token)
  await page.locator('.auth-btn-wrapper button.authorize').click()
  await page.locator('.auth-btn-wrapper button.btn-done').click()
}

/** Sends the example request of an operation; returns the status that the page shows. */
async function tryOut(page: Page, tag: string, operationId: string): Promise<string> {
  const block = page.locator(`#operations-${tag}-${operationId}`)
  await block.locator('.opblock-summary-control').click()
  await block.locator('button.execute').click()
  return (await block.locator('.live-responses-table tbody .response-col_status').first().textContent()) ?? ''
}

describeChromium('the page at /docs', () => {
  test('shows every operation, and sends requests with an entered token', {
    timeout: 2 * hangMs,
  }, async () => {
    const server = await startServer()
    server.clock.set(new Date().toISOString())
    const { page, troubles, origins } = await openPage(server.url)
    await page.locator('.opblock').first().waitFor()
    const shown = await page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id.split('-').at(-1)))
    expect(shown.sort()).toEqual(documented.map(({ operation }) => operation.operationId).sort())

    await authorize(page, tokenOf('anna'))
    // In the order of the page, with its example requests.
    expect(await tryOut(page, 'Auctions', 'createAuction')).toBe('201')
    expect(await tryOut(page, 'Auctions', 'listAuctions')).toBe('200')
    expect(await tryOut(page, 'Auctions', 'readAuction')).toBe('200')
    expect(await tryOut(page, 'Bids', 'placeBid')).toBe('201')
    expect(await stored(server)).toEqual({ auctions: 1, bids: 1 })
    expect(troubles).toEqual([])
    expect([...origins]).toEqual([server.url])
  })

  test('has a policy that forbids scripts of other origins', async () => {
    const { url } = await startServer()
    const { page, troubles } = await openPage(url)
    await page.locator('.opblock').first().waitFor()
    // A string, because it runs in the page.
    await page.evaluate(`
      const script = document.createElement('script')
      script.textContent = 'document.title = "taken over"'
      document.body.append(script)
    `)
    expect(await page.title()).toBe('Auction service: the API')
    expect(troubles).toEqual([expect.stringContaining('Content Security Policy')])
  })
})
