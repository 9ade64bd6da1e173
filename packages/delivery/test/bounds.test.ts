import { pause } from '@auction/domain/extension'
import type { AuctionId } from '@auction/domain/ids'
import { expect, test } from 'vitest'
import { createSteppedClock } from '../../domain/test/support/clocks.ts'
import { auctionIdOf, createAuction, newBid, noResponse, openTime } from '../../domain/test/support/service.ts'
import { createCheckpointKeeper } from '../src/checkpoint-keeper.ts'
import type { Checkpoints } from '../src/checkpoints.ts'
import { createCursor } from '../src/cursor.ts'
import { createDeliveryQueue, type DeliveryQueue, maxPending, maxPendingOfNew } from '../src/delivery-queue.ts'
import { createSafeDeliveryObserver } from '../src/observer.ts'
import { eventsPerPage } from '../src/read-events.ts'
import { maxDeliveries } from '../src/subscriber.ts'
import { createWalk, walkMs, wholeMs } from '../src/walk.ts'
import { createTestStore, startServer } from './support/server.ts'
import { createTestSubscriber, keyOfEvent, ok, refusal } from './support/subscriber.ts'

const all = (last: number) => ({ first: undefined, last })
const correctedAt = (auctionId: AuctionId, sequence: number, atMs = 0) =>
  ({ type: 'corrected', auctionId, sequence, atMs, fields: ['title'] }) as const

/** A queue of auctions with one event each, without a store. */
function createQueue(onRead: () => void = () => undefined) {
  const clock = createSteppedClock(openTime)
  const keeper = createCheckpointKeeper(createTestStore().checkpoints, clock)
  const subscriber = createTestSubscriber()
  const queue = createDeliveryQueue(subscriber, {
    clock,
    keeper,
    observer: createSafeDeliveryObserver(undefined),
    async readEvents(auctionId, after) {
      onRead()
      const event = correctedAt(auctionId, 1, clock.nowMs())
      return { items: after < 1 ? [event] : [], position: 1, isAtHead: true, isOver: false }
    },
  })
  return { clock, subscriber, queue }
}

test('a queue holds a bounded number of auctions, and reports that it left others out when it may have room', async () => {
  const { clock, subscriber, queue } = createQueue()
  subscriber.react(() => refusal)
  const added = Array.from({ length: maxPending + 10 }, (_, index) => queue.add(auctionIdOf(index + 1), all(1)))
  expect(added.filter(Boolean).length).toBe(maxPending)
  expect(queue.hasBacklog()).toBe(true)
  await clock.pass(1)
  // In an outage, more would not help.
  expect([queue.hasBacklog(), queue.takeLeftOut(), queue.status().pending]).toEqual([false, false, maxPending])
  subscriber.react(() => ok)
  await clock.pass(2_000)
  expect([queue.takeLeftOut(), queue.takeLeftOut(), queue.status().pending]).toEqual([true, false, 0])
  expect(new Set(subscriber.received.map(keyOfEvent)).size).toBe(maxPending)
})

test('a full queue has room for events that were just stored, unless there is an outage', async () => {
  const { clock, subscriber, queue } = createQueue()
  let isHeld = true
  subscriber.react(() => (isHeld ? new Promise<never>(() => undefined) : ok))
  const addAll = (from: number, range: Parameters<typeof queue.add>[1]) =>
    Array.from({ length: maxPending }, (_, index) => queue.add(auctionIdOf(from + index), range)).filter(Boolean).length
  expect(addAll(1, all(1))).toBe(maxPending)
  expect(addAll(1 + maxPending, all(1))).toBe(0)
  expect(addAll(1 + maxPending, { first: 0, last: 1 })).toBe(maxPendingOfNew - maxPending)
  expect(queue.add(auctionIdOf(1 + maxPendingOfNew), { first: 0, last: 1 })).toBe(false)
  isHeld = false
  // The held attempts fail at their time limit.
  await clock.pass(60_000)
  expect(queue.status().pending).toBe(0)
})

