import { isStoreUnavailable } from '@auction/domain/errors'
import { sampleAuction, sampleEntry, sampleKey } from '@auction/testing/samples'
import { expect, onTestFinished, test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import type { MongoStore } from '../../src/mongodb/mongo-store.ts'
import { connectProxiedStore } from './support.ts'

/** A store with short time limits, to keep the test short. */
async function storeBehindProxy() {
  const { close, ...proxied } = await connectProxiedStore(2_000)
  onTestFinished(close)
  return proxied
}

const { id: entryId, auctionId } = sampleEntry()

/** Every operation of a store. The writes use unique keys; `round` distinguishes those of one use from the next. */
const operations = (store: MongoStore, round: number) => ({
  insertAuction: () => store.insertAuction(sampleAuction({ id: round })),
  findAuction: () => store.findAuction(auctionId),
  findAuctionByKey: () => store.findAuctionByKey(sampleKey('a')),
  listAuctions: () => store.listAuctions({ order: 'newest', limit: 10 }),
  append: () => store.append([sampleEntry({ id: round * 10, sequence: round })]),
  appendMany: () =>
    store.append([1, 2].map((n) => sampleEntry({ id: round * 10 + n, auctionId: 2, sequence: round * 10 + n }))),
  updateAgenda: () => store.updateAgenda([{ auctionId, dueMs: round }]),
  findHeads: () => store.findHeads([auctionId]),
  findEntries: () => store.findEntries([entryId]),
  findEntriesByKey: () => store.findEntriesByKey([sampleKey('a')]),
  findAuctions: () => store.findAuctions([auctionId]),
  listBidderEntries: () => store.listBidderEntries(sampleEntry().event.bidderId, { limit: 10 }),
  listEntries: () => store.listEntries(auctionId, { limit: 10 }),
  claimIdBlock: () => store.claimIdBlock('entries', round),
  highestIdBlock: () => store.highestIdBlock('entries'),
  ping: () => store.ping(),
})

/** The outcomes of all operations, called concurrently. */
async function outcomes(
  store: MongoStore,
  round: number,
): Promise<readonly (readonly [name: string, outcome: string])[]> {
  const each = Object.entries(operations(store, round)).map(async ([name, operation]) => {
    const outcome = await operation().then(
      () => 'answered',
      (error: unknown) => (isStoreUnavailable(error) && error.cause instanceof Error ? 'unavailable' : 'other'),
    )
    return [name, outcome] as const
  })
  return await Promise.all(each)
}

const all = (store: MongoStore, outcome: string) => Object.keys(operations(store, 0)).map((name) => [name, outcome])

describeMongo('a server outage', () => {
  // The time limit is that of the test: it ends because every operation does.
  test.each(['cut', 'hang'] as const)(
    'fails every operation, and each works again when it is back: %s',
    async (fault) => {
      const { store, proxy, restore } = await storeBehindProxy()
      expect(await outcomes(store, 1)).toStrictEqual(all(store, 'answered'))

      proxy[fault]()
      expect(await outcomes(store, 2)).toStrictEqual(all(store, 'unavailable'))

      await restore()
      expect(await outcomes(store, 3)).toStrictEqual(all(store, 'answered'))
    },
  )

  // The driver's client is unusable after its first search for a server fails.
  test.each([
    ['before the first operation', 0],
    ['longer than several clients search', 4],
  ])('ends with a new connection, %s', async (_, rounds) => {
    const { store, proxy, restore } = await storeBehindProxy()
    if (rounds > 0) await store.ping()
    proxy.cut()
    for (let round = 1; round <= rounds + 1; round++) {
      expect(await outcomes(store, round)).toStrictEqual(all(store, 'unavailable'))
    }
    await restore()
    expect(await outcomes(store, 100)).toStrictEqual(all(store, 'answered'))
  })

  test('leaves the outcome of an append unknown: it may be stored', async () => {
    const { store, proxy, restore } = await storeBehindProxy()
    const entries = [sampleEntry({ id: 1 }), sampleEntry({ id: 2, sequence: 2 })]
    await store.ping()
    proxy.hang()
    await expect(store.append(entries)).rejects.toMatchObject({ name: 'StoreUnavailableError', outcome: 'unknown' })
    await restore()
    await store.append(entries)
    expect(await store.listEntries(auctionId, { limit: 10 })).toStrictEqual(entries.toReversed())
  })

  test('does not prevent a store from closing, which fails calls in flight', async () => {
    const { store, proxy } = await storeBehindProxy()
    await store.ping()
    proxy.hang()
    const [closed, ping] = await Promise.allSettled([store.close(), store.ping()])
    expect(closed).toStrictEqual({ status: 'fulfilled', value: undefined })
    expect(ping).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailableError' } })
  })
})
