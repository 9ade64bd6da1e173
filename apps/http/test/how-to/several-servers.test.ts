import { expect, test } from 'vitest'
import { readPage } from '../support/page.ts'

// `packages/domain/test/use-cases/cancelling.test.ts` has each of them given by a process that has not heard of the end.
const ofBids = ['auction-not-started', 'auction-ended', 'owner-cannot-bid']
const ofPurchases = ['auction-not-started', 'auction-ended', 'owner-cannot-buy']

test.each([
  ['how-to/cancel-an-auction.md', /Where several servers run.*/s, [...ofBids, ...ofPurchases]],
  ['how-to/sell-at-once.md', /Where several servers run.*/s, ofPurchases],
  ['reference/api.md', /Of several servers, one that has not heard.*/s, [...ofBids, ...ofPurchases]],
])('%s names the codes of a server that has not heard of the end', (path, begins, codes) => {
  const [paragraph = ''] = begins.exec(readPage(path))?.[0].split(/\n(?:\n|- )/) ?? []
  for (const code of codes) expect(paragraph).toContain(`\`${code}\``)
})
