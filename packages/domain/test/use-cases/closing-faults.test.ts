import { createMemoryStore } from '@auction/adapters/memory'
import { sampleAuction } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { UnreadableStoredError } from '../../src/store/errors.ts'
import type { Store } from '../../src/store/store.ts'
import { createSteppedClock } from '../support/clocks.ts'
import { createAuction, createTestService, ledgerOf, noResponse, storeWith } from '../support/service.ts'
import { createUnreliableStore, many } from '../support/stores.ts'

/** When the margin for clock differences has passed. */
const dueTime = '2030-02-07T12:00:02Z'

describe('an unreadable auction', () => {
  test('is retried a minute later, by any process', async () => {
    let looks = 0
    let isUnreadable = true
    const store = storeWith((right) => ({
      async findHeads(ids) {
        looks += 1
        if (isUnreadable) throw new UnreadableStoredError('entry', { id: 1, auctionId: 1 }, 'no state')
        return right.findHeads(ids)
      },
    }))
    await createAuction(createTestService({ store }))
    const services = [createTestService({ store }), createTestService({ store })] as const
    for (const seconds of [0, 1, 59]) {
      for (const service of services) {
        service.clock.set(dueTime)
        service.clock.advance(seconds * 1_000)
        expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
      }
      expect([seconds, looks]).toEqual([seconds, 1])
    }
    isUnreadable = false
    for (const { clock } of services) clock.advance(3_000)
    expect(await services[0].closeDue()).toEqual({ closed: 1, left: 0 })
  })

  test.each(['heads', 'auctions'])(
    'with 249 others, by their %s, does not prevent others from being closed',
    async (what) => {
      const right = createMemoryStore()
      const founder = createTestService({ store: right })
      const auctions = await Promise.all(Array.from({ length: 260 }, () => createAuction(founder)))
      const isUnreadable = (id: number) => id <= 250
      const store: Store = {
        ...right,
        async findHeads(ids) {
          const id = what === 'heads' && ids.find(isUnreadable)
          if (id) throw new UnreadableStoredError('entry', { id, auctionId: id }, 'no state')
          return right.findHeads(ids)
        },
        async listAuctions(query) {
          const { items, next } = await right.listAuctions(query)
          if (what === 'heads') return { items, next }
          const [damaged, whole] = [true, false].map((is) =>
            items.filter(({ auction }) => isUnreadable(auction.id) === is),
          )
          const unreadable = damaged?.map(({ auction }) => new UnreadableStoredError('auction', auction, 'no currency'))
          return { items: whole ?? [], ...(unreadable && { unreadable }), next }
        },
      }
      const reported: unknown[] = []
      const service = createTestService({ store, observer: { onUnreadable: (error) => reported.push(error) } })
      service.clock.set(dueTime)
      expect(await service.closeDue()).toEqual({ closed: 10, left: 0 })
      expect(reported).toHaveLength(250)
      for (const auction of auctions)
        expect((await ledgerOf(right, auction)).length).toBe(isUnreadable(auction.id) ? 0 : 1)
    },
  )
})

test.each([
  { stalled: 'listAuctions', expected: 'failed' },
  { stalled: 'findHeads', expected: { closed: 0, left: 150 } },
  { stalled: 'append', expected: { closed: 0, left: 150 } },
  { stalled: 'updateAgenda', expected: { closed: 150, left: 0 } },
])(
  'a store that stalls in $stalled during closing delays due auctions and loses none',
  async ({ stalled, expected }) => {
    const right = createMemoryStore()
    const founder = createTestService({ store: right })
    for (let count = 0; count < 150; count++) await createAuction(founder)
    const clock = createSteppedClock(dueTime)
    const service = createTestService({ store: { ...right, [stalled]: () => new Promise(() => undefined) }, clock })
    const reports = [service.closeDue().catch(() => 'failed'), service.closeDue().catch(() => 'failed')]
    await clock.pass(60_000)
    expect(await Promise.all(reports)).toEqual([expected, expected])
    founder.clock.set(dueTime)
    await founder.closeDue()
    expect((await right.listAuctions({ order: 'agenda', limit: 1 })).items).toEqual([])
  },
)

test('a search for due auctions fails when the store is unavailable, and searches again', async () => {
  const right = createMemoryStore()
  await createAuction(createTestService({ store: right }))
  const store = createUnreliableStore(right, { listAuctions: many('lost-before-storing').slice(0, 3) })
  const service = createTestService({ store })
  service.clock.set(dueTime)
  await expect(service.closeDue()).rejects.toMatchObject({ code: 'store-unavailable' })
  expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
})

test('a search closes due auctions listed after unreadable ones', async () => {
  const right = createMemoryStore()
  const auctions = Array.from({ length: 1_050 }, (_, index) => sampleAuction({ id: index + 1 }))
  for (const auction of auctions) await right.insertAuction(auction)
  const store: Store = {
    ...right,
    append: (entries) =>
      entries.some(({ auctionId }) => auctionId <= 1_020) ? Promise.reject(noResponse()) : right.append(entries),
  }
  const service = createTestService({ store })
  service.clock.set(dueTime)
  expect(await service.closeDue()).toEqual({ closed: 30, left: 1_020 })
  for (const auction of auctions) expect((await ledgerOf(right, auction)).length).toBe(auction.id <= 1_020 ? 0 : 1)
})

test('a search reports too many unreadable auctions, and tries no others until some are closed', async () => {
  const right = createMemoryStore()
  const auctions = Array.from({ length: 2_200 }, (_, index) => sampleAuction({ id: index + 1 }))
  for (const auction of auctions) await right.insertAuction(auction)
  let isBroken = true
  let heads = 0
  const store: Store = {
    ...right,
    findHeads: (ids) => {
      heads += ids.length
      return right.findHeads(ids)
    },
    append: (entries) => (isBroken ? Promise.reject(noResponse()) : right.append(entries)),
  }
  const service = createTestService({ store })
  service.clock.set(dueTime)
  expect(await service.closeDue()).toEqual({ closed: 0, left: auctions.length })
  expect(heads).toBeGreaterThan(2_000)
  expect(heads).toBeLessThan(auctions.length)
  isBroken = false
  expect(await service.closeDue()).toEqual({ closed: auctions.length, left: 0 })
})
