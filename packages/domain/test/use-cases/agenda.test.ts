import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import type { NewAuctionSample } from '@auction/testing/samples'
import { samplePurchase } from '@auction/testing/samples'
import { describe, expect, test, vi } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import { UnreadableStoredError } from '../../src/store/errors.ts'
import type { AgendaUpdate, AuctionPosition, Store } from '../../src/store/store.ts'
import { toAuctionId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import { createSteppedClock, everythingSettled } from '../support/clocks.ts'
import {
  createAuction,
  createTestService,
  ledgerOf,
  newBid,
  noAnswer,
  openTime,
  type TestService,
} from '../support/service.ts'

/** When the margin for clock differences has passed. */
const dueTime = '2030-02-07T12:00:02Z'

const softClose = { windowSeconds: 60, extensionSeconds: 120, latestEndTime: '2030-02-07T13:00:00Z' }

const placesOf = async (store: Store): Promise<readonly number[]> =>
  (await store.listAuctions({ order: 'agenda', limit: 100 })).items.map(({ auction }) => auction.id)

type Update = Store['updateAgenda']

/** The ways in which an agenda update can go wrong. */
const faults: readonly (readonly [fault: string, breakUpdate: (update: Update) => Update])[] = [
  ['lost', () => async () => undefined],
  ['rejected with a store error', () => () => Promise.reject(noAnswer())],
  ['rejected with an unexpected error', () => () => Promise.reject(new TypeError('an agenda that is broken'))],
  ['never settled', () => () => new Promise(() => undefined)],
  ['applied twice', (update) => async (updates) => update([...updates, ...updates.toReversed()])],
  [
    'delivered late and out of order',
    (update) => {
      const late: AgendaUpdate[] = []
      return async (updates) => {
        const arriving = late.splice(0).toReversed()
        late.push(...updates)
        await update(arriving)
      }
    },
  ],
]

/** Four processes over one store, each with its own clock and its own memory. */
function createProcesses(store: Store, now: string): readonly TestService[] {
  return Array.from({ length: 4 }, () => createTestService({ store, clock: createSteppedClock(now) }))
}

describe.each(faults)('an agenda update that is %s', (fault, breakUpdate) => {
  async function createScene() {
    const right = createMemoryStore()
    const store = { ...right, updateAgenda: breakUpdate(right.updateAgenda) }
    const clock = createSteppedClock('2030-02-07T11:59:00Z')
    const service = createTestService({ store, clock })
    const create = (sample: NewAuctionSample = {}) => createAuction(service, sample)
    const auctions = {
      plain: await create(),
      extended: await create({ softClose }),
      bought: await create({ buyNowPrice: 900 }),
      cancelled: await create(),
      later: await create({ endTime: '2030-02-08T12:00:00Z' }),
    }
    const ends = [
      service.buyNow({ auctionId: auctions.bought.id, purchase: samplePurchase() }),
      service.cancelAuction({ auctionId: auctions.cancelled.id }),
    ]
    if (fault === 'never settled') await clock.pass(1_000)
    for (const end of ends) unwrap(await end)
    clock.set('2030-02-07T11:59:59.999Z')
    unwrap(await service.placeBid(newBid(auctions.plain, 2, 100)))
    unwrap(await service.placeBid(newBid(auctions.extended, 2, 100))) // Until 12:01:59.999.
    return { right, store, clock, service, auctions }
  }

  /** Closes due auctions, however long the store takes for its agenda. */
  async function closeDue(service: TestService, clock: { pass(ms: number): Promise<void> }) {
    const report = service.closeDue()
    await clock.pass(fault === 'never settled' ? 9_000 : 0)
    return report
  }

  const seenBy = async (service: TestService, auctions: Record<string, Auction>) => {
    const nameOf = new Map(Object.entries(auctions).map(([name, { id }]) => [id, name]))
    const listed = async (query: Parameters<TestService['listAuctions']>[0]) =>
      unwrap(await service.listAuctions(query)).items.map(({ auction }) => nameOf.get(auction.id))
    return {
      agenda: await listed({ order: 'agenda', status: 'Active', limit: 10 }),
      active: await listed({ order: 'newest', status: 'Active', limit: 10 }),
      ended: await listed({ order: 'newest', status: 'Ended', limit: 10 }),
      cancelled: await listed({ order: 'newest', status: 'Cancelled', limit: 10 }),
    }
  }

  test('causes no wrong status, list or result, and leaves no auction unclosed', async () => {
    const { right, store, clock, service, auctions } = await createScene()
    const early = await seenBy(service, auctions)
    expect(early).toMatchObject({ agenda: ['plain', 'extended', 'later'], active: ['later', 'extended', 'plain'] })
    // Without an update, the lists of ended auctions lack an early end until the auction is due.
    const ofEnded = [...early.ended, ...early.cancelled]
    expect(['bought', 'cancelled'].filter((name) => fault === 'applied twice' || ofEnded.includes(name))).toEqual(
      ofEnded,
    )

    const over = { cancelled: ['cancelled'] }
    clock.set(dueTime)
    expect(await closeDue(service, clock)).toEqual({ closed: 1, left: 0 })
    const inOvertime = { agenda: ['extended', 'later'], active: ['later', 'extended'], ended: ['bought', 'plain'] }
    expect(await seenBy(service, auctions)).toEqual({ ...over, ...inOvertime })
    expect(await closeDue(service, clock)).toEqual({ closed: 0, left: 0 })
    expect(await seenBy(service, auctions)).toEqual({ ...over, ...inOvertime })

    clock.set('2030-02-07T12:02:01.999Z')
    expect(await closeDue(service, clock)).toEqual({ closed: 1, left: 0 })
    const last = { agenda: ['later'], active: ['later'], ended: ['bought', 'extended', 'plain'] }
    expect(await seenBy(service, auctions)).toEqual({ ...over, ...last })
    for (const process of createProcesses(store, '2030-02-07T12:05:00Z')) {
      expect(await seenBy(process, auctions)).toEqual({ ...over, ...last })
    }
    const outcomes = await Promise.all(
      Object.values(auctions).map(async ({ id }) => unwrap(await service.readAuction(id)).result?.outcome),
    )
    expect(outcomes).toEqual(['sold', 'sold', 'bought', 'cancelled', undefined])

    // A process whose agenda updates succeed repairs the agenda, so no auction is checked repeatedly.
    const repairing = createTestService({ store: right, clock: createManualClock('2030-02-07T12:05:00Z') })
    expect(await repairing.closeDue()).toEqual({ closed: 0, left: 0 })
    expect(await placesOf(right)).toEqual([auctions.later.id])
    for (const auction of Object.values(auctions)) {
      const ends = (await ledgerOf(right, auction)).filter(({ state }) => state.phase === 'closed')
      expect(ends.length).toBe(auction === auctions.later ? 0 : 1)
    }
  })
})

describe('a list in agenda order', () => {
  const at = (iso: string) => ({ softClose, endTime: `2030-02-07T${iso}Z` })

  async function pagesOf(service: TestService, limit: number, between?: () => Promise<unknown>) {
    const pages: (readonly number[])[] = []
    let page = unwrap(await service.listAuctions({ order: 'agenda', status: 'Active', limit }))
    for (;;) {
      pages.push(page.items.map(({ auction }) => auction.id))
      if (page.next === undefined) return pages
      await between?.()
      page = unwrap(await service.listAuctions({ order: 'agenda', status: 'Active', limit, after: page.next }))
    }
  }

  test('starts with auctions in overtime, then follows the known moved ends', async () => {
    const service = createTestService()
    for (const minute of ['12:00:00', '12:01:00', '12:02:00', '12:03:00']) await createAuction(service, at(minute))
    service.clock.set('2030-02-07T11:59:59Z')
    for (const id of [1, 2]) await service.placeBid(newBid({ id: toAuctionId(id) }, 2, 100)) // Auction 1 now ends at 12:01:59.
    service.clock.set('2030-02-07T12:00:01Z')
    expect(await pagesOf(service, 2)).toEqual([
      [2, 1], // Ordered by end.
      [3, 4],
    ])
    service.clock.set(dueTime)
    await service.closeDue()
    expect(await pagesOf(service, 2)).toEqual([
      [2, 1],
      [3, 4],
    ])
    expect(await pagesOf(service, 1)).toEqual([[2], [1], [3], [4]])
    await service.placeBid(newBid({ id: toAuctionId(1) }, 2, 200))
    service.clock.set('2030-02-07T12:01:30Z')
    await service.placeBid(newBid({ id: toAuctionId(1) }, 2, 300)) // Until 12:03:30.
    service.clock.set('2030-02-07T12:02:02Z')
    await service.closeDue()
    expect(await pagesOf(service, 2)).toEqual([[4, 1]])
  })

  test('skips no auction whose end moves between two pages, but may repeat one', async () => {
    const service = createTestService()
    for (const minute of ['12:00:00', '12:01:00', '12:02:30', '12:03:00']) await createAuction(service, at(minute))
    service.clock.set('2030-02-07T11:59:59Z')
    await service.placeBid(newBid({ id: toAuctionId(1) }, 2, 100))
    service.clock.set(dueTime)
    const seen = (await pagesOf(service, 1, () => service.closeDue())).flat()
    expect(seen).toEqual([1, 2, 1, 3, 4])
  })

  test('lists an auction once per page, even if its end moves while the page is read', async () => {
    const right = createMemoryStore()
    let lists = 0
    const store: Store = {
      ...right,
      updateAgenda: async () => undefined,
      async listAuctions(query) {
        if (query.dueByMs === undefined) lists += 1
        if (lists === 2)
          await right.updateAgenda([{ auctionId: toAuctionId(1), dueMs: Date.parse('2030-02-07T12:01:30Z') }])
        return right.listAuctions(query)
      },
    }
    const service = createTestService({ store })
    for (const minute of ['12:00:00', '12:01:00', '12:02:00']) await createAuction(service, at(minute))
    unwrap(await service.cancelAuction({ auctionId: toAuctionId(2) }))
    expect(await pagesOf(service, 2)).toEqual([[1, 3]])
    expect(lists).toBe(2)
  })

  test('contains only active auctions, even if the agenda still lists ended ones', async () => {
    const right = createMemoryStore()
    const service = createTestService({ store: { ...right, updateAgenda: async () => undefined } })
    const auctions = await Promise.all(Array.from({ length: 4 }, () => createAuction(service, { buyNowPrice: 500 })))
    await createAuction(service, { startTime: '2030-02-01T12:00:00Z' })
    const [bought, cancelled, ...open] = auctions.map(({ id }) => id)
    if (bought) unwrap(await service.buyNow({ auctionId: bought, purchase: samplePurchase() }))
    if (cancelled) unwrap(await service.cancelAuction({ auctionId: cancelled }))
    const listed = async (limit: number) =>
      unwrap(await service.listAuctions({ order: 'agenda', status: 'Active', limit })).items.map(
        ({ auction }) => auction.id,
      )
    for (const limit of [3, 10]) expect(await listed(limit)).toEqual(open)
    service.clock.set('2030-02-07T12:00:00Z')
    expect(await listed(10)).toEqual([])
  })
})

test('a list of open auctions, newest first, skips ended auctions without reading their ledgers', async () => {
  const right = createMemoryStore()
  let heads = 0
  const store: Store = {
    ...right,
    findHeads(ids) {
      heads += ids.length
      return right.findHeads(ids)
    },
  }
  const service = createTestService({ store })
  const open = await createAuction(service, { endTime: '2030-02-08T12:00:00Z' })
  const pending = await createAuction(service, { startTime: '2030-02-07T13:00:00Z', endTime: '2030-02-08T12:00:00Z' })
  await Promise.all(Array.from({ length: 30 }, () => createAuction(service)))
  service.clock.set(dueTime)
  await service.closeDue()
  heads = 0
  for (const [status, id] of [
    ['Active', open.id],
    ['Pending', pending.id],
  ] as const) {
    const { items } = unwrap(await service.listAuctions({ order: 'newest', status, limit: 10 }))
    expect(items.map(({ auction }) => auction.id)).toEqual([id])
  }
  expect(heads).toBe(2)
})

describe('the start of an auction', () => {
  const startTime = '2030-02-01T12:00:00Z'
  const queries = [
    { order: 'agenda', status: 'Active' },
    { order: 'newest', status: 'Active' },
    { order: 'newest', status: 'Pending' },
  ] as const

  test.each([1, 100])(
    'is in all lists at once, and in the store after the next closing, with pages of %i',
    async (limit) => {
      const service = createTestService()
      const other = await createAuction(service)
      const auction = await createAuction(service, { startTime, endTime: '2030-02-06T12:00:00Z' })
      const seen = async () => {
        const lists = queries.map(async (query) => {
          const ids: number[] = []
          let after: AuctionPosition | undefined
          do {
            const page = unwrap(await service.listAuctions({ ...query, limit, after }))
            ids.push(...page.items.map(({ auction: { id } }) => id))
            after = page.next
          } while (after !== undefined)
          return ids
        })
        return Promise.all(lists)
      }
      const place = async () =>
        (await service.store.listAuctions({ order: 'agenda', limit: 1 })).items[0]?.position.timeMs
      expect(await seen()).toEqual([[other.id], [other.id], [auction.id]])
      service.clock.set(startTime)
      const started = [[auction.id, other.id], [auction.id, other.id], []]
      expect([await seen(), await place()]).toEqual([started, Date.parse(startTime)])
      service.clock.advance(2_000)
      expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
      expect([await seen(), await place()]).toEqual([started, Date.parse('2030-02-06T12:00:00Z')])
    },
  )
})

describe('the agenda position of an auction', () => {
  test('moves with its end when the auction is read', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { softClose })
    service.clock.set('2030-02-07T11:59:59.999Z')
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    const place = async () =>
      (await service.store.listAuctions({ order: 'agenda', limit: 1 })).items[0]?.position.timeMs
    service.clock.set(dueTime)
    expect(await place()).toBe(Date.parse('2030-02-07T12:00:00Z'))
    expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
    expect(await place()).toBe(Date.parse('2030-02-07T12:01:59.999Z'))
  })

  test('is left at one time, regardless of which process reports the end, and when it is recorded', async () => {
    const right = createMemoryStore()
    const ends: AgendaUpdate[] = []
    const losing: Store = {
      ...right,
      async updateAgenda(changes) {
        ends.push(...changes)
      },
    }
    const services = [createTestService({ store: losing }), createTestService({ store: losing })]
    const [service] = services
    if (service === undefined) throw new Error('there are two')
    const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime: '2030-02-08T12:00:00Z' }
    const extended = await createAuction(service, { softClose })
    const cancelled = await createAuction(service)
    const bought = await createAuction(service, { buyNowPrice: 500 })
    unwrap(await service.buyNow({ auctionId: bought.id, purchase: samplePurchase() }))
    unwrap(await service.cancelAuction({ auctionId: cancelled.id }))
    service.clock.set('2030-02-07T11:59:59Z')
    unwrap(await service.placeBid(newBid(extended, 2, 100)))
    // The second service finds all of them closed.
    for (const each of services) {
      each.clock.set('2030-02-07T13:00:00Z')
      await each.closeDue()
    }
    const endsOf = (id: number) =>
      new Set(ends.flatMap((update) => (update.auctionId === id && 'endedMs' in update ? [update.endedMs] : [])))
    expect(endsOf(extended.id)).toEqual(new Set([Date.parse('2030-02-07T12:00:59Z')]))
    for (const { id } of [cancelled, bought]) expect(endsOf(id)).toEqual(new Set([Date.parse(openTime)]))
    expect(ends.length).toBeGreaterThan(6)
  })

  test('is removed by a purchase or a cancellation, which waits for the removal for at most a second', async () => {
    const right = createMemoryStore()
    const updates: AgendaUpdate[] = []
    const store: Store = {
      ...right,
      updateAgenda(changes) {
        updates.push(...changes)
        return new Promise(() => undefined)
      },
    }
    const clock = createSteppedClock(openTime)
    const service = createTestService({ store, clock })
    const [bought, cancelled] = [await createAuction(service, { buyNowPrice: 500 }), await createAuction(service)]
    const ends = [
      service.buyNow({ auctionId: bought.id, purchase: samplePurchase() }),
      service.cancelAuction({ auctionId: cancelled.id }),
    ]
    await clock.pass(1_000)
    for (const end of ends) unwrap(await end)
    expect(updates[0]).toEqual({ auctionId: bought.id, endedMs: Date.parse(openTime), outcome: 'bought' })
    const other = createTestService({ store: right })
    unwrap(await other.cancelAuction({ auctionId: cancelled.id }, { caller: 'owner', key: 'again' }))
    await everythingSettled()
    expect(await placesOf(right)).toEqual([bought.id])
  })
})

