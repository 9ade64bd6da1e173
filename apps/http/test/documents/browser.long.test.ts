import type { BrowserContext, Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { OperationObject } from '../../src/api/openapi/openapi.ts'
import { document, documented, resolved } from '../contract/document.ts'
import { describeBrowser, hangMs, openProfile } from '../support/browser.ts'
import { startServer } from '../support/server.ts'
import { stored } from '../support/stored.ts'
import { tokenOf } from '../support/tokens.ts'

/** The page in a new tab, with its errors and the origins of its requests. */
async function openPage(url: string, profile?: BrowserContext) {
  const page = await (profile ?? (await openProfile())).newPage()
  const troubles: string[] = []
  const origins = new Set<string>()
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin)
  })
  const response = await page.goto(`${url}/docs`)
  expect(response?.status()).toBe(200)
  await page.locator('.opblock').first().waitFor()
  return { page, troubles, origins }
}

/** The block of an operation, opened. */
async function openOperation(page: Page, operationId: string): Promise<Locator> {
  const block = page.locator(`.opblock[id$="-${operationId}"]`)
  await block.locator('.opblock-summary-control').click()
  await block.locator('.refusals').waitFor()
  return block
}

/** Enters a token in the page. */
async function authorize(page: Page, token: string): Promise<void> {
  await page.locator('.auth-wrapper button.authorize').click()
  await page.locator('.auth-container input').fill(token)
  await page.locator('.auth-btn-wrapper button.authorize').click()
  await page.locator('.auth-btn-wrapper button.btn-done').click()
}

/** Sends the example request of an operation; returns the status that the page shows. */
async function tryOut(page: Page, operationId: string): Promise<string> {
  const block = await openOperation(page, operationId)
  await block.locator('button.execute').click()
  return (await block.locator('.live-responses-table tbody .response-col_status').first().textContent()) ?? ''
}

type ShownOperation = {
  readonly height: number
  readonly responses: readonly string[]
  readonly headers: readonly string[]
  readonly refusals: readonly (readonly string[])[]
  readonly isFolded: boolean
}

/** What the page shows of each opened operation, by its name. */
const shownOperations = (page: Page): Promise<Readonly<Record<string, ShownOperation>>> => page.evaluate(readOperations)

// Strings, because they run in the page.
const clickAll = (page: Page, selector: string): Promise<void> =>
  page.evaluate(`document.querySelectorAll('${selector}').forEach((element) => element.click())`)
const readOperations = `Object.fromEntries(
  [...document.querySelectorAll('.opblock:not(.webhooks .opblock)')].map((block) => {
    const texts = (selector, within = block) => [...within.querySelectorAll(selector)].map((each) => each.textContent)
    const table = block.querySelector('.refusals .renderedMarkdown table')
    const shown = {
      height: block.getBoundingClientRect().height,
      responses: texts('.responses-table > tbody > .response > .response-col_status'),
      headers: [...texts('.header-col:first-child'), ...texts('.parameter__name')],
      refusals: [...table.tBodies[0].rows].map((row) => texts('td', row).slice(0, 2)),
      isFolded: !table.checkVisibility(),
    }
    return [block.id.split('-').at(-1), shown]
  }),
)`

/** The operations that the service calls at endpoints. */
const messages = Object.values(document.webhooks).flatMap(({ post }) => post ?? [])

const standard = ['X-Request-Id', 'traceparent', 'RateLimit', 'RateLimit-Policy']

const isRefusal = (status: string): boolean => !/^[123]/.test(status)

