import { createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, test } from 'vitest'
import type { Entry, Store } from '../../src/store/store.ts'
import { unwrap } from '../../src/values/result.ts'
import {
  amountsOf,
  codeOf,
  createAuction,
  createTestService,
  keyOf,
  ledgerOf,
  newBid,
  noResponse,
  outcomeOf,
  serveAuction,
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

/** Bids of 100, 105, … at once on each auction: what a caller receives for each, and whether the bid is stored. */
type Row = {
  readonly title: string
  readonly faults: CallOutcomes
  readonly codes: readonly string[]
  /** How many are stored; by default those that are accepted. */
  readonly stored?: number
  readonly auctionCount?: number
}

const accepted = (count: number) => Array.from({ length: count }, () => 'accepted')

describe('bids on a store', () => {
  test.each<Row>([
    { title: 'that loses an append', faults: { append: ['lost-before-storing'] }, codes: accepted(1) },
    { title: 'that loses a response', faults: { append: ['lost-after-storing'] }, codes: accepted(1) },
    {
      title: 'that loses every try, and stores the last',
      ...{ faults: { append: [...down.slice(0, 2), 'lost-after-storing'] }, codes: accepted(1) },
    },
    {
      title: 'that loses the response to the lookup, too',
      ...{ faults: { append: ['lost-after-storing'], findEntries: down.slice(0, 3) }, codes: accepted(1) },
    },
    { title: 'in which an append arrives late', faults: { append: ['arrives-late'] }, codes: accepted(1) },
    {
      title: 'in which it does not delay later ones',
      ...{ faults: { append: ['none', 'arrives-late'] }, codes: accepted(4) },
    },
    ...[0, 1, 2].map((lostAfter) => ({
      title: `that loses three appends after ${lostAfter} of their entries`,
      faults: { append: ['none', 'none', 'none', { lostAfter }, { lostAfter }, { lostAfter }] } as const,
      ...{ codes: accepted(3), auctionCount: 3 },
    })),
    {
      title: 'whose network sends each append twice, so that it conflicts with itself',
      ...{ faults: { append: many('repeated') }, codes: accepted(3), auctionCount: 4 },
    },
    { title: 'that takes no append', faults: { append: down }, codes: ['unknown'], stored: 0 },
    { title: 'that has no heads', faults: { findHeads: down }, codes: ['nothing-changed'], stored: 0 },
    { title: 'that has no auctions', faults: { findAuction: down }, codes: ['nothing-changed'], stored: 0 },
    { title: 'that claims no ids', faults: { claimNextIdBlock: down }, codes: ['nothing-changed'], stored: 0 },
    {
      title: 'that fails reads for a moment, which are repeated',
      ...{ faults: { findHeads: down.slice(0, 2), findAuction: down.slice(0, 2) }, codes: accepted(1) },
    },
    ...(['lost-before-storing', 'lost-after-storing'] as const).map((fault) => ({
      title: `that fails claims of ids for a moment: ${fault}`,
      ...{ faults: { claimNextIdBlock: [fault, fault] }, codes: accepted(1) },
    })),
    {
      title: 'that goes away after a part of an append, which is confirmed',
      faults: { append: ['none', { lostAfter: 1 }, ...down] },
      ...{ codes: ['accepted', 'accepted', 'unknown', 'unknown'] },
    },
  ])('$title', async ({ faults, codes, stored, auctionCount = 1 }) => {
    const { right, service, auctions } = await createServiceUnder(faults, auctionCount)
    const amounts = codes.map((_, index) => 100 + index * 5)
    const placed = amounts.flatMap((amount) =>
      auctions.map((auction) => outcomeOf(service.placeBid(newBid(auction, 2, amount)))),
    )
    expect(await Promise.all(placed)).toEqual(codes.flatMap((code) => auctions.map(() => code)))
    const count = stored ?? codes.filter((code) => code === 'accepted').length
    for (const auction of auctions) expect(await amountsOf(right, auction)).toEqual(amounts.slice(0, count))
  })
})

test('a bid whose append is sent twice is settled by its id, with a key or without', async () => {
  const { right, service, auction } = await createServiceUnder({ append: ['repeated', 'repeated'] })
  const placed = [await service.placeBid(newBid(auction, 2, 100))]
  placed.push(await service.placeBid(newBid(auction, 2, 105), keyOf('k')))
  expect((await ledgerOf(right, auction)).map(({ id }) => id)).toEqual(placed.map((bid) => unwrap(bid).id))
})

test('an append that is sent twice is settled even if another process has stored more in the meantime', async () => {
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

test('an append that is sent twice is settled even if only part of it was stored before', async () => {
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

test('a write without any response has the reasons in its error', async () => {
  const { service, auction } = await createServiceUnder({ append: down, findEntries: down })
  await expect(service.placeBid(newBid(auction, 2, 100))).rejects.toMatchObject({
    message: 'the store did not report the outcome of a write',
    outcome: 'unknown',
    cause: { message: 'no response', cause: { message: 'connection closed' } },
  })
})

test('a store without heads fails no bid of the batch whose refusal needs none, and whose key is being looked up', async () => {
  const looked = Promise.withResolvers<readonly Entry[]>()
  const store = storeWith(() => ({
    findHeads: () => Promise.reject(noResponse()),
    findEntriesByKey: () => looked.promise,
  }))
  const { service, auction } = await serveAuction({}, { store })
  const first = service.placeBid(newBid(auction, 2, 100))
  const byOwner = service.placeBid(newBid(auction, 1, 105), { caller: 'c', key: 'k' })
  const tooLow = service.placeBid(newBid(auction, 3, 104))
  expect([await outcomeOf(first), await outcomeOf(tooLow)]).toEqual(['accepted', 'nothing-changed'])
  looked.resolve([])
  expect(await outcomeOf(byOwner)).toBe('owner-cannot-bid')
})

test('a service keeps no capacity for bids that have failed', async () => {
  const right = createMemoryStore()
  const auction = await createAuction(createTestService({ store: right }))
  const store = createUnreliableStore(right, { findHeads: down.slice(0, 3) })
  const service = createTestService({ store, limits: { maxWaiting: 1 } })
  expect(await outcomeOf(service.placeBid(newBid(auction, 2, 100)))).toBe('nothing-changed')
  expect(await outcomeOf(service.placeBid(newBid(auction, 2, 100)))).toBe('accepted')
})

test('a store that failed is called again by the next bid, which is placed once the store is available', async () => {
  const faults = { append: down.slice(0, 3), findHeads: down.slice(0, 3) }
  const { right, service, auction } = await createServiceUnder(faults)
  const bid = (bidderId: number) => outcomeOf(service.placeBid(newBid(auction, bidderId, 100)))
  expect([await bid(2), await bid(2), await bid(3)]).toEqual(['nothing-changed', 'unknown', 'accepted'])
  expect((await ledgerOf(right, auction)).map(({ state }) => state.leader?.bidderId)).toEqual([3])
})

describe('the outcome that a store reports', () => {
  test('is ignored: a failed write is unknown, whatever the store reports', async () => {
    const error = Object.assign(new Error('no'), { code: 'store-unavailable', outcome: 'nothing-changed' })
    const store = storeWith(() => ({ append: () => Promise.reject(error) }))
    const { service, auction } = await serveAuction({}, { store })
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
