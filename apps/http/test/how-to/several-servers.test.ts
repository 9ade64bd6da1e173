import { expect, test } from 'vitest'
import { readPage } from '../support/page.ts'

// `packages/domain/test/use-cases/cancelling.test.ts` gets each of them from a process that has not read the end.
const codes = ['auction-not-started', 'auction-ended', 'owner-cannot-bid', 'owner-cannot-buy']

test('the reference names the codes of a server that has not read the end', () => {
  const [paragraph = ''] =
    /A server that has not yet read a cancellation.*?\n\n/s.exec(readPage('reference/api.md')) ?? []
  for (const code of codes) expect(paragraph).toContain(`\`${code}\``)
})
