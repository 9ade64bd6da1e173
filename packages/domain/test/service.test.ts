import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import {
  sampleBidders,
  sampleLots,
  sampleLotsCancellation,
  sampleNewRegister,
  sampleNewSale,
  sampleOwnWithdrawal,
  sampleSaleExtension,
} from '@auction/testing/samples'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { isServiceClosed } from '../src/lifetime.ts'
import { type AuctionService, type AuctionServiceParts, createAuctionService } from '../src/service.ts'
import type { Store } from '../src/store/store.ts'
import { BidId, toRegisterId, toSaleId, toUserId } from '../src/values/ids.ts'
import { createSteppedClock, everythingSettled } from './support/clocks.ts'
import { derivingOf } from './support/derived.ts'
import {
  amountsOf,
  auctionIdOf,
  buy,
  cancel,
  correct,
  createAuction,
  createTestService,
  endAuction,
  extend,
  keyOf,
  ledgerOf,
  lower,
  newAuction,
  newBid,
  openTime,
  outcomeOf,
  serveAuction,
  withdraw,
} from './support/service.ts'
import { createHeldStore, createUnreliableStore, many } from './support/stores.ts'

/** When the margin for clock differences has passed. */
const dueTime = '2030-02-07T12:00:02Z'
const deadlineMs = 10_000

/** Returns a function that checks whether a promise is settled. */
function watched(promise: Promise<unknown>) {
  const state = { isSettled: false }
  promise.finally(() => {
    state.isSettled = true
  })
  return state
}

const auctionId = auctionIdOf(1)
const auction = { id: auctionId }
const registerId = toRegisterId(1)
const saleId = toSaleId(1)

const operations: readonly (readonly [keyof AuctionService, (service: AuctionService) => Promise<unknown>])[] = [
  ['createAuction', (service) => service.createAuction(newAuction())],
  ['relistAuction', (service) => derivingOf(service, auctionId).relist()],
  ['makeOffer', (service) => derivingOf(service, auctionId).offer([])],
  ['placeBid', (service) => service.placeBid(newBid(auction, 2, 100))],
  ['buyNow', (service) => buy(service, auction)],
  ['cancelAuction', (service) => cancel(service, auction)],
  ['correctAuction', (service) => correct(service, auction, { title: 'Desk' })],
  ['extendAuction', (service) => extend(service, auction, '2030-02-07T13:00:00Z')],
  ['endAuction', (service) => endAuction(service, auction)],
  ['lowerReserve', (service) => lower(service, auction, 0)],
  ['withdrawBidder', (service) => withdraw(service, auction, 2)],
  ['withdrawOwnBid', (service) => service.withdrawOwnBid({ auctionId, withdrawal: sampleOwnWithdrawal() })],
  ['createRegister', (service) => service.createRegister({ register: sampleNewRegister(), editor: 'clerk' })],
  [
    'setBidders',
    (service) =>
      service.setBidders({ registerId, bidders: sampleBidders({ bidderId: 2, status: 'refused' }), editor: 'clerk' }),
  ],
  ['readRegister', (service) => service.readRegister(registerId)],
  ['listRegisters', (service) => service.listRegisters({ limit: 1 })],
  ['readBidder', (service) => service.readBidder(registerId, toUserId(2))],
  ['listBidders', (service) => service.listBidders(registerId, { limit: 1 })],
  ['createSale', (service) => service.createSale({ sale: sampleNewSale(), editor: 'staff' })],
  ['addLots', (service) => service.addLots({ saleId, lots: sampleLots({ lot: '1' }), editor: 'staff' })],
  [
    'extendSale',
    (service) => service.extendSale({ saleId, extension: sampleSaleExtension(), editor: 'staff' }, keyOf('e')),
  ],
  ['cancelLots', (service) => service.cancelLots({ saleId, cancellation: sampleLotsCancellation('1') })],
  ['readSale', (service) => service.readSale(saleId)],
  ['listSales', (service) => service.listSales({ limit: 1 })],
  ['listLots', (service) => service.listLots(saleId, { limit: 1 })],
  ['readAuction', (service) => service.readAuction(auctionId)],
  ['readAuctionAt', (service) => service.readAuctionAt(auctionId, 0)],
  ['readBid', (service) => service.readBid(v.parse(BidId, 1))],
  ['listAuctions', (service) => service.listAuctions({ limit: 1, order: 'newest' })],
  ['listBidsOfBidder', (service) => service.listBidsOfBidder(toUserId(2), { limit: 1 })],
  ['listBids', (service) => service.listBids(auctionId, { limit: 1 })],
  ['listEvents', (service) => service.listEvents(auctionId, { after: 0, limit: 1 })],
  ['listLotIds', (service) => service.listLotIds(saleId)],
  ['listRepairs', (service) => service.listRepairs(auctionId)],
  ['closeDue', (service) => service.closeDue()],
]

describe('a closed service', () => {
  test('is tested with every operation', () => {
    const names = Object.keys(createTestService()).filter(
      (name) => !['store', 'clock', 'close', 'backlog', 'watchAuction', 'watchSale', 'extend'].includes(name),
    )
    expect(operations.map(([name]) => name).toSorted()).toEqual(names.toSorted())
  })

  test.each(operations)('refuses %s without a store call', async (_name, call) => {
    const asked: string[] = []
    const store = new Proxy(createMemoryStore(), {
      get(target, operation, receiver) {
        asked.push(String(operation))
        return Reflect.get(target, operation, receiver)
      },
    })
    const service = createTestService({ store })
    await service.close()
    asked.length = 0
    const error = await call(service).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'service-closed', message: expect.stringContaining('nothing was changed') })
    expect(isServiceClosed(error)).toBe(true)
    expect(asked).toEqual([])
  })

  test('does not affect another service on the same store', async () => {
    const service = createTestService()
    const other = createTestService({ store: service.store })
    const auction = await createAuction(service)
    await service.close()
    expect(await outcomeOf(other.placeBid(newBid(auction, 2, 100)))).toBe('accepted')
  })
})

