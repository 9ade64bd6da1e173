import { samplePurchase } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { AuctionPosition, Store } from '../../src/store/store.ts'
import { unwrap } from '../../src/values/result.ts'
import { createSteppedClock } from '../support/clocks.ts'
import { createCountingStore } from '../support/counting-store.ts'
import { createPlainStore } from '../support/plain-store.ts'
import {
  codeOf,
  createAuction,
  createTestService,
  endTime,
  ledgerOf,
  newBid,
  noAnswer,
  openTime,
  type TestService,
} from '../support/service.ts'

/** A bid in the last minute moves the end to two minutes after the bid, up to a quarter past. */
const softClose = { windowSeconds: 60, extensionSeconds: 120, latestEndTime: '2030-02-07T12:15:00Z' }
const endMs = Date.parse(endTime)

const createSoft = (service: TestService, sample = {}) => createAuction(service, { softClose, ...sample })

type Auction = Awaited<ReturnType<typeof createAuction>>

/** Places a bid at a time relative to the scheduled end, in milliseconds. */
async function bidAt(service: TestService, auction: Auction, afterEndMs: number, amount: number) {
  service.clock.set(new Date(endMs + afterEndMs).toISOString())
  return service.placeBid(newBid(auction, 2, amount))
}

const read = async (service: TestService, { id }: Auction) => unwrap(await service.readAuction(id))

describe('a late bid', () => {
  test('moves the end, for every operation', async () => {
    const service = createTestService()
    const auction = await createSoft(service)
    unwrap(await bidAt(service, auction, -60_001, 100))
    expect((await read(service, auction)).effectiveEndTime).toEqual(auction.endTime)
    unwrap(await bidAt(service, auction, -30_000, 105))
    const movedEnd = { iso: '2030-02-07T12:01:30.000Z', epochMs: endMs + 90_000 }
    expect(await read(service, auction)).toMatchObject({
      effectiveEndTime: movedEnd,
      auction: { endTime: auction.endTime },
    })
    expect(codeOf(await bidAt(service, auction, 0, 109))).toBe('bid-too-low')
    expect(await read(service, auction)).toMatchObject({ status: 'Active', effectiveEndTime: movedEnd })
    unwrap(await bidAt(service, auction, 89_999, 110))
    const late = await bidAt(service, auction, 209_999, 115)
    expect(late).toEqual({
      ok: false,
      refusal: { code: 'auction-ended', endTime: { iso: '2030-02-07T12:03:29.999Z', epochMs: endMs + 209_999 } },
    })
    expect((await read(service, auction)).status).toBe('Ended')
  })

  test('is accepted by a process that knows only an earlier end', async () => {
    const service = createTestService()
    const auction = await createSoft(service)
    const other = createTestService({ store: service.store })
    unwrap(await bidAt(other, auction, -70_000, 100))
    unwrap(await bidAt(service, auction, -1, 105))
    expect(codeOf(await bidAt(other, auction, 1, 110))).toBe('accepted')
    expect(codeOf(await bidAt(other, auction, 15 * 60_000, 500))).toBe('auction-ended')
  })

  test('after the end receives the recorded end, without a store call once that is final', async () => {
    const { store, calls } = createCountingStore()
    const service = createTestService({ store })
    const auction = await createSoft(service)
    unwrap(await bidAt(service, auction, -70_000, 100))
    const other = createTestService({ store })
    unwrap(await bidAt(other, auction, -10_000, 105)) // Until 110,000, unknown to the first process.
    calls.length = 0
    const refusal = { refusal: { code: 'auction-ended', endTime: { epochMs: endMs + 110_000 } } }
    expect(await bidAt(service, auction, 15 * 60_000, 110)).toMatchObject(refusal)
    expect(calls).toEqual(['findHeads'])
    await service.closeDue()
    calls.length = 0
    expect(await service.placeBid(newBid(auction, 3, 110))).toMatchObject(refusal)
    expect(calls).toEqual([])
  })

  test('that is refused due to another bid of the same batch waits until that is stored', async () => {
    const service = createTestService()
    const auction = await createSoft(service)
    unwrap(await bidAt(service, auction, -1, 100))
    const codes = await Promise.all([3, 4, 5].map((id) => service.placeBid(newBid(auction, id, 105)).then(codeOf)))
    expect(codes.toSorted()).toEqual(['accepted', 'bid-too-low', 'bid-too-low'])
  })
})

