import { createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, test } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import type { Entry } from '../../src/auction/entry.ts'
import { UnreadableStoredError } from '../../src/store/errors.ts'
import type { Store } from '../../src/store/store.ts'
import type { AuctionId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import {
  amountsOf,
  codeOf,
  createAuction,
  createTestService,
  ledgerOf,
  newBid,
  noAnswer,
  outcomeOf,
  storeWith,
} from '../support/service.ts'
import { type CallOutcome, type CallOutcomes, createUnreliableStore, many } from '../support/stores.ts'

/** A service over a store that already contains auctions, and whose operations then fail as given. */
async function createServiceUnder(faults: CallOutcomes, auctionCount = 1) {
  const right = createMemoryStore()
  const founder = createTestService({ store: right })
  const auctions = await Promise.all(Array.from({ length: auctionCount }, () => createAuction(founder)))
  const service = createTestService({ store: createUnreliableStore(right, faults) })
  const [auction] = auctions
  if (auction === undefined) throw new RangeError('there is an auction')
  return { right, service, auction, auctions }
}

const down = many('lost-before-storing')

describe('an append whose answer is lost', () => {
  test.each<{ readonly title: string; readonly faults: CallOutcomes }>([
    { title: 'before anything is stored', faults: { append: ['lost-before-storing'] } },
    { title: 'after all is stored', faults: { append: ['lost-after-storing'] } },
    { title: 'twice, before anything is stored', faults: { append: ['lost-before-storing', 'lost-before-storing'] } },
    { title: 'twice, and stored by the second try', faults: { append: ['lost-before-storing', 'lost-after-storing'] } },
    { title: 'on every try, and stored by the last', faults: { append: [...down.slice(0, 2), 'lost-after-storing'] } },
    {
      title: 'after all is stored, and the answer to the lookup is lost, too',
      faults: { append: ['lost-after-storing'], findEntries: down.slice(0, 3) },
    },
    { title: 'while it arrives late', faults: { append: ['arrives-late'] } },
    {
      title: 'while it arrives late, after another lost one',
      faults: { append: ['arrives-late', 'lost-before-storing'] },
    },
  ])('$title, is settled: the bid is stored once, and reported as stored', async ({ faults }) => {
    const { right, service, auction } = await createServiceUnder(faults)
    const bid = unwrap(await service.placeBid(newBid(auction, 2, 100)))
    expect((await ledgerOf(right, auction)).map(({ id }) => id)).toEqual([bid.id])
  })

  test.each([0, 1, 2])('after %i of its entries is settled for each of them', async (lostAfter) => {
    const faults = { append: ['none', 'none', 'none', { lostAfter }, { lostAfter }, { lostAfter }] } as const
    const { right, service, auctions } = await createServiceUnder(faults, 3)
    const placed = [100, 105, 110].flatMap((amount) =>
      auctions.map((auction) => service.placeBid(newBid(auction, 2, amount))),
    )
    expect((await Promise.all(placed)).map(codeOf)).toEqual(Array.from({ length: 9 }, () => 'accepted'))
    for (const auction of auctions) expect(await amountsOf(right, auction)).toEqual([100, 105, 110])
  })

  test('and which arrives late does not delay later appends', async () => {
    const { right, service, auction } = await createServiceUnder({ append: ['none', 'arrives-late'] })
    const placed = [100, 105, 110, 115].map((amount) => service.placeBid(newBid(auction, 2, amount)))
    expect((await Promise.all(placed)).map(codeOf)).toEqual(Array.from({ length: 4 }, () => 'accepted'))
    expect(await amountsOf(right, auction)).toEqual([100, 105, 110, 115])
  })
})

describe('an append that the network sends twice, so that it conflicts with itself', () => {
  test('is settled by the id of the bid, with a key or without: it is stored', async () => {
    const { right, service, auction } = await createServiceUnder({ append: ['repeated', 'repeated'] })
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('accepted')
    expect(codeOf(await service.placeBid(newBid(auction, 2, 105), { caller: 'c', key: 'k' }))).toBe('accepted')
    expect(await amountsOf(right, auction)).toEqual([100, 105])
  })

  test('is settled even if another process has stored more in the meantime', async () => {
    const right = createMemoryStore()
    const other = createTestService({ store: right })
    const auction = await createAuction(other)
    const store: Store = {
      ...right,
      async append(entries) {
        await right.append(entries)
        await other.placeBid(newBid(auction, 9, 500))
        return right.append(entries)
      },
    }
    expect(codeOf(await createTestService({ store }).placeBid(newBid(auction, 2, 100)))).toBe('accepted')
    expect(await amountsOf(right, auction)).toEqual([100, 500])
  })

  test('is settled even if only part of it was stored before', async () => {
    const right = createMemoryStore()
    const auction = await createAuction(createTestService({ store: right }))
    const store: Store = {
      ...right,
      async append(entries) {
        await right.append(entries.slice(0, entries.length - 1))
        return right.append(entries)
      },
    }
    const service = createTestService({ store })
    const amounts = [100, 105, 110, 115, 120]
    const placed = await Promise.all(amounts.map((amount) => outcomeOf(service.placeBid(newBid(auction, 2, amount)))))
    expect(placed).toEqual(amounts.map(() => 'accepted'))
    expect(await amountsOf(right, auction)).toEqual(amounts)
  })

  test('is settled for each auction', async () => {
    const { right, service, auctions } = await createServiceUnder({ append: many('repeated') }, 4)
    const placed = [100, 105].flatMap((amount) =>
      auctions.map((auction) => service.placeBid(newBid(auction, 2, amount))),
    )
    expect((await Promise.all(placed)).map(codeOf)).toEqual(Array.from({ length: 8 }, () => 'accepted'))
    for (const auction of auctions) expect(await amountsOf(right, auction)).toEqual([100, 105])
  })
})

describe('a store that is unavailable', () => {
  test('from the append on leaves the outcome unknown', async () => {
    const { service, auction } = await createServiceUnder({ append: down, findEntries: down })
    await expect(service.placeBid(newBid(auction, 2, 100))).rejects.toMatchObject({
      message: 'the store did not report the outcome of a write',
      outcome: 'unknown',
      cause: { message: 'no answer', cause: { message: 'connection closed' } },
    })
  })

  test('for appends only leaves the outcome unknown, since the last one may still arrive', async () => {
    const { service, auction } = await createServiceUnder({ append: down })
    expect(await outcomeOf(service.placeBid(newBid(auction, 2, 100)))).toBe('unknown')
  })

  test.each<{ readonly title: string; readonly faults: CallOutcomes }>([
    { title: 'heads', faults: { findHeads: down } },
    { title: 'auctions', faults: { findAuction: down } },
    { title: 'claims of ids', faults: { claimNextIdBlock: down } },
  ])('for $title changes nothing', async ({ faults }) => {
    const { right, service, auction } = await createServiceUnder(faults)
    expect(await outcomeOf(service.placeBid(newBid(auction, 2, 100)))).toBe('nothing-changed')
    expect(await outcomeOf(service.placeBid(newBid(auction, 2, 100), { caller: 'c', key: 'k' }))).toBe(
      'nothing-changed',
    )
    expect(await ledgerOf(right, auction)).toEqual([])
  })

  test('for heads fails no bid of the batch whose refusal needs none, and whose key is being looked up', async () => {
    const looked = Promise.withResolvers<readonly Entry[]>()
    const store = storeWith(() => ({
      findHeads: () => Promise.reject(noAnswer()),
      findEntriesByKey: () => looked.promise,
    }))
    const service = createTestService({ store })
    const auction = await createAuction(service)
    const first = service.placeBid(newBid(auction, 2, 100))
    const byOwner = service.placeBid(newBid(auction, 1, 105), { caller: 'c', key: 'k' })
    const tooLow = service.placeBid(newBid(auction, 3, 104))
    expect([await outcomeOf(first), await outcomeOf(tooLow)]).toEqual(['accepted', 'nothing-changed'])
    looked.resolve([])
    expect(await outcomeOf(byOwner)).toBe('owner-cannot-bid')
  })

  test('for a moment does not fail reads, which are retried', async () => {
    const faults = { findHeads: down.slice(0, 2), findAuction: down.slice(0, 2) }
    const { service, auction } = await createServiceUnder(faults)
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('accepted')
  })

  test.each(['lost-before-storing', 'lost-after-storing'] as const)(
    'for a moment does not fail claims of ids: %s',
    async (fault) => {
      const { service, auction } = await createServiceUnder({ claimNextIdBlock: [fault, fault] })
      expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('accepted')
    },
  )

  test('for a moment does not fail the creation of an auction', async () => {
    const store = createUnreliableStore(createMemoryStore(), { claimNextIdBlock: down.slice(0, 2) })
    expect(await createAuction(createTestService({ store }))).toMatchObject({ id: 1 })
  })

  test('keeps no capacity for bids that have failed', async () => {
    const right = createMemoryStore()
    const auction = await createAuction(createTestService({ store: right }))
    const store = createUnreliableStore(right, { findHeads: down.slice(0, 3) })
    const service = createTestService({ store, limits: { maxWaiting: 1 } })
    expect(await outcomeOf(service.placeBid(newBid(auction, 2, 100)))).toBe('nothing-changed')
    expect(await outcomeOf(service.placeBid(newBid(auction, 2, 100)))).toBe('accepted')
  })

  test('is called again by the next bid, which is placed once the store is available', async () => {
    const { right, service, auction } = await createServiceUnder({
      append: down.slice(0, 3),
      findHeads: down.slice(0, 3),
    })
    expect(await outcomeOf(service.placeBid(newBid(auction, 2, 100)))).toBe('nothing-changed')
    expect(await outcomeOf(service.placeBid(newBid(auction, 2, 100)))).toBe('unknown')
    expect(await outcomeOf(service.placeBid(newBid(auction, 3, 100)))).toBe('accepted')
    expect((await ledgerOf(right, auction)).map(({ state }) => state.leader?.bidderId)).toEqual([3])
  })

  test('and keeps an outcome unknown fails the bids of that append, and confirms those that are stored', async () => {
    const { right, service, auction } = await createServiceUnder({ append: ['none', { lostAfter: 1 }, ...down] })
    const placed = [100, 105, 110, 115].map((amount) => service.placeBid(newBid(auction, 2, amount)))
    expect(await Promise.all(placed.map(outcomeOf))).toEqual(['accepted', 'accepted', 'unknown', 'unknown'])
    expect(await amountsOf(right, auction)).toEqual([100, 105])
  })
})

describe('the outcome that a store reports', () => {
  test('is ignored: a failed write is unknown, whatever the store reports', async () => {
    const error = Object.assign(new Error('no'), { code: 'store-unavailable', outcome: 'nothing-changed' })
    const store = storeWith(() => ({ append: () => Promise.reject(error) }))
    const service = createTestService({ store })
    const auction = await createAuction(service)
    expect(await outcomeOf(service.placeBid(newBid(auction, 2, 100)))).toBe('unknown')
  })

  test('is ignored for a read after a write, too', async () => {
    const error = Object.assign(new Error('no'), { code: 'store-unavailable', outcome: 'nothing-changed' })
    const right = createMemoryStore()
    const auction = await createAuction(createTestService({ store: right }))
    const store = {
      ...createUnreliableStore(right, {}),
      append: async (entries: readonly Entry[]) => {
        await right.append(entries)
        return 0
      },
      findHeads: async (ids: Parameters<Store['findHeads']>[0]) =>
        (await right.findHeads(ids)).length > 0 ? Promise.reject(error) : [],
    }
    expect(await outcomeOf(createTestService({ store }).placeBid(newBid(auction, 2, 100)))).toBe('unknown')
  })

  test.each([[undefined], [Number.NaN], [-1], [0.5], [2], ['1'], [null], [Number.POSITIVE_INFINITY]])(
    'is checked for the number of stored entries: %s',
    async (stored) => {
      const store = storeWith(() => ({ append: async () => stored as number }))
      const service = createTestService({ store })
      const auction = await createAuction(service)
      expect(await outcomeOf(service.placeBid(newBid(auction, 2, 100)))).toBe('unknown')
      expect(await outcomeOf(service.placeBid(newBid(auction, 2, 100)))).toBe('unknown')
    },
  )
})

const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime: '2030-02-08T12:00:00Z' }

