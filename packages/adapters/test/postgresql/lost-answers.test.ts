import { createAuctionService } from '@auction/domain'
import { unwrap } from '@auction/domain/result'
import { sampleAuction, sampleNewBid, sampleStartTime } from '@auction/testing/samples'
import { expect, onTestFinished, test } from 'vitest'
import { describePostgresql, execute } from '../../../../tools/vitest/postgresql.ts'
import { createManualClock } from '../../src/memory/manual-clock.ts'
import { connectProxiedStore } from './support.ts'

describePostgresql('bids whose append is stored and whose response is lost', (database) => {
  test.each([
    [[100], false],
    [[100], true],
    [[100, 105, 110], false],
    [[100, 105, 110], true],
  ])('are found, and stored once: bids of %j, with keys %j', async (amounts, isKeyed) => {
    const uri = await database()
    const { store, proxy, close } = await connectProxiedStore(uri)
    onTestFinished(close)
    await store.insertAuction(sampleAuction())
    const { placeBid } = createAuctionService({ store, clock: createManualClock(sampleStartTime) })
    proxy.cutNext('after', (request) => request.includes('INSERT INTO entries'))
    const placed = amounts.map((amount) =>
      placeBid(sampleNewBid({ amount }), isKeyed ? { caller: 'c', key: `key-${amount}` } : undefined),
    )
    const ids = (await Promise.all(placed)).map((each) => unwrap(each).id)
    const rows = await execute(uri, 'SELECT id FROM auctions.entries ORDER BY sequence')
    expect(rows.map(({ id }) => Number(id))).toEqual(ids)
  })
})