/** A store whose appends fail on request. */
function createFailingStore() {
  const right = createPlainStore()
  const appends = { fail: false }
  const store: Store = {
    ...right,
    append: async (entries) => {
      if (appends.fail) throw noAnswer()
      return right.append(entries)
    },
  }
  return { store, appends }
}

describe('closing an auction whose end has moved', () => {
  test('waits for the current end, and no longer', async () => {
    const service = createTestService()
    const auction = await createSoft(service)
    unwrap(await bidAt(service, auction, -1, 100)) // Until 119,999.
    service.clock.set('2030-02-07T12:00:02Z')
    expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
    expect(service.backlog().closingsDue).toBe(0)
    unwrap(await bidAt(service, auction, 100_000, 105)) // Until 220,000.
    service.clock.set('2030-02-07T12:02:01.999Z')
    expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
    service.clock.set('2030-02-07T12:03:41.999Z')
    expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
    service.clock.advance(1)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
    expect((await read(service, auction)).result).toMatchObject({ outcome: 'sold', winnerId: 2, priceMinor: 105_00 })
  })

  test('is done by a process that starts in overtime, and by one that starts long after', async () => {
    for (const [start, closed] of [
      ['2030-02-07T12:01:00Z', 0],
      ['2030-02-08T12:00:00Z', 1],
    ] as const) {
      const service = createTestService()
      const auction = await createSoft(service)
      unwrap(await bidAt(service, auction, -1, 100))
      const started = createTestService({ store: service.store })
      started.clock.set(start)
      expect(await started.closeDue()).toEqual({ closed, left: 0 })
      started.clock.set('2030-02-08T12:00:00Z')
      await started.closeDue()
      expect((await read(started, auction)).result).toMatchObject({ outcome: 'sold' })
    }
  })

  test('is not missed by a process that starts after earlier searches', async () => {
    const service = createTestService()
    const latestEndTime = '2030-02-07T18:00:00Z'
    const auction = await createSoft(service, {
      softClose: { windowSeconds: 60, extensionSeconds: 18_000, latestEndTime },
    })
    unwrap(await bidAt(service, auction, -1, 100)) // Until five hours later.
    for (const minutes of [1, 20, 60, 120]) {
      service.clock.set(new Date(endMs + minutes * 60_000).toISOString())
      expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
    }
    const started = createTestService({ store: service.store })
    started.clock.set('2030-02-07T17:00:02Z')
    expect(await started.closeDue()).toEqual({ closed: 1, left: 0 })
  })

  test('reports its delay relative to the moved end', async () => {
    const late: number[] = []
    const store = createPlainStore()
    const service = createTestService({ store, observer: { onClosed: ({ lateMs }) => late.push(lateMs) } })
    const auction = await createSoft(service)
    unwrap(await bidAt(service, auction, -1, 100)) // Until 119,999.
    service.clock.set('2030-02-07T12:02:05Z')
    await service.closeDue()
    expect(late).toEqual([3_001])
  })

  test('is retried after a failure', async () => {
    const { store, appends } = createFailingStore()
    const service = createTestService({ store, limits: { maxTries: 1 } })
    const auction = await createSoft(service)
    unwrap(await bidAt(service, auction, -1, 100))
    service.clock.set('2030-02-07T12:00:02Z')
    await service.closeDue()
    appends.fail = true
    service.clock.set('2030-02-07T12:02:02Z')
    expect(await service.closeDue()).toEqual({ closed: 0, left: 1 })
    appends.fail = false
    service.clock.advance(1_000)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
  })

  test('reports its delay after a failure relative to the moved end', async () => {
    const { store, appends } = createFailingStore()
    const service = createTestService({ store, limits: { maxTries: 1 } })
    const latestEndTime = '2030-02-14T12:00:00Z'
    const week = { windowSeconds: 60, extensionSeconds: 604_800, latestEndTime }
    const auction = await createSoft(service, { softClose: week })
    unwrap(await bidAt(service, auction, -1, 100)) // Until one millisecond less than a week later.
    service.clock.set('2030-02-07T12:00:02Z')
    await service.closeDue()
    appends.fail = true
    service.clock.set('2030-02-14T12:00:04.999Z')
    expect(await service.closeDue()).toEqual({ closed: 0, left: 1 })
    expect(service.backlog()).toMatchObject({ closingsDue: 1, longestDueMs: 3_000 })
  })

  test('starts with a read of its ledger, not with an append that stops those of others', async () => {
    const { store, calls } = createCountingStore()
    const service = createTestService({ store })
    const auction = await createSoft(service)
    unwrap(await bidAt(service, auction, -70_000, 100))
    const conflicts: unknown[] = []
    const other = createTestService({ store, observer: { onConflict: (conflict) => conflicts.push(conflict) } })
    unwrap(await bidAt(other, auction, -65_000, 105))
    unwrap(await bidAt(service, auction, -1, 110)) // Until 119,999, unknown to the other.
    other.clock.set('2030-02-07T12:00:02Z')
    calls.length = 0
    expect(await other.closeDue()).toEqual({ closed: 0, left: 0 })
    expect(calls).not.toContain('append')
    expect(conflicts).toEqual([])
    expect((await read(other, auction)).status).toBe('Active')
  })

  test('reports that the reserve was not met, and keeps the highest bid', async () => {
    const service = createTestService()
    const auction = await createSoft(service, { reservePrice: 200 })
    unwrap(await bidAt(service, auction, -1, 199))
    service.clock.set('2030-02-07T12:02:02Z')
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
    expect(await read(service, auction)).toMatchObject({
      result: { outcome: 'unsold', reason: 'reserve-not-met' },
      currentPriceMinor: 199_00,
      bidCount: 1,
      isReserveMet: false,
    })
  })
})

