import { createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Observer, StoreOperation } from '../src/observer.ts'
import type { AuctionServiceParts } from '../src/service.ts'
import { isStoreUnavailable } from '../src/store/errors.ts'
import type { Store } from '../src/store/store.ts'
import { unwrap } from '../src/values/result.ts'
import { createSteppedClock, everythingSettled } from './support/clocks.ts'
import { createRecordingObserver } from './support/observer.ts'
import {
  codeOf,
  createAuction,
  createTestService,
  endTime,
  keyOf,
  newAuction,
  newBid,
  openTime,
  outcomeOf,
  serveAuction,
} from './support/service.ts'
import { type CallOutcomes, createHeldStore, createUnreliableStore, many } from './support/stores.ts'

/** An observed service over a store that already contains auctions, and whose operations then fail as given. */
async function createObservedService(faults: CallOutcomes = {}, auctionCount = 1) {
  const right = createMemoryStore()
  const founder = createTestService({ store: right })
  const auctions = await Promise.all(Array.from({ length: auctionCount }, () => createAuction(founder)))
  const { observer, reports, appends } = createRecordingObserver()
  const service = createTestService({ store: createUnreliableStore(right, faults), observer })
  const [auction] = auctions
  if (auction === undefined) throw new RangeError('the auction count must be positive')
  const of = (part: string) => reports.filter(([name]) => name === part).map(([, ...values]) => values)
  return { right, founder, service, auction, auctions, reports, appends, of }
}

describe('the types', () => {
  test('make every part of an observer optional, and include every required operation of the store', () => {
    expectTypeOf<Record<never, never>>().toExtend<Observer>()
    expectTypeOf<AuctionServiceParts['observer']>().toEqualTypeOf<Observer | undefined>()
    expectTypeOf<StoreOperation>().toEqualTypeOf<Exclude<keyof Store, 'appendedSince' | 'partOf'>>()
  })
})

describe('appends', () => {
  test('are reported with their entries, of one auction each, and their result', async () => {
    const { service, auctions, appends, of } = await createObservedService({}, 4)
    const placed = await Promise.all(
      auctions.flatMap((auction) => [100, 105].map((amount) => service.placeBid(newBid(auction, 2, amount)))),
    )
    const bids = placed.map(unwrap)
    const auctionOf = new Map<number, number>(bids.map(({ id, auctionId }) => [id, auctionId]))
    const byId = (a: number, b: number) => a - b
    expect(appends.flat().toSorted(byId)).toEqual(bids.map(({ id }) => id).toSorted(byId))
    for (const ids of appends) expect(new Set(ids.map((id) => auctionOf.get(id))).size).toBe(1)
    expect(of('append ended')).toEqual(appends.map(() => [{ outcome: 'stored' }]))
    expect(of('unknown outcome')).toEqual([])
  })

  test('that lose to another process are reported as conflicts, and so are commands that are decided again', async () => {
    const { founder, service, auction, of } = await createObservedService()
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('accepted')
    expect(codeOf(await founder.placeBid(newBid(auction, 3, 105)))).toBe('accepted')
    expect(codeOf(await service.placeBid(newBid(auction, 2, 110)))).toBe('accepted')
    expect(of('append ended').map(([end]) => end)).toEqual([
      { outcome: 'stored' },
      { outcome: 'conflict', stored: 0 },
      { outcome: 'stored' },
    ])
    expect(of('conflict')).toEqual([[{ over: 'sequence', commands: 1 }]])
  })

  test('whose request key was used by another process are reported as conflicts over the key', async () => {
    const { founder, service, auction, of } = await createObservedService({}, 1)
    const other = await createAuction(founder)
    await founder.placeBid(newBid(other, 2, 100), keyOf('once'))
    const placed = [100, 105, 110, 115].map((amount) =>
      service.placeBid(newBid(auction, 2, amount), amount === 110 ? keyOf('once') : undefined),
    )
    const codes = ['accepted', 'accepted', 'idempotency-key-reused', 'accepted']
    expect((await Promise.all(placed)).map(codeOf)).toEqual(codes)
    // The bid of 105 is stored.
    expect(of('conflict')).toEqual([[{ over: 'request-key', commands: 2 }]])
  })
})

