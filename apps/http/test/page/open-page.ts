import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openProfile } from '../support/browser.ts'
import { tokenOf } from '../support/tokens.ts'

export type OpenedPage = Page & {
  /** Errors of scripts, and violations of the policy. */
  readonly troubles: readonly string[]
}

type Opening = {
  readonly url: string
  /** Where to go, such as `#/auctions/1`. */
  readonly view?: string
  readonly user?: number
  /** The token in the link; none if it is empty. */
  readonly token?: string
  readonly profile?: BrowserContext
}

/** Opens the link to the page in a new tab, and then a view. */
export async function openPage(opening: Opening): Promise<OpenedPage> {
  const { url, view = '#/ending', user = 2, token = tokenOf('anna') } = opening
  const profile = opening.profile ?? (await openProfile())
  const page = await profile.newPage()
  const troubles: string[] = []
  page.on('console', (message) => {
    // Chromium also logs refusals, which are part of the tests.
    if (message.type() !== 'log' && !message.text().startsWith('Failed to load resource')) troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(String(error)))
  const answer = await page.goto(token === '' ? `${url}/${view}` : `${url}/#token=${token}&user=${user}`)
  expect(answer?.status()).toBe(200)
  await page.locator('nav').waitFor()
  if (token !== '') await goTo(page, view)
  return Object.assign(page, { troubles })
}

/** Changes the view as a link does. */
export async function goTo(page: Page, view: string): Promise<void> {
  // A string, because it runs in the page.
  await page.evaluate(`location.hash = ${JSON.stringify(view)}`)
  await page.locator('h1').first().waitFor()
}

/** Waits until an element of the page has this text. */
export async function shows(page: Page, text: string | RegExp, within = 'main'): Promise<void> {
  await page.locator(within).getByText(text).first().waitFor()
}

/** Goes to a step of the form for a new auction. */
export async function goToStep(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: title }).click()
}

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