describe('closing a service', () => {
  test('resolves immediately without commands in flight, and leaves no timer', async () => {
    const clock = createSteppedClock(openTime)
    const service = createTestService({
      clock: {
        ...clock,
        after: () => {
          throw new Error('nothing is to be waited for')
        },
      },
    })
    await service.close()
    await service.close()
  })

  test('waits until a bid in flight is stored and confirmed', async () => {
    const store = createHeldStore(createMemoryStore())
    const { service, auction } = await serveAuction({}, { store })
    const placed = service.placeBid(newBid(auction, 2, 100))
    const append = await store.nextAppend()
    const behind = service.placeBid(newBid(auction, 3, 105))
    const closed = watched(service.close())
    await everythingSettled()
    expect(closed.isSettled).toBe(false)
    await append.release()
    expect(await outcomeOf(placed)).toBe('accepted')
    await (await store.nextAppend()).release()
    expect(await outcomeOf(behind)).toBe('accepted')
    await everythingSettled()
    expect(closed.isSettled).toBe(true)
    expect(await amountsOf(store, auction)).toEqual([100, 105])
  })

  test.each(operations.filter(([name]) => name !== 'placeBid' && name !== 'closeDue'))(
    'waits for %s',
    async (_name, call) => {
      const goOn = Promise.withResolvers<void>()
      const right = createMemoryStore()
      await createAuction(createTestService({ store: right }))
      const held = new Proxy(right, {
        get(target, operation, receiver) {
          const value: unknown = Reflect.get(target, operation, receiver)
          if (typeof value !== 'function') return value
          return (...values: unknown[]) => goOn.promise.then(() => value.apply(target, values))
        },
      })
      const service = createTestService({ store: held })
      const called = watched(call(service))
      const closed = watched(service.close())
      await everythingSettled()
      expect([called.isSettled, closed.isSettled]).toEqual([false, false])
      goOn.resolve()
      await everythingSettled()
      expect([called.isSettled, closed.isSettled]).toEqual([true, true])
    },
  )

  test.each([{ end: buy }, { end: cancel }])('waits for the agenda update after it must $end.name', async ({ end }) => {
    const goOn = Promise.withResolvers<void>()
    const right = createMemoryStore()
    await createAuction(createTestService({ store: right }), { buyNowPrice: 500 })
    const store: Store = { ...right, updateAgenda: (updates) => goOn.promise.then(() => right.updateAgenda(updates)) }
    const service = createTestService({ store })
    await end(service, auction)
    const closed = watched(service.close())
    await everythingSettled()
    expect(closed.isSettled).toBe(false)
    goOn.resolve()
    await everythingSettled()
    expect(closed.isSettled).toBe(true)
    expect((await right.listAuctions({ order: 'agenda', limit: 10 })).items).toEqual([])
  })

  test('ends closeDue after the closings in flight; the other auctions are still due', async () => {
    const right = createMemoryStore()
    const founder = createTestService({ store: right })
    const auctions = await Promise.all(Array.from({ length: 250 }, () => createAuction(founder)))
    const store = createHeldStore(right)
    const service = createTestService({ store })
    service.clock.set(dueTime)
    const report = service.closeDue()
    const append = await store.nextAppend()
    const closed = service.close()
    await append.release()
    void (async () => {
      for (;;) await (await store.nextAppend()).release()
    })()
    await closed
    const { closed: count, left } = await report
    expect(count).toBeGreaterThan(0)
    expect(count + left).toBeLessThanOrEqual(auctions.length)
    const ends = (await Promise.all(auctions.map((auction) => ledgerOf(right, auction)))).flat()
    expect(ends.length).toBe(count)
    const next = createTestService({ store: right })
    next.clock.set(dueTime)
    expect(await next.closeDue()).toEqual({ closed: auctions.length - count, left: 0 })
  })

  test('takes no longer than the deadline, whatever the store does', async () => {
    const right = createMemoryStore()
    const auction = await createAuction(createTestService({ store: right }))
    const clock = createSteppedClock(openTime)
    const service = createTestService({
      store: createUnreliableStore(right, { append: many('no-response') }),
      clock,
    })
    const placed = outcomeOf(service.placeBid(newBid(auction, 2, 100)))
    const closed = watched(service.close())
    await clock.pass(deadlineMs)
    expect(await placed).toBe('unknown')
    expect(closed.isSettled).toBe(true)
  })
})

const store = createMemoryStore()
const clock = createManualClock(openTime)

// Programs in JavaScript can pass these.
const incomplete: readonly (readonly [what: string, parts: unknown, named: string])[] = [
  ['nothing', undefined, 'store'],
  ['no store', { clock }, 'store'],
  ['the promise of a store', { store: Promise.resolve(store), clock }, 'store'],
  ['a store without an operation', { store: { ...store, findHeads: undefined }, clock }, 'findHeads'],
  ['no clock', { store }, 'clock'],
  ['a date instead of a clock', { store, clock: new Date(0) }, 'nowMs'],
  ['a clock without timers', { store, clock: { nowMs: clock.nowMs } }, 'after'],
]

test.each(incomplete)('a service cannot be created from %s', (_, parts, named) => {
  const attempt = () => createAuctionService(parts as AuctionServiceParts) // The cast: it must be refused at runtime.
  expect(attempt).toThrow(TypeError)
  expect(attempt).toThrow(named)
})