describe('a write whose response is lost', () => {
  const conflict = { outcome: 'conflict', stored: 0 }
  const stored = { outcome: 'stored' }
  type Row = {
    readonly title: string
    readonly fault: CallOutcomes['append']
    readonly settled: readonly string[]
    readonly appends: readonly unknown[]
  }
  const rows: readonly Row[] = [
    { title: 'found', fault: ['lost-after-storing'], settled: ['found'], appends: ['failed'] },
    { title: 'sent again', fault: ['lost-before-storing'], settled: ['sent-again'], appends: ['failed', stored] },
    {
      title: 'given up, after the last try',
      fault: many('lost-before-storing'),
      ...{ settled: ['sent-again', 'sent-again', 'given-up'], appends: ['failed', 'failed', 'failed'] },
    },
    {
      title: 'sent again and then found, if the first try arrives late',
      ...{ fault: ['arrives-late'], settled: ['sent-again', 'found'], appends: ['failed', conflict] },
    },
  ]

  test.each(rows)('is reported as $title', async ({ fault = [], settled, appends }) => {
    const { service, auction, of } = await createObservedService({ append: fault })
    await outcomeOf(service.placeBid(newBid(auction, 2, 100)))
    expect(of('unknown outcome')).toEqual(settled.map((how) => [{ what: 'entries', settled: how, count: 1 }]))
    expect(of('append ended').map(([end]) => end)).toEqual(appends)
  })

  test.each(rows.slice(0, 3))('of an auction is reported as $title', async ({ fault = [], settled }) => {
    const { service, of } = await createObservedService({ insertAuction: fault })
    await outcomeOf(service.createAuction(newAuction()))
    expect(of('unknown outcome')).toEqual(settled.map((how) => [{ what: 'auction', settled: how, count: 1 }]))
  })
})

describe('store calls', () => {
  test('that fail are reported once, and each retry separately', async () => {
    const { service, auction, of } = await createObservedService({ listEntries: many('lost-before-storing') })
    await expect(service.listBids(auction.id, { limit: 1 })).rejects.toSatisfy(isStoreUnavailable)
    expect(of('retry')).toEqual([['listEntries'], ['listEntries']])
    expect(of('call failed')).toEqual([['listEntries', expect.toSatisfy(isStoreUnavailable)]])
    expect(of('call')).toEqual([['findAuction'], ['findHeads'], ['listEntries']])
    expect(of('call ended')).toEqual([['findAuction'], ['findHeads']])
  })

  test('that time out are reported as failed, and so is the command that waits for them', async () => {
    const { observer, reports } = createRecordingObserver()
    const clock = createSteppedClock(openTime)
    const right = createMemoryStore()
    const auction = await createAuction(createTestService({ store: right }))
    const hanging = many('no-response')
    const faults = { append: hanging, insertAuction: hanging, findAuction: ['none', ...hanging] } as const
    const service = createTestService({ store: createUnreliableStore(right, faults), clock, observer })
    const bid = outcomeOf(service.placeBid(newBid(auction, 2, 100)))
    const creation = outcomeOf(service.createAuction(newAuction()))
    await clock.pass(10_000)
    expect([await bid, await creation]).toEqual(['unknown', 'unknown'])
    expect(reports).toContainEqual(['call failed', 'append', expect.toSatisfy(isStoreUnavailable)])
    const late = reports.filter(([part]) => part === 'deadline')
    expect(late).toEqual(['unknown', 'unknown'].map((outcome) => ['deadline', outcome]))
  })
})

