import { expect, test } from 'vitest'
import { startChild } from '../../../../tools/vitest/child.ts'
import { provided } from '../../../../tools/vitest/needs.ts'
import { describeBrowser } from '../support/browser.ts'
import { openAuction } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { tokenOf } from '../support/tokens.ts'

/** npm fetches it for this test alone, because its 110 packages are 176 MB. */
const lighthouse = 'lighthouse@13.5.0'
/** Performance is not among them, because it depends on what else runs on the machine. */
const categories = ['accessibility', 'best-practices']

/** The scores of a page on Lighthouse's phone. */
async function scoresOf(url: string): Promise<Readonly<Record<string, number>>> {
  const options = ['--output=json', '--quiet', `--only-categories=${categories}`]
  const flags = '--chrome-flags=--headless --no-sandbox --disable-gpu'
  const env = { ...process.env, CHROME_PATH: provided('chromium').program }
  const child = startChild('npx', ['--yes', lighthouse, url, ...options, flags], { env })
  expect(await child.exited()).toBe(0)
  const report: { categories: Record<string, { score: number }> } = JSON.parse(child.stdout())
  return Object.fromEntries(Object.entries(report.categories).map(([name, { score }]) => [name, score]))
}

describeBrowser('Lighthouse', () => {
  test('gives the accessibility and the practices of a list and an auction at least 95 on a phone', {
    timeout: 900_000,
  }, async () => {
    const server = await startServer({ environment: { ANONYMOUS_READS: 'on' } })
    for (let at = 0; at < 11; at++) await openAuction(server, { title: `Walnut desk ${at}` })
    const auction = await openAuction(server)
    for (let at = 0; at < 30; at++) await auction.placeBid({ bidderId: 2 + (at % 3), amount: 100 + 10 * at })
    for (const view of [`#token=${tokenOf('anna')}&user=2`, `#/auctions/${auction.id}`]) {
      const scores = await scoresOf(`${server.url}/${view}`)
      expect(Object.keys(scores)).toEqual(categories)
      for (const score of Object.values(scores)) expect(score).toBeGreaterThanOrEqual(0.95)
    }
  })
})
