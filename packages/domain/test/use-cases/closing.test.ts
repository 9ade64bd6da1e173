import { createMemoryStore } from '@auction/adapters/memory'
import { sampleAuction, samplePurchase } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import type { Store } from '../../src/store/store.ts'
import { unwrap } from '../../src/values/result.ts'
import { everythingSettled } from '../support/clocks.ts'
import { createAuction, createTestService, endTime, ledgerOf, newBid, serveAuction } from '../support/service.ts'
import { createCountingStore, createQuickStore } from '../support/stores.ts'

/** When the margin for clock differences has passed. */
const dueTime = '2030-02-07T12:00:02Z'

/** A store that counts its calls and the requested heads. */
function createWatchedStore(right = createMemoryStore()) {
  const asked = { lists: 0, heads: 0 }
  const store: Store = {
    ...right,
    listAuctions: (query) => {
      asked.lists += 1
      return right.listAuctions(query)
    },
    findHeads: (ids) => {
      asked.heads += ids.length
      return right.findHeads(ids)
    },
  }
  return { store, asked }
}

const resultOf = async (service: ReturnType<typeof createTestService>, auction: Parameters<typeof newBid>[0]) =>
  unwrap(await service.readAuction(auction.id)).result

describe('closing', () => {
  test('records the winner, after the margin for clock differences', async () => {
    const { service, auction } = await serveAuction()
    await service.placeBid(newBid(auction, 2, 100))
    const bid = unwrap(await service.placeBid(newBid(auction, 3, 120)))
    service.clock.set(endTime)
    expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
    service.clock.advance(1_999)
    expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
    service.clock.advance(1)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
    expect(await resultOf(service, auction)).toEqual({
      outcome: 'sold',
      bidId: bid.id,
      winnerId: 3,
      priceMinor: 120_00,
    })
    expect((await ledgerOf(service.store, auction)).at(-1)).toMatchObject({
      sequence: 3,
      atMs: Date.parse(dueTime),
      event: { type: 'closed' },
      state: { phase: 'closed', bidCount: 2 },
    })
  })

  test('takes one list call, one read of heads, one append and one agenda update', async () => {
    const { store, calls } = createCountingStore()
    const founder = createTestService({ store })
    await createAuction(founder, { endTime: '2030-01-31T14:00:00Z' })
    const last = await createAuction(founder)
    const service = createTestService({ store })
    // This claims a block of ids.
    service.clock.set('2030-01-31T14:00:02Z')
    await service.closeDue()
    calls.length = 0
    service.clock.set(dueTime)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
    expect(calls).toEqual(['listAuctions', 'findHeads', 'append', 'updateAgenda'])
    expect((await ledgerOf(store, last)).length).toBe(1)
  })

  test.each([
    { title: 'that are not closed', isClosed: false },
    { title: 'that others have closed', isClosed: true },
  ])('yields to other work repeatedly if many auctions are due $title', async ({ isClosed }) => {
    const right = createQuickStore()
    // The founder’s agenda updates are lost, so its closed auctions are still listed as due.
    const founder = createTestService({ store: { ...right, updateAgenda: async () => undefined } })
    for (let count = 0; count < 700; count++) await createAuction(founder)
    founder.clock.set(dueTime)
    if (isClosed) await founder.closeDue()
    const service = createTestService({ store: right, clock: founder.clock })
    const closing = service.closeDue()
    let turns = 0
    let isOver = false
    void closing.finally(() => {
      isOver = true
    })
    // A store in memory never waits, so without slices everything would run in one turn of the event loop.
    for (; !isOver; turns++) await everythingSettled()
    expect(await closing).toEqual({ closed: isClosed ? 0 : 700, left: 0 })
    expect(turns).toBeGreaterThan(5)
  })
})