test('a new event waits for one page of each auction that has a backlog', async () => {
  const clock = createSteppedClock(openTime)
  const service = startServer({ clock })
  const subscriber = createTestSubscriber()
  service.subscribe(subscriber)
  const [auctions, bids] = [2 * maxDeliveries, 4 * eventsPerPage]
  let isHeld = true
  subscriber.react(async () => {
    if (isHeld) return refusal
    await pause(clock, 5)
    return ok
  })
  for (let count = 0; count < auctions; count++) {
    const auction = await createAuction(service)
    for (let bid = 0; bid < bids; bid++) await service.placeBid(newBid(auction, 2 + (bid % 2), 100 + 10 * bid))
  }
  await clock.pass(0)
  isHeld = false
  while (subscriber.received.length < auctions) await clock.pass(5)
  const before = subscriber.received.length
  const auction = await createAuction(service)
  await clock.pass(60_000)
  const position = subscriber.received.findIndex(({ auctionId }) => auctionId === auction.id)
  expect(position - before).toBeGreaterThan(0)
  expect(position - before).toBeLessThanOrEqual((auctions + maxDeliveries) * eventsPerPage)
  expect(new Set(subscriber.received.map(keyOfEvent)).size).toBe(auctions * (bids + 1) + 1)
})

test('a queue does not read again and again if the store does not show a stored entry', async () => {
  let reads = 0
  const { clock, queue, subscriber } = createQueue(() => {
    reads += 1
  })
  queue.add(auctionIdOf(1), all(2))
  await clock.pass(20_000)
  expect(subscriber.received.length).toBe(1)
  expect(reads).toBe(6)
})

test('a bounded number of positions waits to be saved', async () => {
  const clock = createSteppedClock(openTime)
  const right = createTestStore().checkpoints
  let isAway = true
  let saved = 0
  const checkpoints: Checkpoints = {
    ...right,
    async save(some) {
      if (isAway) throw noResponse()
      saved += some.length
    },
  }
  const keeper = createCheckpointKeeper(checkpoints, clock)
  for (let id = 1; id <= 20_100; id++) keeper.note({ auctionId: auctionIdOf(id), name: 'mails', sequence: 1 })
  await clock.pass(5_000)
  isAway = false
  await clock.pass(1_000)
  expect(saved).toBe(20_000)
})

/** A walk over a store with 250 auctions, and a queue that takes what it finds. */
async function walking(queue: Partial<Pick<DeliveryQueue, 'hasBacklog' | 'takeLeftOut'>>) {
  const clock = createSteppedClock(openTime)
  const store = createTestStore()
  const service = startServer({ store, clock })
  for (let auctions = 0; auctions < 250; auctions++) await createAuction(service)
  const found: number[] = []
  const add: DeliveryQueue['add'] = (auctionId) => {
    found.push(auctionId)
    return true
  }
  const walk = createWalk({
    store,
    checkpoints: store.checkpoints,
    clock,
    queues: new Map([['mails', { add, hasBacklog: () => false, takeLeftOut: () => false, ...queue }]]),
    observer: createSafeDeliveryObserver(undefined),
  })
  walk.start()
  return { clock, walk, found }
}

test('a walk waits while a queue has a backlog', async () => {
  let hasBacklog = false
  const { clock, found } = await walking({ hasBacklog: () => hasBacklog })
  hasBacklog = true
  await clock.pass(10_000)
  expect(found.length).toBe(0)
  hasBacklog = false
  await clock.pass(1_000)
  expect(found.length).toBe(250)
})

test('a walk follows the previous one after a minute, or soon if a queue left auctions out', async () => {
  let isLeftOut = true
  const takeLeftOut = () => {
    const was = isLeftOut
    isLeftOut = false
    return was
  }
  const { clock, walk, found } = await walking({ takeLeftOut })
  await clock.pass(500)
  expect(found.length).toBe(250)
  clock.advance(walkMs)
  await clock.pass(1_500)
  expect(found.length).toBe(500)
  await clock.pass(walkMs - 3_000)
  expect(found.length).toBe(500)
  await clock.pass(3_000)
  expect(found.length).toBe(750)
  void walk.stop()
  await clock.pass(10 * walkMs)
  expect(found.length).toBe(750)
})

/** A walk over many auctions with checkpoints, in a store whose reads take 2 ms. */
async function walkingLong(pages: number) {
  const clock = createSteppedClock(openTime)
  const right = createTestStore()
  const service = startServer({ store: right, clock })
  await createAuction(service)
  const [item] = (await right.listAuctions({ order: 'agenda', limit: 1 })).items
  if (item === undefined) throw new Error('the auction is on the agenda')
  const reads: string[] = []
  async function read<Value>(what: string, value: Value): Promise<Value> {
    reads.push(what)
    clock.advance(2)
    return value
  }
  const walk = createWalk({
    store: {
      ...right,
      listAuctions({ order, after }) {
        const number = after?.id ?? 1
        const position = { order, timeMs: clock.nowMs() - number * walkMs, id: auctionIdOf(number + 1) }
        return read(order, { items: [item], next: number < pages ? position : undefined })
      },
    },
    checkpoints: {
      ...right.checkpoints,
      find: async () => [{ auctionId: item.auction.id, name: 'mails', sequence: 0 }],
      list: () => read('checkpoints', []),
    },
    clock,
    queues: new Map([['mails', { add: () => true, hasBacklog: () => false, takeLeftOut: () => false }]]),
    observer: createSafeDeliveryObserver(undefined),
  })
  walk.start()
  return { clock, walk, reads }
}

