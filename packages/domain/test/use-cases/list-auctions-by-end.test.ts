import { createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, test } from 'vitest'
import type { AuctionPosition, Store } from '../../src/store/store.ts'
import { toAuctionId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import { createSteppedClock } from '../support/clocks.ts'
import {
  cancel,
  createAuction,
  createTestService,
  endTime,
  idsIn,
  newBid,
  noResponse,
  openTime,
  storeWith,
  type TestService,
} from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

/** When the margin for clock differences has passed. */
const dueTime = '2030-02-07T12:00:02Z'
const softClose = { windowSeconds: 60, extensionSeconds: 120, latestEndTime: '2030-02-07T13:00:00Z' }

/** Auctions with the ids 1, 2, … that end at these times. */
async function createEnding(service: TestService, ...times: readonly string[]) {
  for (const time of times) await createAuction(service, { softClose, endTime: `2030-02-07T${time}Z` })
}

const bidOn = ({ placeBid }: TestService, id: number, amount: number) =>
  placeBid(newBid({ id: toAuctionId(id) }, 2, amount))

describe('a list in agenda order', () => {
  async function pagesOf(service: TestService, limit: number, between?: () => Promise<unknown>) {
    const pages: (readonly number[])[] = []
    let after: AuctionPosition | undefined
    do {
      const page = unwrap(await service.listAuctions({ order: 'agenda', status: 'Active', limit, after }))
      pages.push(page.items.map(({ auction }) => auction.id))
      if (page.next !== undefined) await between?.()
      after = page.next
    } while (after !== undefined)
    return pages
  }

  test('starts with auctions in overtime, then follows the known moved ends', async () => {
    const service = createTestService()
    await createEnding(service, '12:00:00', '12:01:00', '12:02:00', '12:03:00')
    service.clock.set('2030-02-07T11:59:59Z')
    for (const id of [1, 2]) await bidOn(service, id, 100) // Auction 1 now ends at 12:01:59.
    const byEnd = [
      [2, 1],
      [3, 4],
    ]
    service.clock.set('2030-02-07T12:00:01Z')
    expect(await pagesOf(service, 2)).toEqual(byEnd)
    service.clock.set(dueTime)
    await service.closeDue()
    expect(await pagesOf(service, 2)).toEqual(byEnd)
    expect(await pagesOf(service, 1)).toEqual([[2], [1], [3], [4]])
    await bidOn(service, 1, 200)
    service.clock.set('2030-02-07T12:01:30Z')
    await bidOn(service, 1, 300) // Until 12:03:30.
    service.clock.set('2030-02-07T12:02:02Z')
    await service.closeDue()
    expect(await pagesOf(service, 2)).toEqual([[4, 1]])
  })

  test('skips no auction whose end moves between two pages, but may repeat one', async () => {
    const service = createTestService()
    await createEnding(service, '12:00:00', '12:01:00', '12:02:30', '12:03:00')
    service.clock.set('2030-02-07T11:59:59Z')
    await bidOn(service, 1, 100)
    service.clock.set(dueTime)
    expect((await pagesOf(service, 1, () => service.closeDue())).flat()).toEqual([1, 2, 1, 3, 4])
  })

  test('lists an auction once per page, even if its end moves while the page is read', async () => {
    let lists = 0
    const store = storeWith((right) => ({
      updateAgenda: async () => undefined,
      async listAuctions(query) {
        if (query.dueByMs === undefined) lists += 1
        if (lists === 2)
          await right.updateAgenda([{ auctionId: toAuctionId(1), dueMs: Date.parse('2030-02-07T12:02:30Z') }])
        return right.listAuctions(query)
      },
    }))
    const service = createTestService({ store })
    await createEnding(service, '12:00:00', '12:01:00', '12:02:00', '12:03:00')
    unwrap(await cancel(service, { id: toAuctionId(2) }))
    expect(await pagesOf(service, 2)).toEqual([
      [1, 3],
      [1, 4],
    ])
    expect(lists).toBe(3)
  })

  test('contains only active auctions, even if the agenda still lists ended ones', async () => {
    const service = createTestService({ store: storeWith(() => ({ updateAgenda: async () => undefined })) })
    await createEnding(service, '12:00:00', '12:00:00', '12:00:00')
    await createAuction(service, { startTime: '2030-02-01T12:00:00Z' })
    unwrap(await cancel(service, { id: toAuctionId(1) }))
    expect(await pagesOf(service, 10)).toEqual([[2, 3]])
    service.clock.set(endTime)
    expect((await pagesOf(service, 10)).flat()).toEqual([])
  })
})

test('the start of an auction is in all lists at once, and in the store after the next closing', async () => {
  const startTime = '2030-02-01T12:00:00Z'
  const service = createTestService()
  const other = await createAuction(service)
  const auction = await createAuction(service, { startTime, endTime: '2030-02-06T12:00:00Z' })
  const expectListed = async (active: readonly number[], pending: readonly number[]) => {
    for (const limit of [1, 100]) {
      for (const order of ['agenda', 'newest'] as const)
        expect(await idsIn(service, { order, status: 'Active', limit })).toEqual(active)
      expect(await idsIn(service, { order: 'newest', status: 'Pending', limit })).toEqual(pending)
    }
  }
  const positionMs = async () =>
    (await service.store.listAuctions({ order: 'agenda', limit: 1 })).items[0]?.position.timeMs
  await expectListed([other.id], [auction.id])
  service.clock.set(startTime)
  await expectListed([auction.id, other.id], [])
  expect(await positionMs()).toBe(Date.parse(startTime))
  service.clock.advance(2_000)
  expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
  await expectListed([auction.id, other.id], [])
  expect(await positionMs()).toBe(Date.parse('2030-02-06T12:00:00Z'))
})

describe('a list of active auctions, newest first', () => {
  const active = { order: 'newest', status: 'Active', limit: 20 } as const

  test('skips ended auctions without reading their ledgers', async () => {
    let heads = 0
    const store = storeWith((right) => ({
      findHeads(ids) {
        heads += ids.length
        return right.findHeads(ids)
      },
    }))
    const service = createTestService({ store })
    const open = await createAuction(service, { endTime: '2030-02-08T12:00:00Z' })
    const pending = await createAuction(service, { startTime: '2030-02-07T13:00:00Z', endTime: '2030-02-08T12:00:00Z' })
    for (let count = 0; count < 30; count++) await createAuction(service)
    service.clock.set(dueTime)
    await service.closeDue()
    heads = 0
    expect(unwrap(await service.listAuctions(active)).items).toMatchObject([{ auction: { id: open.id } }])
    const ofPending = unwrap(await service.listAuctions({ ...active, status: 'Pending' }))
    expect(ofPending.items).toMatchObject([{ auction: { id: pending.id } }])
    expect(heads).toBe(2)
  })

  test('reads a bounded number of auctions for one page', async () => {
    const { store, calls } = createCountingStore()
    const service = createTestService({ store })
    for (let count = 0; count < 510; count++) await createAuction(service)
    service.clock.set(endTime) // The store has not noted the ends.
    calls.length = 0
    expect(unwrap(await service.listAuctions(active))).toMatchObject({ items: [], next: { id: 11 } })
    expect(calls).toEqual(['listAuctions', ...Array.from({ length: 6 }, () => ['listAuctions', 'findHeads']).flat()])
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
    const listed = service.listAuctions(active)
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
        if (looks > 2) throw noResponse()
        return right.listAuctions(query)
      },
      updateAgenda: async () => undefined,
    }
    const service = createTestService({ store, limits: { maxTries: 1 } })
    for (let count = 0; count < 5; count++) await createAuction(service)
    for (const id of [3, 4]) await cancel(service, { id: toAuctionId(id) })
    const page = unwrap(await service.listAuctions({ ...active, limit: 2 }))
    expect(page).toMatchObject({ items: [{ auction: { id: 5 } }], next: { id: 3 } })
  })
})