describe('a purchase', () => {
  const bought = { order: 'ended', status: 'Ended', limit: 10 } as const
  const idsIn = async (service: TestService, query: Parameters<TestService['listAuctions']>[0]) =>
    unwrap(await service.listAuctions(query)).items.map(({ auction }) => Number(auction.id))

  test('is in the list of ended auctions when its buyer has the response', async () => {
    const store = createMemoryStore()
    const updateAgenda: Store['updateAgenda'] = async (updates) => {
      await everythingSettled()
      await store.updateAgenda(updates)
    }
    const service = createTestService({ store: { ...store, updateAgenda } })
    const { id } = await createAuction(service, { buyNowPrice: 500 })
    unwrap(await service.buyNow({ auctionId: id, purchase: samplePurchase() }))
    expect(await idsIn(service, bought)).toEqual([id])
  })

  test('that took long does not wait for the agenda, so that its response is within the deadline', async () => {
    const plain = createMemoryStore()
    const { id } = await createAuction(createTestService({ store: plain }), { buyNowPrice: 500 })
    const clock = createSteppedClock(openTime)
    const wait = () => new Promise<void>((resolve) => void clock.after(200, resolve))
    const store: Store = {
      ...plain,
      append: (entries) => wait().then(() => plain.append(entries)),
      findHeads: (ids) => wait().then(() => plain.findHeads(ids)),
      updateAgenda: () => new Promise(() => undefined),
    }
    // The head and the entry take more than 0.4 of the deadline.
    const service = createTestService({ store, clock, limits: { deadlineMs: 900 } })
    const onSettled = vi.fn()
    void service.buyNow({ auctionId: id, purchase: samplePurchase() }).then(onSettled)
    await clock.pass(400)
    expect(onSettled).toHaveBeenCalledWith(expect.objectContaining({ ok: true }))
  })
})