test('a walk takes a fifth of the time, and most pass only new auctions', async () => {
  const pages = 2_000
  const { clock, walk, reads } = await walkingLong(pages)
  await clock.pass(7 * pages)
  expect(reads.length).toBeGreaterThan(0.8 * pages)
  expect(new Set(reads)).toEqual(new Set(['agenda']))
  await clock.pass(1.1 * pages)
  expect(reads.splice(0)).toEqual([...Array.from({ length: pages }, () => 'agenda'), 'checkpoints'])
  await clock.pass(2 * walkMs)
  const newest = reads.filter((read) => read === 'newest').length
  expect(newest).toBeGreaterThan(10)
  expect(newest).toBeLessThan(40)
  expect(reads).not.toContain('agenda')
  await clock.pass(wholeMs)
  expect(reads).toContain('agenda')
  void walk.stop()
})

test('events that servers stored alternately need a bounded number of ranges and reads while they wait', async () => {
  const clock = createSteppedClock(openTime)
  const auctionId = auctionIdOf(1)
  let reads = 0
  let position = 0
  const cursor = createCursor(
    auctionId,
    { first: 1, last: 1 },
    {
      name: 'mails',
      isWanted: () => true,
      isOut: () => false,
      clock,
      keeper: {
        async read() {
          reads += 1
          return position
        },
        note: ({ sequence }) => {
          position = sequence
        },
        noteShared: () => undefined,
      },
      readEvents: async (_, after) => {
        const items = Array.from({ length: 50 }, (_, index) => correctedAt(auctionId, after + index + 1))
        return { items, position: after + 50, isAtHead: false, isOver: false }
      },
    },
  )
  for (let sequence = 3; sequence <= 10_001; sequence += 2) cursor.add({ first: sequence, last: sequence })
  clock.advance(60_000)
  const delivered: number[] = []
  for (let next = await cursor.next(); next.type !== 'finished'; next = await cursor.next()) {
    if (next.type === 'pause') clock.advance(next.pauseMs)
    if (next.type !== 'event') continue
    delivered.push(next.event.sequence)
    cursor.pass(next.event)
  }
  expect(delivered).toEqual(Array.from({ length: 10_001 }, (_, index) => index + 1))
  // One for each late page of 50 events, and some for each range.
  expect(reads).toBeLessThan(10_000 / 50 + 150)
})

test('a slow store receives positions of shared auctions in one save at a time, and the last ones soon', async () => {
  const clock = createSteppedClock(openTime)
  const right = createTestStore().checkpoints
  const key = { auctionId: auctionIdOf(1), name: 'mails' }
  let saving = 0
  let mostSaving = 0
  const checkpoints: Checkpoints = {
    ...right,
    async save(some) {
      saving += 1
      mostSaving = Math.max(mostSaving, saving)
      await pause(clock, 400)
      saving -= 1
      await right.save(some)
    },
  }
  const keeper = createCheckpointKeeper(checkpoints, clock)
  keeper.noteShared()
  for (let sequence = 1; sequence <= 40; sequence++) {
    keeper.note({ ...key, sequence })
    await clock.pass(30)
  }
  expect(mostSaving).toBe(1)
  await clock.pass(900)
  expect(await right.find([key.auctionId])).toEqual([{ ...key, sequence: 40 }])
})

test('a position that the store has lost is saved again after it was read', async () => {
  const clock = createSteppedClock(openTime)
  const { checkpoints } = createTestStore()
  const keeper = createCheckpointKeeper(checkpoints, clock)
  const key = { auctionId: auctionIdOf(1), name: 'mails' }
  keeper.note({ ...key, sequence: 5 })
  await keeper.flush()
  await checkpoints.remove([key])
  expect(await keeper.read(key, 6)).toBe(5)
  await clock.pass(1_000)
  expect(await checkpoints.find([key.auctionId])).toEqual([{ ...key, sequence: 5 }])
})
