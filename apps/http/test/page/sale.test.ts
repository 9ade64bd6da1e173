import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeBrowser, hangMs, openProfile } from '../support/browser.ts'
import { startServer } from '../support/server.ts'
import { managing, permissions, tokenOf } from '../support/tokens.ts'
import { bid, confirm, goTo, openPage, shows } from './open-page.ts'

const timeout = 4 * hangMs
const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path d="M0 0h4v3H0z"/></svg>'

/** Sells a desk by the form, until 12:30, and returns the view of its auction. */
async function sell(page: Page): Promise<string> {
  await goTo(page, '#/new')
  await page.getByLabel('Title').fill('Walnut desk')
  await page.getByLabel(/^Pictures: up to 10/).fill('https://pictures.example/desk.svg')
  const next = page.getByRole('button', { name: 'Next' })
  await next.click()
  await page.getByLabel('Starting price').fill('100')
  await page.getByLabel('Increment', { exact: true }).fill('5')
  await next.click()
  await page.getByLabel('End', { exact: true }).fill('2030-01-31T12:30')
  await next.click()
  await page.getByRole('button', { name: 'Create the auction' }).click()
  await shows(page, 'Walnut desk', 'h1')
  return new URL(page.url()).hash
}

/** Fills in a form of staff, and confirms it. */
async function repair(page: Page, title: string): Promise<void> {
  const form = page.locator('.staff details', { hasText: title })
  await form.locator('summary').click()
  await form.getByLabel('Reason, visible to everyone').fill('an outage')
  await form.getByRole('button', { name: title }).click()
  await confirm(page)
}

describeBrowser('a whole sale on the page', () => {
  test.each([1200, 390])(
    'at %i pixels: sold with a picture, bid up, extended late and by staff, and ended',
    { timeout },
    async (width) => {
      const server = await startServer()
      const open = async (user: number, view?: string, token?: string) => {
        const profile = await openProfile({ viewport: { width, height: 844 }, timezoneId: 'UTC' })
        await profile.route('https://pictures.example/**', (route) =>
          route.fulfill({ contentType: 'image/svg+xml', body: picture }),
        )
        return openPage({ url: server.url, user, ...(view && { view }), ...(token && { token }), profile })
      }
      const seller = await open(1)
      const view = await sell(seller)
      server.clock.set('2030-01-31T12:10:00Z')
      const [ann, bob] = [await open(2, view), await open(3, view)]
      await ann.locator('img.picture').waitFor()
      await bid(ann, '100', '150')
      await shows(ann, 'You lead', '.banner')
      await bid(bob, '200')
      await shows(ann, 'You were outbid', '.banner')

      server.clock.set('2030-01-31T12:29:00Z')
      await bid(ann, '210')
      await shows(bob, /^Late bids moved the end from .*12:30:00/, '.extended')
      const staff = await open(9, view, tokenOf('staff', { permissions: [...permissions, managing] }))
      await repair(staff, 'Extend the auction')
      await shows(bob, /^Extended to .* by staff: an outage/, '.repairs')
      await repair(staff, 'End the auction now')
      await shows(bob, 'Ended early by staff: an outage', '.repairs')
      server.clock.set('2030-01-31T12:35:00Z')
      await shows(ann, 'Sold to you for $210.00', '.banner')
      await shows(bob, 'You did not win', '.banner')
      const pages = [seller, ann, bob, staff]
      const isWider = 'document.documentElement.scrollWidth > innerWidth'
      for (const page of pages) expect(await page.evaluate(isWider)).toBe(false)
      expect(pages.flatMap(({ troubles }) => troubles)).toEqual([])
    },
  )
})
