import { createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, test } from 'vitest'
import type { Entry, Store } from '../../src/store/store.ts'
import { toUserId } from '../../src/values/ids.ts'
import { createSteppedClock } from '../support/clocks.ts'
import {
  amountsOf,
  createAuction,
  createTestService,
  endTime,
  ledgerOf,
  newAuction,
  newBid,
  openTime,
  outcomeOf,
  storeWith,
} from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

/**
 * Results that no store may return. The clock of these tests stands still: anything that waited for it would never end.
 */
const noCounts = [undefined, null, Number.NaN, -1, 0.5, 1e9, '1', 1n]

/** A service over a store with two auctions, whose appends return what `append` returns. */
async function createServiceOver(append: (right: Store, entries: readonly Entry[]) => Promise<unknown>) {
  const right = createMemoryStore()
  const founder = createTestService({ store: right })
  const auctions = [await createAuction(founder), await createAuction(founder)] as const
  let appends = 0
  const clock = createSteppedClock(openTime)
  const store: Store = {
    ...right,
    append: (entries) => {
      appends += 1
      return append(right, entries) as Promise<number> // The cast: these tests return something else.
    },
  }
  return { right, auctions, clock, service: createTestService({ store, clock }), appends: () => appends }
}

const reports: readonly (readonly [name: string, report: unknown])[] = [
  ...noCounts.map((stored) => [String(stored), stored] as const),
  ['an object', { stored: 1 }],
]

describe.each(reports)('a store that reports %s for an append', (_, report) => {
  test('and stored nothing, leaves the outcome unknown, and the service continues', async () => {
    const { right, auctions, service, appends } = await createServiceOver(async () => report)
    const bids = auctions.flatMap((auction) => [100, 105].map((amount) => service.placeBid(newBid(auction, 2, amount))))
    const outcomes = await Promise.all(bids.map(outcomeOf))
    expect(new Set(outcomes)).toEqual(new Set(['unknown']))
    expect(appends()).toBeLessThan(30)
    for (const auction of auctions) expect(await ledgerOf(right, auction)).toEqual([])
  })

  test('and stored it, is ignored: the stored entries are found', async () => {
    const { right, auctions, service } = await createServiceOver(async (store, entries) => {
      await store.append(entries)
      return report
    })
    const bids = auctions.flatMap((auction) => [100, 105].map((amount) => service.placeBid(newBid(auction, 2, amount))))
    expect(new Set(await Promise.all(bids.map(outcomeOf)))).toEqual(new Set(['accepted']))
    for (const auction of auctions) expect(await amountsOf(right, auction)).toEqual([100, 105])
  })

  test('closes no auction, and lets closeDue end', async () => {
    const { right, auctions, clock, service } = await createServiceOver(async () => report)
    clock.set(endTime)
    clock.advance(10_000)
    expect(await service.closeDue()).toEqual({ closed: 0, left: 2 })
    for (const auction of auctions) expect(await ledgerOf(right, auction)).toEqual([])
  })
})

/** A service over a store that returns something else from one operation. */
const serviceWith = (operation: keyof Store, returned: unknown) => {
  const store = storeWith(() => ({ [operation]: async () => returned }))
  return createTestService({ store, clock: createSteppedClock(openTime) })
}

describe('a store that violates the contract', () => {
  test('returns a head without a state: bids on the auction fail, and the head is cached like others', async () => {
    const { store: right, calls } = createCountingStore()
    const founder = createTestService({ store: right })
    const auction = await createAuction(founder)
    await founder.placeBid(newBid(auction, 2, 100))
    const store: Store = {
      ...right,
      findHeads: async (ids) => (await right.findHeads(ids)).map(({ state: _, ...head }) => head as Entry),
    }
    const service = createTestService({ store })
    calls.length = 0
    for (const amount of [105, 110]) {
      expect(await outcomeOf(service.placeBid(newBid(auction, 2, amount)))).toMatch('TypeError')
    }
    expect(calls).toEqual(['findAuction', 'findHeads'])
  })

  test.each([undefined, null, true, 'stored', 1])(
    'returns %s for an insert: the outcome is unknown',
    async (returned) => {
      const service = serviceWith('insertAuction', returned)
      expect(await outcomeOf(service.createAuction(newAuction()))).toBe('unknown')
    },
  )

  test.each([undefined, null, Number.NaN, 0, 0.5, '1', {}, Number.POSITIVE_INFINITY, 2 ** 53])(
    'returns %s as a block of ids: no id is assigned',
    async (returned) => {
      const service = serviceWith('claimNextIdBlock', returned)
      expect(await outcomeOf(service.createAuction(newAuction()))).toMatch('as a block of ids')
    },
  )

  const lists = [
    'findHeads',
    'findEntries',
    'findEntriesByKey',
    'listEntries',
    'listBidderEntries',
    'findAuctions',
  ] as const

  test.each([...lists, 'listAuctions'])(
    'returns from %s something that is not a list: nothing waits for it',
    async (operation) => {
      for (const returned of [undefined, null, 'none', 7]) {
        const right = createMemoryStore()
        const auction = await createAuction(createTestService({ store: right }))
        const clock = createSteppedClock(endTime)
        clock.advance(10_000)
        const service = createTestService({ store: { ...right, [operation]: async () => returned }, clock })
        const calls = [
          service.placeBid(newBid(auction, 2, 100), { caller: 'c', key: 'k' }),
          service.readAuction(auction.id),
          service.listAuctions({ limit: 10, order: 'newest' }),
          service.listBids(auction.id, { limit: 10 }),
          service.listBidsOfBidder(toUserId(2), { limit: 10 }),
          service.listAuctions({ ids: [auction.id] }),
          service.closeDue(),
        ]
        expect(await Promise.allSettled(calls)).toHaveLength(calls.length)
      }
    },
  )
})