describe('an unreadable auction', () => {
  test('is retried a minute later, by any process', async () => {
    const right = createMemoryStore()
    const auction = await createAuction(createTestService({ store: right }))
    let looks = 0
    let isUnreadable = true
    const store: Store = {
      ...right,
      async findHeads(ids) {
        looks += 1
        if (isUnreadable) throw new UnreadableStoredError('entry', { id: 1, auctionId: auction.id }, 'no state')
        return right.findHeads(ids)
      },
    }
    const services = [createTestService({ store }), createTestService({ store })]
    for (const [index, seconds] of [0, 1, 59].entries()) {
      for (const service of services) {
        service.clock.set(dueTime)
        service.clock.advance(seconds * 1_000)
        expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
      }
      expect([index, looks]).toEqual([index, 1])
    }
    isUnreadable = false
    for (const service of services) service.clock.advance(3_000)
    expect(await services[0]?.closeDue()).toEqual({ closed: 1, left: 0 })
  })

  test.each([
    { title: 'with unreadable heads', what: 'heads' },
    { title: 'with unreadable terms', what: 'auctions' },
  ])(
    'does not prevent others after it from being closed, even with more than a page of auctions $title',
    async ({ what }) => {
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
          const unreadable = items
            .filter(({ auction }) => isUnreadable(auction.id))
            .map(({ auction }) => new UnreadableStoredError('auction', auction, 'no currency'))
          return { items: items.filter(({ auction }) => !isUnreadable(auction.id)), unreadable, next }
        },
      }
      const service = createTestService({ store })
      service.clock.set(dueTime)
      expect(await service.closeDue()).toEqual({ closed: 10, left: 0 })
      for (const auction of auctions)
        expect((await ledgerOf(right, auction)).length).toBe(isUnreadable(auction.id) ? 0 : 1)
    },
  )
})

