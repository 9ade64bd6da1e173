import type { Auction } from '@auction/domain/auction'
import type { Bid } from '@auction/domain/bid'
import { unwrap } from '@auction/domain/result'
import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../../src/memory/memory-store.ts'
import { type Fate, fatefulLedger, noAnswer } from './ledgers.ts'
import {
  createAuction,
  keyOf,
  ledgerOf,
  newAuction,
  newBid,
  storeWith,
  type TestService,
  testService,
  wordFor,
} from './service.ts'

type Fates = Parameters<typeof fatefulLedger>[1]

const serviceOver = (fates: Fates): TestService =>
  testService({ store: storeWith(({ ledger }) => ({ ledger: fatefulLedger(ledger, fates) })) })

const unavailable = (outcome: 'unknown' | 'nothing-changed') => ({ name: 'StoreUnavailableError', outcome })
const down = Array.from({ length: 100 }, (): Fate => 'lost-before-storing')

describe('an append whose answer is lost', () => {
  test.each<[string, Fates]>([
    ['before it stored anything', { append: ['lost-before-storing'] }],
    ['after it stored all', { append: ['lost-after-storing'] }],
    ['twice, before it stored anything', { append: ['lost-before-storing', 'lost-before-storing'] }],
    ['twice, and was stored by the second', { append: ['lost-before-storing', 'lost-after-storing'] }],
    ['as often as it is sent, and was stored by the last', { append: [...down.slice(0, 2), 'lost-after-storing'] }],
    [
      'after it stored all, as well as the answer to what is stored',
      { append: ['lost-after-storing'], find: ['lost-before-storing'] },
    ],
  ])('%s, is settled: the bid is stored once, and answered as stored', async (_, fates) => {
    const service = serviceOver(fates)
    const auction = await createAuction(service)
    const bid = unwrap(await service.placeBid(newBid(auction, 2, 100)))
    expect(await ledgerOf(service, auction)).toStrictEqual([bid])
  })

  test.each([0, 1, 2, 3, 4, 5, 6])('after %i bids of a group, is settled for each of them', async (lostAfter) => {
    const service = serviceOver({ append: ['goes-through', { lostAfter }] })
    const auctions = [await createAuction(service), await createAuction(service), await createAuction(service)]
    const placed: Promise<Bid>[] = []
    for (const amount of [100, 105, 110]) {
      for (const auction of auctions) placed.push(service.placeBid(newBid(auction, 2, amount)).then(unwrap))
    }
    const bids = await Promise.all(placed)
    for (const auction of auctions) {
      const stored = await ledgerOf(service, auction)
      expect(stored).toStrictEqual(bids.filter((bid) => bid.auctionId === auction.id))
      expect(stored.map(({ amountMinor }) => amountMinor)).toEqual([100_00, 105_00, 110_00])
    }
  })

  test('is settled for each of a group that arrives when it is sent again', async () => {
    const service = serviceOver({ append: ['goes-through', 'arrives-late'] })
    const auction = await createAuction(service)
    const placed = [100, 105, 110, 115].map((amount) => service.placeBid(newBid(auction, 2, amount)))
    expect((await Promise.all(placed)).map(unwrap)).toStrictEqual(await ledgerOf(service, auction))
    expect((await ledgerOf(service, auction)).map(({ amountMinor }) => amountMinor)).toEqual([
      100_00, 105_00, 110_00, 115_00,
    ])
  })

  test('is not taken for stored because another bid of the same key is', async () => {
    const service = testService()
    const auction = await createAuction(service)
    const bid = unwrap(await service.placeBid(newBid(auction, 2, 100), keyOf('k')))
    const ledger = fatefulLedger(service.store.ledger, { append: ['lost-before-storing'] })
    const other = testService({ store: { ...service.store, ledger } })
    expect(wordFor(await other.placeBid(newBid(auction, 2, 105), keyOf('k')))).toBe('idempotency-key-reused')
    expect(await ledgerOf(service, auction)).toStrictEqual([bid])
  })

  test('is settled for a bid with a key, too', async () => {
    const service = serviceOver({ append: ['lost-after-storing'] })
    const auction = await createAuction(service)
    const bid = unwrap(await service.placeBid(newBid(auction, 2, 100), keyOf('k')))
    expect(unwrap(await service.placeBid(newBid(auction, 2, 100), keyOf('k')))).toStrictEqual(bid)
    expect(await ledgerOf(service, auction)).toStrictEqual([bid])
  })
})

