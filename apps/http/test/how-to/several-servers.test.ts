import { expect, test } from 'vitest'
import { readPage } from '../support/page.ts'

// `packages/domain/test/use-cases/cancelling.test.ts` gets each of them from a process that has not read the end.
const ofBids = ['auction-not-started', 'auction-ended', 'owner-cannot-bid']
const ofPurchases = ['auction-not-started', 'auction-ended', 'owner-cannot-buy']

test.each([
  ['how-to/cancel-an-auction.md', /With several servers.*/s, [...ofBids, ...ofPurchases]],
  ['how-to/sell-at-once.md', /With several servers.*/s, ofPurchases],
  ['reference/api.md', /A server that has not yet read a cancellation.*/s, [...ofBids, ...ofPurchases]],
])('%s names the codes of a server that has not read the end', (path, begins, codes) => {
  const [paragraph = ''] = begins.exec(readPage(path))?.[0].split(/\n(?:\n|- )/) ?? []
  for (const code of codes) expect(paragraph).toContain(`\`${code}\``)
})
