import type { BrowserContext, Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { hangMs, openProfile, sharedProfile } from '../support/browser.ts'
import { tokenOf } from '../support/tokens.ts'

type Opening = {
  readonly url: string
  /** Where to go, such as `#/auctions/1`. */
  readonly view?: string
  readonly user?: number
  /** The token in the link; none if it is empty. */
  readonly token?: string
  /** The default is the one that tests share; without a token it is an empty one, because tabs share tokens. */
  readonly profile?: BrowserContext
}

/** Opens the link to the page in a new tab, and then a view. Errors of scripts and violations of the policy fail the test. */
export async function openPage(opening: Opening): Promise<Page> {
  const { url, view = '#/ending', user = 2, token = tokenOf('anna') } = opening
  const profile = opening.profile ?? (await (token === '' ? openProfile() : sharedProfile()))
  const page = await profile.newPage()
  const troubles: string[] = []
  page.on('console', (message) => {
    // Chromium also logs refusals, which are part of the tests.
    if (message.type() !== 'log' && !message.text().startsWith('Failed to load resource')) troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(String(error)))
  onTestFinished(async () => {
    await page.close()
    expect(troubles).toEqual([])
  })
  const response = await page.goto(token === '' ? `${url}/${view}` : `${url}/#token=${token}&user=${user}`)
  expect(response?.status()).toBe(200)
  await appears(page.locator('nav'))
  if (token !== '') await goTo(page, view)
  return page
}

/** Changes the view as a link does. */
export async function goTo(page: Page, view: string): Promise<void> {
  // A string, because it runs in the page. The page, which has listened longer, shows the view before this resolves.
  await page.evaluate(`new Promise((resolve) => {
    if (location.hash === ${JSON.stringify(view)}) resolve()
    addEventListener('hashchange', resolve, { once: true })
    location.hash = ${JSON.stringify(view)}
  })`)
}

/** Waits until the page shows an element. */
export async function appears(locator: Locator): Promise<void> {
  // Playwright itself looks twice a second.
  const options = { interval: 25, timeout: hangMs, message: `${locator} appears` }
  await expect.poll(() => locator.isVisible(), options).toBe(true)
}

/** Waits until an element of the page has this text. */
export const shows = (page: Page, text: string | RegExp, within = 'main'): Promise<void> =>
  appears(page.locator(within).getByText(text).first())

/** Fills in the form of a bid, and sends it. Confirms a large one. The fields of a leader have other names. */
export async function bid(page: Page, amount: string, maximum = ''): Promise<void> {
  const form = page.locator('form.bid')
  await form.locator('[name=amount]').fill(amount)
  await form.locator('[name=maximum]').fill(maximum)
  await form.getByRole('button').click()
  await confirm(page)
}

/** Confirms the question that is open, if any. */
export async function confirm(page: Page): Promise<void> {
  const yes = page.locator('dialog.question[open]').getByRole('button', { name: /^Yes|^Buy/ })
  if (await yes.isVisible()) await yes.click()
}

/** Responses requests for pictures: those whose name has "broken" fail. Returns the URLs of the pages that asked. */
export async function servePictures(profile: BrowserContext): Promise<ReadonlySet<string | undefined>> {
  const body = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path d="M0 0h4v3H0z"/></svg>'
  const referrers = new Set<string | undefined>()
  await profile.route('https://pictures.example/**', (route) => {
    referrers.add(route.request().headers()['referer'])
    const isBroken = route.request().url().includes('broken')
    return route.fulfill(isBroken ? { status: 404 } : { contentType: 'image/svg+xml', body })
  })
  return referrers
}