describe('an append that something on the way repeats', () => {
  test.each([undefined, keyOf('k')])(
    'finds its own key taken: the bid is stored once, and accepted (key: %j)',
    async (key) => {
      const service = serviceOver({ append: ['sent-twice'] })
      const auction = await createAuction(service)
      const bid = unwrap(await service.placeBid(newBid(auction, 2, 100), key))
      expect(await ledgerOf(service, auction)).toStrictEqual([bid])
    },
  )

  test.each([
    ['sent-twice', 1],
    ['sent-twice', 3],
    ['sent-twice-at-once', 1],
    ['sent-twice-at-once', 3],
  ] as const)('accepts each bid of a group: %s, on auctions: %i', async (fate, count) => {
    const service = serviceOver({ append: ['goes-through', fate] })
    const auctions: Auction[] = []
    while (auctions.length < count) auctions.push(await createAuction(service))
    const amounts = [100, 105, 110, 115]
    const placed = amounts.flatMap((amount) => auctions.map((auction) => service.placeBid(newBid(auction, 2, amount))))
    const bids = (await Promise.all(placed)).map(unwrap)
    for (const auction of auctions) {
      expect(await ledgerOf(service, auction)).toStrictEqual(bids.filter((bid) => bid.auctionId === auction.id))
    }
  })

  test('stops where another process has taken a sequence, and goes on behind it', async () => {
    const right = memoryStore()
    const ledger = fatefulLedger(right.ledger, { append: ['goes-through', 'goes-through', 'sent-twice'] })
    const service = testService({ store: { ...right, ledger } })
    const other = testService({ store: right })
    const first = await createAuction(service)
    const [before, contested, behind] = [
      await createAuction(service),
      await createAuction(service),
      await createAuction(service),
    ]
    unwrap(await service.placeBid(newBid(contested, 2, 100)))
    unwrap(await other.placeBid(newBid(contested, 3, 200)))
    const bids = [first, before, contested, behind].map((auction) => newBid(auction, 4, 205))
    const placed = (await Promise.all(bids.map((bid) => service.placeBid(bid)))).map(unwrap)
    expect(placed.map(({ sequence }) => sequence)).toEqual([1, 1, 3, 1])
    for (const bid of placed) expect(await right.ledger.head(bid.auctionId)).toStrictEqual(bid)
  })

  test('is told as unknown when nobody can be asked what took the key', async () => {
    const service = serviceOver({ append: ['sent-twice'], find: down })
    const auction = await createAuction(service)
    await expect(service.placeBid(newBid(auction, 2, 100))).rejects.toMatchObject(unavailable('unknown'))
    expect((await ledgerOf(service, auction)).length).toBe(1)
  })
})