/** The status and code of each refusal in a response. */
const codesOf = (status: string, { responses }: OperationObject) =>
  [...resolved(responses[status] ?? expect.fail(), 'responses').description.matchAll(/^- `(?<code>[^`]+)`/gm)].map(
    ({ groups }) => [status, groups?.['code']],
  )

describeBrowser('the page at /docs', () => {
  test('shows every operation, and sends requests with an entered token, or without one where everybody may read', {
    timeout: 2 * hangMs,
  }, async () => {
    const server = await startServer({ environment: { ANONYMOUS_READS: 'on' } })
    server.clock.set(new Date().toISOString())
    const { page, troubles, origins } = await openPage(server.url)
    const shown = await page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id.split('-').at(-1)))
    const operations = [...documented.map(({ operation }) => operation), ...messages]
    expect(shown.sort()).toEqual(operations.map(({ operationId }) => operationId).sort())
    expect(await page.locator('.info a[href="asyncapi.json"]').count()).toBe(1)
    // The page cannot send what the service sends.
    await clickAll(page, '.webhooks .opblock-summary-control')
    await expect.poll(() => page.locator('.webhooks .opblock-body').count(), { timeout: hangMs }).toBe(messages.length)
    expect(await page.locator('.webhooks button.execute').count()).toBe(0)

    // Without a token, no operation looks authorized.
    const locked = page.locator('.opblock .locked')
    const unlocked = page.locator('.opblock .unlocked')
    const count = await unlocked.count()
    expect(count).toBeGreaterThan(0)
    expect(await locked.count()).toBe(0)
    expect(await tryOut(page, 'listAuctions')).toBe('200')

    await authorize(page, tokenOf('anna'))
    await expect.poll(() => locked.count(), { timeout: hangMs }).toBe(count)
    const sent = page.waitForRequest(`${server.url}/api/Auctions?*`)
    await page.locator('.opblock.is-open button.execute').click()
    expect((await sent).headers()['authorization']).toBe(`Bearer ${tokenOf('anna')}`)
    // In the order of the page, with its example requests.
    expect(await tryOut(page, 'createAuction')).toBe('201')
    expect(await tryOut(page, 'readAuction')).toBe('200')
    expect(await tryOut(page, 'placeBid')).toBe('201')
    expect(await stored(server)).toEqual({ auctions: 1, bids: 1 })
    expect([...origins]).toEqual([server.url])
    expect(troubles).toEqual([])

    // The policy forbids scripts of other origins. A string, because it runs in the page.
    await page.evaluate(`
      const script = document.createElement('script')
      script.textContent = 'document.title = "taken over"'
      document.body.append(script)
    `)
    expect(await page.title()).toBe('Auction service: the API')
    expect(troubles).toEqual([expect.stringContaining('Content Security Policy')])
  })

  test('shows an operation on two screens, without standard headers, and with its refusals folded', {
    timeout: 2 * hangMs,
  }, async () => {
    const { url } = await startServer({ environment: { ANONYMOUS_READS: 'on' } }) // The longest document, as `documented`.
    const { page, troubles } = await openPage(url)
    await clickAll(page, '.opblock-summary-control')
    await expect.poll(() => page.locator('.refusals').count(), { timeout: hangMs }).toBe(documented.length)
    const shown = await shownOperations(page)
    for (const { operation } of documented) {
      const { operationId } = operation
      const { height, responses, headers, refusals, isFolded } = shown[operationId] ?? expect.fail()
      expect(height, operationId).toBeLessThan(1_600)
      expect(isFolded, operationId).toBe(true)
      expect(headers.filter((name) => standard.includes(name))).toEqual([])
      const statuses = Object.keys(operation.responses)
      expect(responses).toEqual(statuses.filter((status) => !isRefusal(status)))
      expect(refusals).toEqual(statuses.filter(isRefusal).flatMap((status) => codesOf(status, operation)))
    }
    expect(await page.locator('.info').textContent()).toContain('X-Request-Id, RateLimit, RateLimit-Policy')

    // Also on a narrow screen, with all refusals.
    await clickAll(page, '.refusals summary')
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(Object.values(await shownOperations(page)).some(({ isFolded }) => isFolded)).toBe(false)
    expect(troubles).toEqual([])
  })

  test('keeps the token until the tab is closed', { timeout: 2 * hangMs }, async () => {
    const { url } = await startServer()
    const profile = await openProfile()
    const { page } = await openPage(url, profile)
    expect(await tryOut(page, 'listAuctions')).toBe('401')
    await authorize(page, tokenOf('anna'))
    await page.reload()
    await page.locator('.auth-wrapper .locked').waitFor()
    await page.locator('.opblock.is-open button.execute').click()
    await page.locator('.live-responses-table td', { hasText: /^200$/ }).waitFor()

    const { page: other } = await openPage(url, profile)
    expect(await tryOut(other, 'listAuctions')).toBe('401')
    expect(await other.evaluate('localStorage.length')).toBe(0)

    await page.locator('.auth-wrapper button.authorize').click()
    await page.locator('.auth-btn-wrapper button', { hasText: 'Logout' }).click()
    await page.locator('.auth-wrapper .unlocked').waitFor()
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(tokenOf('anna'))
  })
})
