import { createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { toAuctionId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import { createSteppedClock } from '../support/clocks.ts'
import {
  codeOf,
  createAuction,
  createTestService,
  endTime,
  newBid,
  noAnswer,
  openTime,
  type TestService,
} from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

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
})

/** A store whose appends fail on request. */
function createFailingStore() {
  const right = createMemoryStore()
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
})

describe('the list of active auctions', () => {
  test('reads a bounded number of auctions for one page', async () => {
    const { store, calls } = createCountingStore()
    const service = createTestService({ store })
    for (let count = 0; count < 510; count++) await createAuction(service)
    service.clock.set(endTime) // The store has not noted the ends.
    calls.length = 0
    const page = unwrap(await service.listAuctions({ order: 'newest', status: 'Active', limit: 20 }))
    expect(page.items).toEqual([])
    expect(page.next).toBeDefined()
    expect(calls).toEqual(['listAuctions', ...Array.from({ length: 6 }, () => ['listAuctions', 'findHeads']).flat()])
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
    clock.set(endTime)
    calls.length = 0
    const listed = service.listAuctions({ order: 'newest', status: 'Active', limit: 20 })
    await clock.pass(4_002)
    expect(unwrap(await listed)).toMatchObject({ items: [], next: { order: 'newest' } })
    expect(calls).toEqual(['listAuctions', 'listAuctions', 'findHeads'])
  })

  test('keeps the result of the first read if a second fails', async () => {
    const right = createMemoryStore()
    let looks = 0
    const store: Store = {
      ...right,
      listAuctions: async (query) => {
        looks += 1
        if (looks > 2) throw noAnswer()
        return right.listAuctions(query)
      },
      updateAgenda: async () => undefined,
    }
    const service = createTestService({ store, limits: { maxTries: 1 } })
    for (let count = 0; count < 5; count++) await createAuction(service)
    await service.cancelAuction({ auctionId: toAuctionId(4) })
    const page = unwrap(await service.listAuctions({ order: 'newest', status: 'Active', limit: 2 }))
    expect(page.items.map(({ auction }) => Number(auction.id))).toEqual([5])
    expect(page.next).toMatchObject({ id: 4 })
  })
})