test('a bug in the rules fails the command that triggers it; commands decided together with it are stored', async () => {
  const bug = new TypeError('a bug')
  const right = createMemoryStore()
  const auction = await createAuction(createTestService({ store: right }), { softClose })
  let decided = 0
  const failsOnThird = {
    ...auction.softClose,
    /** The rules read it once for each bid that they accept. */
    get windowSeconds() {
      decided += 1
      if (decided === 3) throw bug
      return softClose.windowSeconds
    },
  } as Auction['softClose'] // It has all fields.
  const service = createTestService({
    store: { ...right, findAuction: async () => ({ ...auction, softClose: failsOnThird }) as Auction },
  })
  const [first, earlier, failing, later] = [
    service.placeBid(newBid(auction, 2, 100)),
    service.placeBid(newBid(auction, 2, 105)),
    service.placeBid(newBid(auction, 3, 110)),
    service.placeBid(newBid(auction, 2, 115)),
  ]
  await expect(failing).rejects.toBe(bug)
  expect(await Promise.all([first, earlier, later].map(outcomeOf))).toEqual(['accepted', 'accepted', 'accepted'])
  expect(await amountsOf(right, auction)).toEqual([100, 105, 115])
})

describe('a bug in a store', () => {
  test.each([
    { title: 'would be refused: the owner must not bid', bidderId: 1 },
    { title: 'conflicts with another bid that has the key', bidderId: 2 },
  ])('during the lookup of a key fails the command, and no others of the batch, if it $title', async ({ bidderId }) => {
    const bug = new TypeError('a bug')
    const right = createMemoryStore()
    const founder = createTestService({ store: right })
    const [auction, another] = [await createAuction(founder), await createAuction(founder)]
    const key = { caller: 'c', key: 'k' }
    unwrap(await founder.placeBid(newBid(another, 2, 100), key))
    const service = createTestService({ store: { ...right, findEntriesByKey: () => Promise.reject(bug) } })
    // The others wait while the first is in flight, and are decided together.
    const first = service.placeBid(newBid(auction, 2, 100))
    const keyed = service.placeBid(newBid(auction, bidderId, 105), key)
    const unkeyed = service.placeBid(newBid(auction, 4, 110))
    await expect(keyed).rejects.toBe(bug)
    expect([await outcomeOf(first), await outcomeOf(unkeyed)]).toEqual(['accepted', 'accepted'])
    expect(await amountsOf(right, auction)).toEqual([100, 110])
  })

  test('during a read is thrown unchanged, and the lane continues', async () => {
    const bug = new TypeError('a bug')
    let calls = 0
    const store = storeWith((right) => ({
      findHeads: (ids) => (++calls === 1 ? Promise.reject(bug) : right.findHeads(ids)),
    }))
    const auction = await createAuction(createTestService({ store }))
    const service = createTestService({ store })
    await expect(service.placeBid(newBid(auction, 2, 100))).rejects.toBe(bug)
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('accepted')
  })

  test('that throws synchronously is handled like one that rejects', async () => {
    const store = storeWith(() => ({
      findHeads: () => {
        throw new TypeError('a bug')
      },
    }))
    const auction = await createAuction(createTestService({ store }))
    const service = createTestService({ store })
    await expect(service.placeBid(newBid(auction, 2, 100))).rejects.toThrow('a bug')
  })
})

