import { type Browser, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { chromiumProgram, describeChromium } from '../../../../tools/vitest/chromium.ts'
import { documented } from '../contract/document.ts'
import { startServer } from '../support/server.ts'
import { stored } from '../support/stored.ts'
import { tokenOf } from '../support/tokens.ts'

// As root, which containers often are, Chromium does not start with its sandbox. It asks its makers for nothing here.
const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

// A busy machine takes seconds for each click.
const hangMs = 120_000

/** A page in a browser of its own, with what went wrong on it and where it has sent requests. */
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

/** Pastes a token where the page asks for one. */
async function authorize(page: Page, token: string): Promise<void> {
  await page.locator('.auth-wrapper button.authorize').click()
  await page.locator('.auth-container input').fill(token)
  await page.locator('.auth-btn-wrapper button.authorize').click()
  await page.locator('.auth-btn-wrapper button.btn-done').click()
}

/** Sends what the page proposes for an operation, and reads the status that it shows. */
async function tryOut(page: Page, tag: string, operationId: string): Promise<string> {
  const block = page.locator(`#operations-${tag}-${operationId}`)
  await block.locator('.opblock-summary-control').click()
  await block.locator('button.execute').click()
  return (await block.locator('.live-responses-table tbody .response-col_status').first().textContent()) ?? ''
}

describeChromium('the page at /docs', () => {
  test('shows every operation, and tries them out with a token that is pasted in', {
    timeout: 2 * hangMs,
  }, async () => {
    const server = await startServer()
    server.clock.set(new Date().toISOString())
    const { page, troubles, origins } = await openPage(server.url)
    await page.locator('.opblock').first().waitFor()
    const shown = await page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id.split('-').at(-1)))
    expect(shown.sort()).toEqual(documented.map(({ operation }) => operation.operationId).sort())

    await authorize(page, tokenOf('anna'))
    // In the order of the page, without a change to what it proposes.
    expect(await tryOut(page, 'Auctions', 'createAuction')).toBe('201')
    expect(await tryOut(page, 'Auctions', 'listAuctions')).toBe('200')
    expect(await tryOut(page, 'Auctions', 'readAuction')).toBe('200')
    expect(await tryOut(page, 'Bids', 'placeBid')).toBe('201')
    expect(await stored(server)).toEqual({ auctions: 1, bids: 1 })
    expect(troubles).toEqual([])
    expect([...origins]).toEqual([server.url])
  })

  test('runs no script and takes no style that is not of this server, which its policy forbids', async () => {
    const { url } = await startServer()
    const { page, troubles } = await openPage(url)
    await page.locator('.opblock').first().waitFor()
    // As a text, since it runs there and not here.
    await page.evaluate(`
      const script = document.createElement('script')
      script.textContent = 'document.title = "taken over"'
      document.body.append(script)
    `)
    expect(await page.title()).toBe('Auction service: the API')
    expect(troubles).toEqual([expect.stringContaining('Content Security Policy')])
  })
})
