import { createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { createSafeObserver, type Observer, type StoreOperation } from '../src/observer.ts'
import type { AuctionServiceParts } from '../src/service.ts'
import { isStoreUnavailable, UnreadableStoredError } from '../src/store/errors.ts'
import type { Store } from '../src/store/store.ts'
import { unwrap } from '../src/values/result.ts'
import { createSteppedClock, everythingSettled } from './support/clocks.ts'
import {
  codeOf,
  createAuction,
  createTestService,
  endTime,
  keyOf,
  newBid,
  openTime,
  outcomeOf,
  storeWith,
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

describe('a write whose answer is lost', () => {
  const conflict = { outcome: 'conflict', stored: 0 }
  const stored = { outcome: 'stored' }
  test.each<{
    readonly title: string
    readonly fault: CallOutcomes['append']
    readonly settled: readonly string[]
    readonly appends: readonly unknown[]
  }>([
    { title: 'found', fault: ['lost-after-storing'], settled: ['found'], appends: ['failed'] },
    { title: 'sent again', fault: ['lost-before-storing'], settled: ['sent-again'], appends: ['failed', stored] },
    {
      title: 'sent again and then found, if the first try arrives late',
      fault: ['arrives-late'],
      settled: ['sent-again', 'found'],
      appends: ['failed', conflict],
    },
    {
      title: 'given up, after the last try',
      fault: many('lost-before-storing'),
      settled: ['sent-again', 'sent-again', 'given-up'],
      appends: ['failed', 'failed', 'failed'],
    },
  ])('is reported as $title', async ({ fault = [], settled, appends }) => {
    const { service, auction, of } = await createObservedService({ append: fault })
    await outcomeOf(service.placeBid(newBid(auction, 2, 100)))
    expect(of('unknown outcome')).toEqual(settled.map((how) => [{ what: 'entries', settled: how, count: 1 }]))
    expect(of('append ended').map(([end]) => end)).toEqual(appends)
  })

  test.each<{ readonly title: string; readonly faults: CallOutcomes; readonly settled: readonly string[] }>([
    { title: 'found', faults: { insertAuction: ['lost-after-storing'] }, settled: ['found'] },
    { title: 'sent again', faults: { insertAuction: ['lost-before-storing'] }, settled: ['sent-again'] },
    {
      title: 'given up',
      faults: { insertAuction: many('lost-before-storing') },
      settled: ['sent-again', 'sent-again', 'given-up'],
    },
  ])('of an auction is reported as $title', async ({ faults, settled }) => {
    const { service, of } = await createObservedService(faults)
    await outcomeOf(createAuction(service).then((value) => ({ ok: true, value })))
    expect(of('unknown outcome')).toEqual(settled.map((how) => [{ what: 'auction', settled: how, count: 1 }]))
  })
})

describe('store calls', () => {
  test('are reported with their operation, start and end', async () => {
    const { service, auction, reports } = await createObservedService()
    unwrap(await service.readAuction(auction.id))
    expect(reports).toEqual([
      ['call', 'findAuction'],
      ['call', 'findHeads'],
      ['call ended', 'findAuction'],
      ['call ended', 'findHeads'],
    ])
  })

  test('that fail are reported once, and each retry separately', async () => {
    const { service, auction, of } = await createObservedService({ listEntries: many('lost-before-storing') })
    await expect(service.listBids(auction.id, { limit: 1 })).rejects.toSatisfy(isStoreUnavailable)
    expect(of('retry')).toEqual([['listEntries'], ['listEntries']])
    expect(of('call failed')).toEqual([['listEntries', expect.toSatisfy(isStoreUnavailable)]])
  })

  test('that succeed at the second try are not reported as failed', async () => {
    const { service, auction, of } = await createObservedService({ findAuction: ['lost-before-storing'] })
    unwrap(await service.readAuction(auction.id))
    expect(of('retry')).toEqual([['findAuction']])
    expect(of('call failed')).toEqual([])
  })

  test('that return an impossible value are reported as failed', async () => {
    const { observer, reports } = createRecordingObserver()
    const store = storeWith(() => ({ claimNextIdBlock: async () => 0 })) // An impossible value.
    const service = createTestService({ store, observer })
    await expect(createAuction(service)).rejects.toThrow(TypeError)
    expect(reports).toContainEqual(['call failed', 'claimNextIdBlock', expect.any(TypeError)])
  })

  test('that time out are reported as failed, and so is the command that waits for them', async () => {
    const { observer, reports } = createRecordingObserver()
    const clock = createSteppedClock(openTime)
    const right = createMemoryStore()
    const auction = await createAuction(createTestService({ store: right }))
    const store = createUnreliableStore(right, { append: many('never-answered') })
    const service = createTestService({ store, clock, observer })
    const outcome = outcomeOf(service.placeBid(newBid(auction, 2, 100)))
    await clock.pass(10_000)
    expect(await outcome).toBe('unknown')
    expect(reports).toContainEqual(['call failed', 'append', expect.toSatisfy(isStoreUnavailable)])
    expect(reports.filter(([part]) => part === 'deadline')).toEqual([['deadline', 'unknown']])
  })
})

test('a creation that times out is reported with its outcome', async () => {
  const { observer, reports } = createRecordingObserver()
  const clock = createSteppedClock(openTime)
  const silent = { insertAuction: many('never-answered'), findAuction: many('never-answered') }
  const store = createUnreliableStore(createMemoryStore(), silent)
  const service = createTestService({ store, clock, observer, limits: { deadlineMs: 20 } })
  const outcome = outcomeOf(createAuction(service).then((value) => ({ ok: true, value })))
  await clock.pass(20)
  expect(await outcome).toBe('unknown')
  expect(reports.filter(([part]) => part === 'deadline')).toEqual([['deadline', 'unknown']])
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

test('an unreadable auction on the agenda is reported', async () => {
  const { observer, reports } = createRecordingObserver()
  const unreadable = new UnreadableStoredError('auction', { id: 7 }, 'no currency')
  const store = storeWith(() => ({
    listAuctions: async () => ({ items: [], unreadable: [unreadable], next: undefined }),
  }))
  expect(await createTestService({ store, observer }).closeDue()).toEqual({ closed: 0, left: 0 })
  expect(reports).toContainEqual(['unreadable', unreadable])
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
      onClosed: failing,
    }
    const store = createUnreliableStore(createMemoryStore(), {
      insertAuction: ['lost-after-storing'],
      findAuction: ['lost-before-storing'],
      append: ['lost-before-storing'],
    })
    const service = createTestService({ store, observer })
    const auction = await createAuction(service)
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('accepted')
    await createTestService({ store }).placeBid(newBid(auction, 3, 105))
    expect(codeOf(await service.placeBid(newBid(auction, 2, 110)))).toBe('accepted')
    service.clock.set(endTime)
    service.clock.advance(2_000)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
  })

  test('still receives every event', () => {
    let calls = 0
    const count = () => {
      calls += 1
      return failing()
    }
    const safe = createSafeObserver({ onDeadline: count, onStoreCall: count })
    safe.onDeadline('unknown')
    safe.onStoreCall('append')({ cause: undefined })
    safe.onStoreRetry('append')
    expect(calls).toBe(2)
  })
})

/** The events that an observer received, in order: the part and its arguments. Ends are recorded apart from their starts. */
type Report = readonly [part: string, ...values: unknown[]]

type Recording = {
  readonly observer: Required<Observer>
  readonly reports: readonly Report[]
  /** The ids of the entries of each append. */
  readonly appends: readonly (readonly number[])[]
}

/** An observer that records its events. */
function createRecordingObserver(): Recording {
  const reports: Report[] = []
  const appends: (readonly number[])[] = []
  const observer: Required<Observer> = {
    onAppend({ entries }) {
      appends.push(entries.map(({ id }) => id))
      return (end) => reports.push(['append ended', end.outcome === 'failed' ? end.outcome : end])
    },
    onStoreCall(operation) {
      reports.push(['call', operation])
      return (error) => {
        reports.push([error === undefined ? 'call ended' : 'call failed', operation, ...(error ? [error.cause] : [])])
      }
    },
    onStoreRetry: (operation) => reports.push(['retry', operation]),
    onConflict: (conflict) => reports.push(['conflict', conflict]),
    onUnknownOutcome: (settled) => reports.push(['unknown outcome', settled]),
    onDeadline: (outcome) => reports.push(['deadline', outcome]),
    onUnreadable: (error) => reports.push(['unreadable', error]),
    onClosed: (closing) => reports.push(['closed', closing]),
  }
  return { observer, reports, appends }
}