describe('a store that stays down', () => {
  test('from the append on leaves the outcome unknown', async () => {
    const service = serviceOver({ append: down, find: down })
    const auction = await createAuction(service)
    await expect(service.placeBid(newBid(auction, 2, 100))).rejects.toMatchObject(unavailable('unknown'))
  })

  test('for appends only leaves the outcome unknown, since the last one may arrive yet', async () => {
    const service = serviceOver({ append: down })
    const auction = await createAuction(service)
    await expect(service.placeBid(newBid(auction, 2, 100))).rejects.toMatchObject(unavailable('unknown'))
  })

  test('before the head was read has changed nothing', async () => {
    const service = serviceOver({ head: down })
    const auction = await createAuction(service)
    await expect(service.placeBid(newBid(auction, 2, 100))).rejects.toMatchObject(unavailable('nothing-changed'))
    expect(await ledgerOf(service, auction)).toEqual([])
  })

  test.each([
    ['auctions', undefined],
    ['bidIds', undefined],
    ['bidIds', keyOf('k')],
    ['idempotencyKeys', keyOf('k')],
  ] as const)('for its %s has changed nothing (key: %j)', async (part, key) => {
    const store = memoryStore()
    const auction = await createAuction(testService({ store }))
    const fail = async () => Promise.reject(noAnswer())
    const broken = {
      auctions: { ...store.auctions, find: fail },
      bidIds: { ...store.bidIds, next: fail },
      idempotencyKeys: { insert: fail, latest: fail },
    }
    const service = testService({ store: { ...store, [part]: broken[part] } })
    await expect(service.placeBid(newBid(auction, 2, 100), key)).rejects.toMatchObject({
      ...unavailable('nothing-changed'),
      message: 'no answer',
    })
    expect(await ledgerOf(service, auction)).toEqual([])
  })

  test('is asked again by the next bid, which is placed once the store is back', async () => {
    const service = serviceOver({ append: down.slice(0, 3), head: down.slice(0, 1) })
    const auction = await createAuction(service)
    await expect(service.placeBid(newBid(auction, 2, 100))).rejects.toMatchObject(unavailable('nothing-changed'))
    await expect(service.placeBid(newBid(auction, 2, 100))).rejects.toMatchObject(unavailable('unknown'))
    expect(wordFor(await service.placeBid(newBid(auction, 3, 100)))).toBe('accepted')
    expect((await ledgerOf(service, auction)).map(({ bidderId }) => bidderId)).toEqual([3])
  })

  test('takes the same key again, and stores the bid once, whether or not it was stored before', async () => {
    for (const lastFate of ['lost-before-storing', 'lost-after-storing'] as const) {
      const find: Fates['find'] = ['goes-through', 'goes-through', 'lost-before-storing']
      const service = serviceOver({ append: [...down.slice(0, 2), lastFate], find })
      const auction = await createAuction(service)
      const send = () => service.placeBid(newBid(auction, 2, 100), keyOf('k'))
      await expect(send()).rejects.toMatchObject(unavailable('unknown'))
      const bid = unwrap(await send())
      expect(await ledgerOf(service, auction)).toStrictEqual([bid])
    }
  })

  test('fails all bids of a group whose outcome it keeps, and answers those that are stored', async () => {
    const service = serviceOver({ append: ['goes-through', { lostAfter: 1 }, ...down] })
    const auction = await createAuction(service)
    const results = await Promise.allSettled(
      [100, 105, 110, 115].map((amount) => service.placeBid(newBid(auction, 2, amount))),
    )
    const words = results.map((result) =>
      result.status === 'fulfilled' ? wordFor(result.value) : result.reason.outcome,
    )
    expect(words).toEqual(['accepted', 'accepted', 'unknown', 'unknown'])
    expect((await ledgerOf(service, auction)).map(({ amountMinor }) => amountMinor)).toEqual([100_00, 105_00])
  })
})

describe('a bug in a store', () => {
  test('is not taken for an outage: it comes out as it is, and the lane goes on', async () => {
    const bug = new TypeError('a bug')
    let calls = 0
    const store = storeWith(({ ledger }) => ({
      ledger: { ...ledger, append: (bids) => (++calls === 1 ? Promise.reject(bug) : ledger.append(bids)) },
    }))
    const service = testService({ store })
    const auction = await createAuction(service)
    await expect(service.placeBid(newBid(auction, 2, 100))).rejects.toBe(bug)
    expect(wordFor(await service.placeBid(newBid(auction, 2, 100)))).toBe('accepted')
  })
})

describe('an auction whose insert was not answered', () => {
  const losing = (fates: readonly Fate[]) => {
    const left = [...fates]
    return storeWith(({ auctions }) => ({
      auctions: {
        ...auctions,
        insert: async (auction) => {
          const fate = left.shift() ?? 'goes-through'
          const answer = fate === 'lost-before-storing' ? undefined : await auctions.insert(auction)
          if (fate !== 'goes-through' || answer === undefined) throw noAnswer()
          return answer
        },
      },
    }))
  }

  test.each<[Fate]>([['lost-before-storing'], ['lost-after-storing']])('%s: is created once', async (fate) => {
    const service = testService({ store: losing([fate]) })
    const auction = unwrap(await service.createAuction(newAuction()))
    expect(await service.store.auctions.list({ limit: 10 })).toStrictEqual([auction])
  })

  test('at all is looked for in the end', async () => {
    const service = testService({ store: losing(['lost-after-storing', ...down.slice(0, 2)]) })
    const auction = unwrap(await service.createAuction(newAuction()))
    expect(await service.store.auctions.list({ limit: 10 })).toStrictEqual([auction])
  })

  test('at all, and which is not found, has an unknown outcome, which the same key settles', async () => {
    const service = testService({ store: losing(down.slice(0, 3)) })
    const send = () => service.createAuction(newAuction(), keyOf('k'))
    await expect(send()).rejects.toMatchObject(unavailable('unknown'))
    const auction = unwrap(await send())
    expect(await service.store.auctions.list({ limit: 10 })).toStrictEqual([auction])
  })

  test('for want of an id has changed nothing', async () => {
    const store = storeWith(({ auctionIds }) => ({
      auctionIds: { ...auctionIds, next: async () => Promise.reject(noAnswer()) },
    }))
    const service = testService({ store })
    await expect(service.createAuction(newAuction())).rejects.toMatchObject(unavailable('nothing-changed'))
  })
})