describe('several services that close the same auctions', () => {
  /** Services on one store, and how many entries they try to append. */
  async function startServices(count: number, auctions: number) {
    const right = createMemoryStore()
    for (let id = 1; id <= auctions; id++) await right.insertAuction(sampleAuction({ id }))
    const tried = { entries: 0 }
    const store: Store = {
      ...right,
      async append(entries) {
        tried.entries += entries.length
        await everythingSettled()
        return right.append(entries)
      },
    }
    const services = Array.from({ length: count }, (_, index) => {
      const service = createTestService({ store })
      service.clock.set(dueTime)
      service.clock.advance(index)
      return service
    })
    return { services, tried }
  }

  test.each(isLong ? [2, 3] : [3])('share them: each of %i closes about as many', async (count) => {
    // Chance decides which groups meet, and more groups have more equal shares.
    const auctions = isLong ? 12_000 : 3_000
    const { services, tried } = await startServices(count, auctions)
    const reports = await Promise.all(services.map((service) => service.closeDue()))
    expect(reports.reduce((sum, { closed }) => sum + closed, 0)).toBe(auctions)
    for (const { closed, left } of reports) {
      expect(closed).toBeGreaterThan((0.7 * auctions) / count)
      expect(left).toBe(0)
    }
    expect(tried.entries).toBeLessThan(1.15 * auctions)
  })

  test('do not wait for one whose closings never end', async () => {
    const { services, tried } = await startServices(1, 1_000)
    const [survivor] = services
    if (survivor === undefined) throw new Error('there is one service')
    const stalled = createTestService({ store: { ...survivor.store, append: () => new Promise(() => undefined) } })
    stalled.clock.set(dueTime)
    void stalled.closeDue().catch(() => undefined)
    expect(await survivor.closeDue()).toEqual({ closed: 1_000, left: 0 })
    expect(tried.entries).toBe(1_000)
  })
})

describe('a search for due auctions', () => {
  test('reads no cached head, including that of a new auction', async () => {
    const { store, asked } = createWatchedStore()
    const service = createTestService({ store })
    const [auction] = [await createAuction(service), await createAuction(service)]
    await service.placeBid(newBid(auction, 2, 100))
    service.clock.set(dueTime)
    expect(await service.closeDue()).toEqual({ closed: 2, left: 0 })
    expect(asked.heads).toBe(0)
    asked.lists = 0
    expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
    expect(asked).toEqual({ lists: 1, heads: 0 })
    expect(await resultOf(service, auction)).toMatchObject({ outcome: 'sold', winnerId: 2 })
  })

  test('does not read closed, bought or cancelled auctions again', async () => {
    const { store, asked } = createWatchedStore()
    const founder = createTestService({ store })
    const [bought, cancelled] = [await createAuction(founder, { buyNowPrice: 500 }), await createAuction(founder)]
    await Promise.all(Array.from({ length: 150 }, () => createAuction(founder)))
    const service = createTestService({ store })
    unwrap(await service.buyNow({ auctionId: bought.id, purchase: samplePurchase() }))
    unwrap(await service.cancelAuction({ auctionId: cancelled.id }))
    service.clock.set(dueTime)
    asked.heads = 0
    expect(await service.closeDue()).toEqual({ closed: 150, left: 0 })
    expect(asked.heads).toBe(150)
    const restarted = createTestService({ store, clock: service.clock })
    expect(await restarted.closeDue()).toEqual({ closed: 0, left: 0 })
    expect(asked.heads).toBe(150)
  })

  test('seldom passes the whole agenda while that is slow, and still finds what was stored long after its end', async () => {
    const right = createMemoryStore()
    let wholeLooks = 0
    const service = createTestService({
      store: {
        ...right,
        listAuctions(query) {
          if (query.after === undefined) {
            wholeLooks += 1
            service.clock.advance(20)
          }
          return right.listAuctions(query)
        },
      },
    })
    await createAuction(service)
    service.clock.set(dueTime)
    const late = { endTime: '2030-02-07T11:00:00Z' }
    const closed: number[] = []
    for (let second = 0; second < 60; second++) {
      closed.push((await service.closeDue()).closed)
      if (second === 30) await createAuction(createTestService({ store: right }), late)
      if (second === 40) await createAuction(createTestService({ store: right }))
      service.clock.advance(1_000)
    }
    expect(wholeLooks).toBeLessThan(8)
    expect(closed.slice(0, 31)).toEqual([1, ...Array.from({ length: 30 }, () => 0)])
    expect(closed.slice(31, 42)).toContain(1)
    expect(closed[41]).toBe(1)
    expect(closed.reduce((sum, count) => sum + count)).toBe(3)
  })

  test('passes the whole agenda again after a minute at the latest, however long a look took', async () => {
    const right = createMemoryStore()
    const service = createTestService({
      store: {
        ...right,
        listAuctions(query) {
          if (query.after === undefined) service.clock.advance(2_000)
          return right.listAuctions(query)
        },
      },
    })
    await createAuction(service)
    service.clock.set(dueTime)
    await service.closeDue()
    await createAuction(createTestService({ store: right }), { endTime: '2030-02-07T11:00:00Z' })
    service.clock.advance(60_000)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
  })
})