describe('the list of active auctions', () => {
  const idsOf = async (service: TestService, limit: number) => {
    const pages: (readonly number[])[] = []
    let next: AuctionPosition | undefined
    do {
      const page = unwrap(
        await service.listAuctions({
          order: 'agenda',
          status: 'Active',
          limit,
          ...(next && { after: next }),
        }),
      )
      pages.push(page.items.map(({ auction }) => auction.id))
      next = page.next
    } while (next !== undefined)
    return pages.flat()
  }

  /** 12 auctions end at the same time; of these, 3 are extended and 2 are ended early. 4 others end a day later. */
  async function createScene() {
    const service = createTestService()
    const soft = await Promise.all(Array.from({ length: 8 }, () => createSoft(service, { buyNowPrice: 900 })))
    await Promise.all(Array.from({ length: 4 }, () => createAuction(service)))
    const later = []
    for (let count = 0; count < 4; count++)
      later.push(await createAuction(service, { endTime: '2030-02-08T12:00:00Z' }))
    const [first, second, third, bought, cancelled] = soft
    for (const auction of [first, second, third]) if (auction) unwrap(await bidAt(service, auction, -1, 100))
    if (bought) unwrap(await service.buyNow({ auctionId: bought.id, purchase: samplePurchase() }))
    if (cancelled) unwrap(await service.cancelAuction({ auctionId: cancelled.id }))
    return { service, extended: [first?.id, second?.id, third?.id], later: later.map(({ id }) => id), soft }
  }

  test.each([1, 2, 3, 5, 100])(
    'starts with those in overtime, and contains no ended auction, in pages of %i',
    async (limit) => {
      const { service, extended, later } = await createScene()
      service.clock.set('2030-02-07T12:01:00Z')
      expect(await idsOf(service, limit)).toEqual([...extended, ...later])
      service.clock.set('2030-02-07T12:02:00Z')
      expect(await idsOf(service, limit)).toEqual(later)
      service.clock.set('2030-02-07T13:00:00Z')
      expect(await idsOf(service, limit)).toEqual(later)
    },
  )

  test('orders each page by the actual ends', async () => {
    const service = createTestService()
    const [first, second] = [await createSoft(service), await createSoft(service, { endTime: '2030-02-07T12:01:00Z' })]
    const { items: before } = unwrap(await service.listAuctions({ order: 'agenda', status: 'Active', limit: 10 }))
    expect(before.map(({ auction }) => auction.id)).toEqual([first.id, second.id])
    unwrap(await bidAt(service, first, -1, 100)) // Until two minutes past the hour.
    const { items: after } = unwrap(await service.listAuctions({ order: 'agenda', status: 'Active', limit: 10 }))
    expect(after.map(({ auction }) => auction.id)).toEqual([second.id, first.id])
  })

  test('also follows the actual ends in descending order', async () => {
    const { service, extended, later, soft } = await createScene()
    service.clock.set('2030-02-07T12:01:00Z')
    const listed = async (status: 'Active' | 'Ended' | 'Cancelled') => {
      const { items } = unwrap(await service.listAuctions({ order: 'newest', status, limit: 100 }))
      return items.map(({ auction }) => auction.id as number).toSorted((a, b) => a - b)
    }
    expect(await listed('Active')).toEqual([...extended, ...later].map(Number).toSorted((a, b) => a - b))
    expect(await listed('Cancelled')).toEqual([soft[4]?.id])
    expect(await listed('Ended')).toHaveLength(16 - 3 - 4 - 1)
  })

  test('reads a bounded number of auctions for one page', async () => {
    const { store, calls } = createCountingStore()
    const service = createTestService({ store })
    for (let count = 0; count < 510; count++) await createAuction(service)
    calls.length = 0
    const page = unwrap(await service.listAuctions({ order: 'newest', status: 'Cancelled', limit: 20 }))
    expect(page.items).toEqual([])
    expect(page.next).toBeDefined()
    expect(calls).toEqual(Array.from({ length: 6 }, () => ['listAuctions', 'findHeads']).flat())
    expect(page.next).toMatchObject({ id: 11 })
  })

  test('makes no second read if the first took so much time that the deadline would pass', async () => {
    const clock = createSteppedClock(openTime)
    const { store, calls } = createCountingStore()
    const slow: Store = {
      ...store,
      listAuctions: async (query) => {
        await new Promise<void>((resolve) => void clock.after(2_001, resolve))
        return store.listAuctions(query)
      },
    }
    const service = createTestService({ store: slow, clock })
    for (let count = 0; count < 30; count++) await createAuction(service)
    calls.length = 0
    const listed = service.listAuctions({ order: 'newest', status: 'Cancelled', limit: 20 })
    await clock.pass(2_001)
    expect(unwrap(await listed)).toMatchObject({ items: [], next: { order: 'newest' } })
    expect(calls).toEqual(['listAuctions', 'findHeads'])
  })

  test('keeps the result of the first read if a second fails', async () => {
    const right = createPlainStore()
    let looks = 0
    const store: Store = {
      ...right,
      listAuctions: async (query) => {
        looks += 1
        if (looks > 1) throw noAnswer()
        return right.listAuctions(query)
      },
    }
    const service = createTestService({ store, limits: { maxTries: 1 } })
    const auctions = []
    for (let count = 0; count < 5; count++) auctions.push(await createAuction(service))
    const newest = auctions[4]
    if (newest) await service.cancelAuction({ auctionId: newest.id })
    const page = unwrap(await service.listAuctions({ order: 'newest', status: 'Cancelled', limit: 2 }))
    expect(page.items.map(({ auction }) => auction.id)).toEqual([newest?.id])
    expect(page.next).toMatchObject({ id: auctions[3]?.id })
  })

  test('is not delayed by many closed auctions whose latest end is far', async () => {
    const service = createTestService()
    const softWeek = { windowSeconds: 60, extensionSeconds: 120, latestEndTime: '2030-02-14T12:00:00Z' }
    const soft = []
    for (let count = 0; count < 400; count++) soft.push(await createSoft(service, { softClose: softWeek }))
    const open = await createAuction(service, { endTime: '2030-02-20T12:00:00Z' })
    const extended = soft[200]
    if (extended) unwrap(await bidAt(service, extended, -1, 100)) // Until 119,999.
    const first = async (from: TestService) => {
      const { items } = unwrap(await from.listAuctions({ order: 'agenda', status: 'Active', limit: 20 }))
      return items.map(({ auction }) => auction.id)
    }
    service.clock.set('2030-02-07T12:00:02Z')
    expect(await service.closeDue()).toEqual({ closed: 399, left: 0 })
    expect(await first(service)).toEqual([extended?.id, open.id])
    service.clock.set('2030-02-09T12:00:00Z')
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
    expect(await first(service)).toEqual([open.id])
    const started = createTestService({ store: service.store, clock: service.clock })
    await started.closeDue()
    expect(await first(started)).toEqual([open.id])
  })
})

describe('a plain auction', () => {
  test('has no overtime', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    unwrap(await bidAt(service, auction, -1, 100))
    expect(codeOf(await bidAt(service, auction, 0, 105))).toBe('auction-ended')
    expect((await ledgerOf(service.store, auction))[0]?.state).not.toHaveProperty('extendedEndMs')
  })
})
