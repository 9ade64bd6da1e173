import { StoreUnavailableError } from '@auction/domain/ports/store-unavailable'
import { sampleAuction, sampleBid } from '@auction/domain/testing/samples'
import { expect, onTestFinished, test } from 'vitest'
import { describeMongo, ownDatabase } from '../../../../tools/vitest/mongodb.ts'
import { type TcpProxy, tcpProxy } from '../../../../tools/vitest/tcp-proxy.ts'
import { connectMongoStore, type MongoStore } from '../../src/mongodb/mongo-store.ts'

/** A store whose connection to the server a test can break. Its operations are given up early, to keep the test short. */
async function storeBehindProxy(): Promise<{ readonly store: MongoStore; readonly proxy: TcpProxy }> {
  const { uri, drop } = ownDatabase()
  const proxied = new URL(uri)
  const proxy = await tcpProxy({ host: proxied.hostname, port: Number(proxied.port || 27017) })
  proxied.host = `127.0.0.1:${proxy.port}`
  // Or a replica set would tell the driver the way around the proxy.
  proxied.searchParams.set('directConnection', 'true')
  const store = await connectMongoStore(proxied.href, { timeoutMs: 2_000 })
  onTestFinished(async () => {
    await store.close()
    await proxy.close()
    await drop()
  })
  return { store, proxy }
}

const { auctionId } = sampleBid()
const scope = { caller: 'user-1', operation: 'place-bid', key: 'a key' } as const

/** Every operation of a store. The writes are of keys that no other has; `round` tells those of one use from the next. */
const operations = ({ auctions, ledger, idempotencyKeys, ...store }: MongoStore, round: number) => ({
  insert: () => auctions.insert(sampleAuction({ id: round })),
  find: () => auctions.find(sampleAuction().id),
  list: () => auctions.list({ limit: 10 }),
  append: () => ledger.append([sampleBid({ id: round * 10, sequence: round })]),
  appendMany: () =>
    ledger.append([1, 2].map((n) => sampleBid({ id: round * 10 + n, auctionId: n + 1, sequence: round }))),
  head: () => ledger.head(auctionId),
  findBids: () => ledger.find([sampleBid().id]),
  page: () => ledger.page(auctionId, { limit: 10 }),
  reserve: () => idempotencyKeys.insert({ ...scope, generation: round, resourceId: round, reservedAtMs: 0 }),
  latest: () => idempotencyKeys.latest(scope),
  ping: () => store.ping(),
})

/** How each of the operations ends, all at once. */
async function outcomes(
  store: MongoStore,
  round: number,
): Promise<readonly (readonly [name: string, outcome: string])[]> {
  const each = Object.entries(operations(store, round)).map(async ([name, operation]) => {
    const outcome = await operation().then(
      () => 'answered',
      (error: unknown) =>
        error instanceof StoreUnavailableError && error.cause instanceof Error ? 'unavailable' : 'other',
    )
    return [name, outcome] as const
  })
  return await Promise.all(each)
}

const all = (store: MongoStore, outcome: string) => Object.keys(operations(store, 0)).map((name) => [name, outcome])

describeMongo('a server that is gone', () => {
  // The limits of time are those of the tests: they end because every operation does.
  test.each(['cut', 'hang'] as const)(
    'fails every operation, and each works again when it is back: %s',
    async (fault) => {
      const { store, proxy } = await storeBehindProxy()
      expect(await outcomes(store, 1)).toStrictEqual(all(store, 'answered'))

      proxy[fault]()
      expect(await outcomes(store, 2)).toStrictEqual(all(store, 'unavailable'))

      proxy.restore()
      await expect
        .poll(
          () =>
            store.ping().then(
              () => 'up',
              () => 'down',
            ),
          { timeout: 20_000 },
        )
        .toBe('up')
      expect(await outcomes(store, 3)).toStrictEqual(all(store, 'answered'))
    },
  )

  test('fails ids only when those that it has claimed are used up, and hands out more when it is back', async () => {
    const { store, proxy } = await storeBehindProxy()
    const first = await store.auctionIds.next()
    proxy.cut()
    const outcome = async () => await store.auctionIds.next().catch((error: unknown) => error)
    const ids: number[] = [first]
    for (let next = await outcome(); ; next = await outcome()) {
      if (next instanceof StoreUnavailableError) break
      ids.push(Number(next))
    }
    proxy.restore()
    await expect
      .poll(
        () =>
          store.ping().then(
            () => 'up',
            () => 'down',
          ),
        { timeout: 20_000 },
      )
      .toBe('up')
    ids.push(await store.auctionIds.next())
    expect(ids.slice(0, 100)).toStrictEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('leaves the outcome of an append unknown: it may be stored after all', async () => {
    const { store, proxy } = await storeBehindProxy()
    const bids = [sampleBid({ id: 1 }), sampleBid({ id: 2, sequence: 2 })]
    await store.ping()
    proxy.hang()
    await expect(store.ledger.append(bids)).rejects.toMatchObject({ name: 'StoreUnavailableError', outcome: 'unknown' })
    proxy.restore()
    await expect.poll(() => store.ledger.append(bids).catch(() => 'down'), { timeout: 20_000 }).not.toBe('down')
    expect(await store.ledger.page(auctionId, { limit: 10 })).toStrictEqual(bids.toReversed())
  })

  test('does not keep a store from closing, which fails what is under way', async () => {
    const { store, proxy } = await storeBehindProxy()
    await store.ping()
    proxy.hang()
    const [closed, ping] = await Promise.allSettled([store.close(), store.ping()])
    expect(closed).toStrictEqual({ status: 'fulfilled', value: undefined })
    expect(ping).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailableError' } })
  })
})