test('a failing agenda update does not affect other updates', async () => {
  const right = createMemoryStore()
  const founder = createTestService({ store: right })
  await Promise.all(Array.from({ length: 30 }, () => createAuction(founder)))
  const store: Store = {
    ...right,
    async updateAgenda(updates) {
      if (updates.some(({ auctionId }) => auctionId === 17)) throw new TypeError('a store that has a fault')
      await right.updateAgenda(updates)
    },
  }
  const service = createTestService({ store })
  service.clock.set(dueTime)
  expect(await service.closeDue()).toEqual({ closed: 30, left: 0 })
  expect(await placesOf(right)).toEqual([17])
})

test('a store that stalls during closing delays due auctions and loses none', async () => {
  const right = createMemoryStore()
  const founder = createTestService({ store: right })
  await Promise.all(Array.from({ length: 150 }, () => createAuction(founder)))
  for (const stalled of ['listAuctions', 'findHeads', 'append', 'updateAgenda'] as const) {
    const clock = createSteppedClock(dueTime)
    const service = createTestService({ store: { ...right, [stalled]: () => new Promise(() => undefined) }, clock })
    const report = service.closeDue().catch(() => 'failed')
    const second = service.closeDue().catch(() => 'failed')
    await clock.pass(60_000)
    const expected = {
      listAuctions: 'failed',
      findHeads: { closed: 0, left: 150 },
      append: { closed: 0, left: 150 },
      updateAgenda: { closed: 150, left: 0 },
    }
    expect([stalled, await report]).toEqual([stalled, expected[stalled]])
    expect(await second).toEqual(await report)
  }
  expect(await createTestService({ store: right, clock: createManualClock(dueTime) }).closeDue()).toEqual({
    closed: 0,
    left: 0,
  })
  expect(await placesOf(right)).toEqual([])
})