test.each<[CallOutcome]>([['lost-before-storing'], ['lost-after-storing'], ['arrives-late'], ['repeated']])(
  'a hundred bids on ten auctions are stored once each if every third append is %s',
  async (fault) => {
    const faults = Array.from({ length: 300 }, (_, index): CallOutcome => (index % 3 === 0 ? fault : 'none'))
    const { right, service, auctions } = await createServiceUnder({ append: faults }, 10)
    const placed = Array.from({ length: 10 }, (_, round) =>
      auctions.map((auction) => service.placeBid(newBid(auction, 2, 100 + round * 5))),
    ).flat()
    expect(new Set((await Promise.all(placed)).map(codeOf))).toEqual(new Set(['accepted']))
    for (const auction of auctions) {
      expect(await amountsOf(right, auction)).toEqual(Array.from({ length: 10 }, (_, round) => 100 + round * 5))
    }
  },
)

test('an unreadable head fails the bids on its auction, and no other bids of its append', async () => {
  const right = createMemoryStore()
  const unreadable = new Set<AuctionId>()
  const store = {
    ...right,
    async findHeads(ids: readonly AuctionId[]) {
      const id = ids.find((each) => unreadable.has(each))
      if (id !== undefined) throw new UnreadableStoredError('entry', { id: 1, auctionId: id }, 'an invalid field state')
      return right.findHeads(ids)
    },
  }
  const service = createTestService({ store })
  const auctions = []
  for (let count = 0; count < 4; count++) auctions.push(await createAuction(service))
  // The service caches all heads; then another process adds an entry to each.
  for (const auction of auctions) await service.placeBid(newBid(auction, 2, 100))
  const other = createTestService({ store: right })
  for (const auction of auctions) await other.placeBid(newBid(auction, 3, 105))
  for (const { id } of auctions.slice(2, 3)) unreadable.add(id)

  const placed = auctions.map((auction) => outcomeOf(service.placeBid(newBid(auction, 2, 200))))
  expect(await Promise.all(placed)).toEqual(['accepted', 'accepted', 'unknown', 'accepted'])
})
