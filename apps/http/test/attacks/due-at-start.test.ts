import { join } from 'node:path'
import { openSqliteStore, type SqliteStore } from '@auction/adapters/sqlite'
import { type AuctionSample, sampleAuction } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import { temporaryFolder } from '../support/server-process.ts'
import { tokenOf } from '../support/tokens.ts'
import { inWords, startBidder, startSmallServer } from './steady-bidder.ts'

// A starting server closes many auctions that have ended in the meantime, while a caller bids. `TEST_SIZE=long` uses 200,000
// auctions, and prints the response times of the bidder: before closing yielded to other work, they were up to 4.6 s.
const ended = isLong ? 200_000 : 5_000
const longestWaitMs = 3_000
const openId = ended + 1

async function insert(store: SqliteStore, sample: AuctionSample): Promise<void> {
  expect(await store.insertAuction(sampleAuction({ startTime: '2020-01-31T12:00:00Z', ...sample }))).toBe('inserted')
}

test('a caller can bid while a server closes auctions that ended before its start', async () => {
  const file = join(temporaryFolder(), 'auctions.sqlite')
  const store = await openSqliteStore(file)
  await insert(store, { id: openId, endTime: '2090-01-31T12:00:00Z' })
  for (let first = 1; first <= ended; first += 1_000) {
    const ids = Array.from({ length: 1_000 }, (_, index) => first + index)
    await Promise.all(ids.map((id) => insert(store, { id, endTime: '2020-02-07T12:00:00Z' })))
  }
  const last = sampleAuction({ id: ended })
  const { url, child } = await startSmallServer(file)
  const bidder = startBidder({ url, token: tokenOf('berta'), auctionId: openId, amount: 100 })
  while ((await store.findHeads([last.id])).length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  const waited = await bidder.stop()
  await store.close()
  if (isLong) process.stdout.write(`${ended} auctions that are due at the start: ${inWords(waited)}\n`)
  expect(Math.max(...waited)).toBeLessThan(longestWaitMs)
  expect(child.exitCode).toBe(null)
})