describe('closings', () => {
  test('are reported by the process that records them, with their delay', async () => {
    const { founder, service, auction, of } = await createObservedService()
    service.clock.set(endTime)
    service.clock.advance(2_000 + 750)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
    expect(of('closed')).toEqual([[{ auctionId: auction.id, lateMs: 750 }]])
    founder.clock.set(endTime)
    founder.clock.advance(60_000)
    expect(await founder.closeDue()).toEqual({ closed: 0, left: 0 })
    expect(of('closed')).toHaveLength(1)
  })

  test('that fail are in the backlog, with the time since they are due', async () => {
    const { service, auctions } = await createObservedService({ append: many('lost-before-storing') }, 3)
    expect(service.backlog()).toMatchObject({ closingsDue: 0, longestDueMs: 0 })
    service.clock.set(endTime)
    service.clock.advance(2_000)
    expect(await service.closeDue()).toEqual({ closed: 0, left: 3 })
    service.clock.advance(5_000)
    expect(service.backlog()).toMatchObject({ closingsDue: auctions.length, longestDueMs: 5_000 })
  })
})

test('due auctions stay in the backlog while the agenda is read, and if that fails', async () => {
  const right = createMemoryStore()
  await createAuction(createTestService({ store: right }))
  const stalled = Promise.withResolvers<never>()
  let isStalled = false
  const store = createUnreliableStore(right, { append: many('lost-before-storing') })
  const service = createTestService({
    store: {
      ...store,
      async listAuctions(query) {
        return isStalled ? stalled.promise : store.listAuctions(query)
      },
    },
  })
  service.clock.set(endTime)
  service.clock.advance(2_000)
  expect(await service.closeDue()).toEqual({ closed: 0, left: 1 })
  isStalled = true
  const failing = service.closeDue()
  service.clock.advance(3_000)
  const due = { closingsDue: 1, longestDueMs: 3_000 }
  expect(service.backlog()).toMatchObject(due)
  stalled.reject(new TypeError('a list that fails'))
  await expect(failing).rejects.toThrow('a list that fails')
  expect(service.backlog()).toMatchObject(due)
})

test('the backlog contains waiting commands, commands in flight, and lanes', async () => {
  const right = createMemoryStore()
  const founder = createTestService({ store: right })
  const auctions = await Promise.all([createAuction(founder), createAuction(founder)])
  const store = createHeldStore(right)
  const service = createTestService({ store })
  const empty = { commands: 0, lanes: 0, longestLane: 0, closingsDue: 0, longestDueMs: 0 }
  expect(service.backlog()).toEqual(empty)
  const [first, second] = auctions
  const placed = [service.placeBid(newBid(first, 2, 100)), service.placeBid(newBid(second, 2, 100))]
  const append = await store.nextAppend()
  for (const amount of [105, 110, 115]) placed.push(service.placeBid(newBid(first, 2, amount)))
  expect(service.backlog()).toEqual({ ...empty, commands: 5, lanes: 2, longestLane: 3 })
  await append.release()
  for (const _later of ['second', 'the rest of the first']) void (await store.nextAppend()).release()
  expect((await Promise.all(placed)).map(codeOf)).toEqual(Array.from({ length: 5 }, () => 'accepted'))
  await everythingSettled()
  expect(service.backlog()).toEqual(empty)
})

describe('an observer that throws', () => {
  const failing = () => {
    throw new Error('an observer that is broken')
  }
  const failingAtEnd = () => failing

  test.each<{
    readonly title: string
    readonly start: NonNullable<Observer['onAppend']> & NonNullable<Observer['onStoreCall']>
  }>([
    { title: 'at the start', start: failing },
    { title: 'at the end', start: failingAtEnd },
  ])('$title does not affect what it observes', async ({ start }) => {
    const observer: Required<Observer> = {
      onAppend: start,
      onStoreCall: start,
      onStoreRetry: failing,
      onConflict: failing,
      onUnknownOutcome: failing,
      onDeadline: failing,
      onUnreadable: failing,
      onBidsUnopened: failing,
      onClosed: failing,
    }
    const store = createUnreliableStore(createMemoryStore(), {
      insertAuction: ['lost-after-storing'],
      findAuction: ['lost-before-storing'],
      append: ['lost-before-storing'],
    })
    const { service, auction } = await serveAuction({}, { store, observer })
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('accepted')
    await createTestService({ store }).placeBid(newBid(auction, 3, 105))
    expect(codeOf(await service.placeBid(newBid(auction, 2, 110)))).toBe('accepted')
    service.clock.set(endTime)
    service.clock.advance(2_000)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
  })
})
