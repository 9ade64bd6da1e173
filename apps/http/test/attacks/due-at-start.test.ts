import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openSqliteStore, type SqliteStore } from '@auction/adapters/sqlite'
import { type AuctionSample, sampleAuction } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import { clientOf } from '../support/client.ts'
import { startServerProcess, temporaryFolder } from '../support/server-process.ts'
import { secret, tokenOf } from '../support/tokens.ts'

// A starting server closes many auctions that have ended in the meantime, while a caller bids. `TEST_SIZE=long` uses 200,000
// auctions: before closing yielded to other work, responses took up to 4.6 s.
const ended = isLong ? 200_000 : 5_000
const longestWaitMs = 3_000
const openId = ended + 1

async function insert(store: SqliteStore, sample: AuctionSample): Promise<void> {
  expect(await store.insertAuction(sampleAuction({ startTime: '2020-01-31T12:00:00Z', ...sample }))).toBe('inserted')
}

test('a caller can bid while a server closes auctions that ended before its start', async () => {
  const SQLITE_FILE = join(temporaryFolder(), 'auctions.sqlite')
  const store = await openSqliteStore(SQLITE_FILE)
  await insert(store, { id: openId, endTime: '2090-01-31T12:00:00Z' })
  for (let first = 1; first <= ended; first += 1_000) {
    const ids = Array.from({ length: 1_000 }, (_, index) => first + index)
    await Promise.all(ids.map((id) => insert(store, { id, endTime: '2020-02-07T12:00:00Z' })))
  }
  // The heap is that of a container of 512 MB.
  const heap = { NODE_OPTIONS: '--max-old-space-size=256' }
  const server = await startServerProcess({ ...heap, JWT_SECRET: secret, RATE_LIMIT_MAX: '1000000', SQLITE_FILE })
  const berta = clientOf(server, tokenOf('berta'), openId)
  const waited: number[] = []
  const last = sampleAuction({ id: ended })
  for (let amount = 100; (await store.findHeads([last.id])).length === 0; amount += 5) {
    const startMs = performance.now()
    expect((await berta.placeBid({ amount })).status).toBe(201)
    waited.push(performance.now() - startMs)
    await setTimeout(10)
  }
  await store.close()
  expect(Math.max(...waited)).toBeLessThan(longestWaitMs)
  expect(server.child.exitCode).toBe(null)
})
