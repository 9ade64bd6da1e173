import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, test, vi } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import type { AgendaUpdate, Store } from '../../src/store/store.ts'
import { unwrap } from '../../src/values/result.ts'
import { createSteppedClock, everythingSettled } from '../support/clocks.ts'
import {
  buy,
  cancel,
  createAuction,
  createTestService,
  keyOf,
  ledgerOf,
  newBid,
  noResponse,
  openTime,
  serveAuction,
  storeWith,
  type TestService,
} from '../support/service.ts'

/** When the margin for clock differences has passed. */
const dueTime = '2030-02-07T12:00:02Z'
const softClose = { windowSeconds: 60, extensionSeconds: 120, latestEndTime: '2030-02-07T13:00:00Z' }

const idsOnAgenda = async (store: Store): Promise<readonly number[]> =>
  (await store.listAuctions({ order: 'agenda', limit: 100 })).items.map(({ auction }) => auction.id)

type Update = Store['updateAgenda']

/** The ways in which an agenda update can go wrong. */
const faults: readonly (readonly [fault: string, breakUpdate: (update: Update) => Update])[] = [
  ['lost', () => async () => undefined],
  ['rejected with a store error', () => () => Promise.reject(noResponse())],
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

/** Auctions that ended each in its way before 12:00, but for one that bids extend until 12:01:59.999, and one of a day later. */
async function createAuctions(service: TestService) {
  const auctions = {
    plain: await createAuction(service),
    extended: await createAuction(service, { softClose }),
    bought: await createAuction(service, { buyNowPrice: 900 }),
    cancelled: await createAuction(service),
    later: await createAuction(service, { endTime: '2030-02-08T12:00:00Z' }),
  }
  const ends = Promise.all([buy(service, auctions.bought), cancel(service, auctions.cancelled)])
  return { auctions, ends }
}

describe.each(faults)('an agenda update that is %s', (fault, breakUpdate) => {
  test('causes no wrong status, list or result, and leaves no auction unclosed', async () => {
    const right = createMemoryStore()
    const store = { ...right, updateAgenda: breakUpdate(right.updateAgenda) }
    const clock = createSteppedClock('2030-02-07T11:59:00Z')
    const service = createTestService({ store, clock })
    const { auctions, ends } = await createAuctions(service)
    const longestMs = fault === 'never settled' ? 9_000 : 0
    await clock.pass(longestMs)
    for (const end of await ends) unwrap(end)
    clock.set('2030-02-07T11:59:59.999Z')
    for (const auction of [auctions.plain, auctions.extended]) unwrap(await service.placeBid(newBid(auction, 2, 100)))

    const nameOf = new Map(Object.entries(auctions).map(([name, { id }]) => [id, name]))
    const listBy = async (by: TestService, query: Parameters<TestService['listAuctions']>[0]) =>
      unwrap(await by.listAuctions(query)).items.map(({ auction }) => nameOf.get(auction.id))
    const seenBy = async (by: TestService) => ({
      agenda: await listBy(by, { order: 'agenda', status: 'Active', limit: 10 }),
      active: await listBy(by, { order: 'newest', status: 'Active', limit: 10 }),
      over: [
        ...(await listBy(by, { order: 'newest', status: 'Ended', limit: 10 })),
        ...(await listBy(by, { order: 'newest', status: 'Cancelled', limit: 10 })),
      ],
    })
    /** Closes due auctions, however long the store takes for its agenda. */
    async function closeAt(iso: string) {
      clock.set(iso)
      const report = service.closeDue()
      await clock.pass(longestMs)
      return report
    }

    // Without an update, the lists of ended auctions lack an early end until the auction is due.
    const early = await seenBy(service)
    expect(early).toMatchObject({ agenda: ['plain', 'extended', 'later'], active: ['later', 'extended', 'plain'] })
    expect(['bought', 'cancelled']).toEqual(expect.arrayContaining(early.over))
    if (fault === 'applied twice') expect(early.over).toHaveLength(2)
    const inOvertime = { agenda: ['extended', 'later'], active: ['later', 'extended'] }
    for (const closed of [1, 0]) {
      expect(await closeAt(dueTime)).toEqual({ closed, left: 0 })
      expect(await seenBy(service)).toEqual({ ...inOvertime, over: ['bought', 'plain', 'cancelled'] })
    }
    expect(await closeAt('2030-02-07T12:02:01.999Z')).toEqual({ closed: 1, left: 0 })
    const last = { agenda: ['later'], active: ['later'], over: ['bought', 'extended', 'plain', 'cancelled'] }
    const afterwards = '2030-02-07T12:05:00Z'
    for (const by of [service, createTestService({ store, clock: createSteppedClock(afterwards) })])
      expect(await seenBy(by)).toEqual(last)

    // A process whose agenda updates succeed repairs the agenda, so no auction is checked repeatedly.
    const repairing = createTestService({ store: right, clock: createManualClock(afterwards) })
    expect(await repairing.closeDue()).toEqual({ closed: 0, left: 0 })
    expect(await idsOnAgenda(right)).toEqual([auctions.later.id])
    for (const auction of Object.values(auctions)) {
      const ends = (await ledgerOf(right, auction)).filter(({ state }) => state.phase === 'closed')
      expect(ends.length).toBe(auction === auctions.later ? 0 : 1)
    }
  })
})

test('extensions learn of auctions that end, and of no others, before these leave the agenda', async () => {
  const { service, auction } = await serveAuction({ softClose })
  const other = await createAuction(service, { buyNowPrice: 900 })
  const left: unknown[] = []
  service.extend({
    async beforeLeavingAgenda(auctionIds) {
      await everythingSettled()
      left.push([auctionIds, await idsOnAgenda(service.store)])
    },
  })
  service.clock.set('2030-02-07T11:59:59.999Z')
  unwrap(await service.placeBid(newBid(auction, 2, 100)))
  unwrap(await service.readAuction(auction.id))
  expect(left).toEqual([])
  unwrap(await buy(service, other))
  await expect.poll(() => left).toEqual([[[other.id], [auction.id, other.id]]])
  await expect.poll(() => idsOnAgenda(service.store)).toEqual([auction.id])
})

describe('the agenda position of an auction', () => {
  const positionMs = async ({ store }: TestService) =>
    (await store.listAuctions({ order: 'agenda', limit: 1 })).items[0]?.position.timeMs

  test('moves with its end when the auction is read', async () => {
    const { service, auction } = await serveAuction({ softClose })
    service.clock.set('2030-02-07T11:59:59.999Z')
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    service.clock.set(dueTime)
    expect(await positionMs(service)).toBe(Date.parse('2030-02-07T12:00:00Z'))
    expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
    expect(await positionMs(service)).toBe(Date.parse('2030-02-07T12:01:59.999Z'))
  })

  test('is left at one time, regardless of which process reports the end, and when it is recorded', async () => {
    const ends: AgendaUpdate[] = []
    const store = storeWith(() => ({ updateAgenda: async (changes) => void ends.push(...changes) }))
    const service = createTestService({ store })
    const { auctions, ends: ending } = await createAuctions(service)
    for (const end of await ending) unwrap(end)
    service.clock.set('2030-02-07T11:59:59Z')
    unwrap(await service.placeBid(newBid(auctions.extended, 2, 100)))
    // The second service finds all of them closed.
    for (const each of [service, createTestService({ store })]) {
      each.clock.set('2030-02-07T13:00:00Z')
      await each.closeDue()
    }
    const endsOf = ({ id }: Auction) =>
      new Set(ends.flatMap((update) => (update.auctionId === id && 'endedMs' in update ? [update.endedMs] : [])))
    expect(endsOf(auctions.extended)).toEqual(new Set([Date.parse('2030-02-07T12:01:59Z')]))
    for (const name of ['cancelled', 'bought'] as const)
      expect(endsOf(auctions[name])).toEqual(new Set([Date.parse(openTime)]))
    expect(ends.length).toBeGreaterThan(6)
  })

  test('is removed by a purchase or a cancellation, which waits for the removal for at most a second', async () => {
    const right = createMemoryStore()
    const updates: AgendaUpdate[] = []
    const updateAgenda: Update = (changes) => {
      updates.push(...changes)
      return new Promise(() => undefined)
    }
    const clock = createSteppedClock(openTime)
    const service = createTestService({ store: { ...right, updateAgenda }, clock })
    const [bought, cancelled] = [await createAuction(service, { buyNowPrice: 500 }), await createAuction(service)]
    const ends = [buy(service, bought), cancel(service, cancelled)]
    await clock.pass(1_000)
    for (const end of ends) unwrap(await end)
    expect(updates[0]).toEqual({ auctionId: bought.id, endedMs: Date.parse(openTime), outcome: 'bought' })
    unwrap(await cancel(createTestService({ store: right }), cancelled, undefined, keyOf('again')))
    await everythingSettled()
    expect(await idsOnAgenda(right)).toEqual([bought.id])
  })
})

describe('a purchase', () => {
  test('is in the list of ended auctions when its buyer has the response', async () => {
    const store = storeWith((right) => ({
      updateAgenda: (updates) => everythingSettled().then(() => right.updateAgenda(updates)),
    }))
    const { service, auction } = await serveAuction({ buyNowPrice: 500 }, { store })
    unwrap(await buy(service, auction))
    const { items } = unwrap(await service.listAuctions({ order: 'ended', status: 'Ended', limit: 10 }))
    expect(items).toMatchObject([{ auction: { id: auction.id } }])
  })

  test('that took long does not wait for the agenda, so that its response is within the deadline', async () => {
    const plain = createMemoryStore()
    const auction = await createAuction(createTestService({ store: plain }), { buyNowPrice: 500 })
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
    void buy(service, auction).then(onSettled)
    await clock.pass(400)
    expect(onSettled).toHaveBeenCalledWith(expect.objectContaining({ ok: true }))
  })
})

test('a failing agenda update does not affect other updates', async () => {
  const store = storeWith((right) => ({
    async updateAgenda(updates) {
      if (updates.some(({ auctionId }) => auctionId === 17)) throw new TypeError('a store that has a fault')
      await right.updateAgenda(updates)
    },
  }))
  const service = createTestService({ store })
  for (let count = 0; count < 30; count++) await createAuction(service)
  service.clock.set(dueTime)
  expect(await service.closeDue()).toEqual({ closed: 30, left: 0 })
  expect(await idsOnAgenda(store)).toEqual([17])
})
