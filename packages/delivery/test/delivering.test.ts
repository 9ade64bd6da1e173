import { unwrap } from '@auction/domain/result'
import { sampleCancellation, sampleCorrection, sampleNewBid } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { createSteppedClock, everythingSettled } from '../../domain/test/support/clocks.ts'
import { createAuction, endTime, newBid, openTime } from '../../domain/test/support/service.ts'
import { createCountingStore } from '../../domain/test/support/stores.ts'
import { createDelivery, type DeliveryParts } from '../src/delivery.ts'
import { maxDeliveries } from '../src/subscriber.ts'
import { keepMs, walkMs } from '../src/walk.ts'
import { createTestStore, savedIn, savingBy, startServer, subscribed, type TestStore } from './support/server.ts'
import { createTestSubscriber, ok, refusal } from './support/subscriber.ts'

/** Services over one store and clock, as servers have them. */
function createServers(store: TestStore = createTestStore()) {
  const clock = createSteppedClock(openTime)
  const start = () => startServer({ store, clock })
  return { store, clock, start }
}

describe('a subscriber', () => {
  test('receives the events of an auction from its creation to its end, in order, without secrets', async () => {
    const { service, subscriber, clock } = subscribed()
    const auction = await createAuction(service, { reservePrice: 500, title: 'A desk', description: 'Long.' })
    unwrap(await service.placeBid(sampleNewBid({ auctionId: auction.id, maximumAmount: 300 })))
    unwrap(await service.placeBid(newBid(auction, 3, 200)))
    await clock.pass(0)
    clock.set(endTime)
    clock.advance(2_000)
    await service.closeDue()
    await clock.pass(1_000)
    expect(subscriber.received.map(({ type, sequence }) => [sequence, type])).toEqual([
      [0, 'created'],
      [1, 'bids'],
      [2, 'bids'],
      [3, 'ended'],
    ])
    const { reservePriceMinor: _, description: __, ...shown } = auction
    expect(subscriber.received[0]).toEqual({
      type: 'created',
      auctionId: auction.id,
      sequence: 0,
      atMs: auction.createdAtMs,
      auction: shown,
    })
    const text = JSON.stringify(subscriber.received)
    expect(text).not.toContain('50000')
    expect(text).not.toContain('30000')
    expect(text).not.toMatch(/reservePrice|maximum/i)
  })

  test('receives at once what is stored at any moment of the delivery before it', async () => {
    for (let microtasks = 0; microtasks < 100; microtasks++) {
      const { service, subscriber } = subscribed()
      const auction = await createAuction(service)
      await everythingSettled()
      subscriber.react(async ({ sequence }) => {
        if (sequence === 1) void service.placeBid(newBid(auction, 3, 110))
        for (let pause = 0; pause < microtasks; pause++) await undefined
        return ok
      })
      unwrap(await service.placeBid(newBid(auction, 2, 100)))
      await everythingSettled()
      expect(subscriber.keys(), `${microtasks} microtasks`).toEqual(['1/0', '1/1', '1/2'])
    }
  })

  test('receives an event of the same service without a read of the store, as all subscribers do', async () => {
    const right = createTestStore()
    const { store, calls } = createCountingStore(right)
    const { store: checkpoints, calls: ofCheckpoints } = createCountingStore(right.checkpoints)
    const { service, subscriber, clock } = subscribed({ ...store, checkpoints })
    const others = Array.from({ length: 9 }, (_, index) => createTestSubscriber({ name: `other-${index}` }))
    for (const other of others) service.subscribe(other)
    const auction = await createAuction(service)
    // The positions are saved.
    await clock.pass(2_000)
    for (const made of [calls, ofCheckpoints]) made.length = 0
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    await everythingSettled()
    expect(new Set([subscriber, ...others].map(({ keys }) => keys().join()))).toEqual(new Set(['1/0,1/1']))
    expect(calls).toEqual(['claimNextIdBlock', 'append'])
    expect(ofCheckpoints).toEqual([])
  })

  test('shares the reads of what is not in memory with the other subscribers', async () => {
    const { store, calls } = createCountingStore(createTestStore())
    const { service, subscriber } = subscribed(store)
    for (let number = 2; number <= 10; number++) service.subscribe(createTestSubscriber({ name: `other-${number}` }))
    await everythingSettled()
    calls.length = 0
    await createAuction(service)
    await everythingSettled()
    expect(subscriber.keys()).toEqual(['1/0'])
    const reads = calls.filter((call) => /^(find|list)/.test(call))
    expect(reads).toEqual(['findAuctions', 'findHeads', 'findAuctions', 'findHeads'])
  })

  test('receives an event when it is stored, and one at a time of each auction', async () => {
    const { service, subscriber, clock } = subscribed()
    const [a, b] = [await createAuction(service), await createAuction(service)]
    await clock.pass(0)
    let inFlight = 0
    let most = 0
    const { promise: isOpen, resolve: open } = Promise.withResolvers<void>()
    subscriber.react(async () => {
      inFlight += 1
      most = Math.max(most, inFlight)
      await isOpen
      inFlight -= 1
      return ok
    })
    for (const amount of [100, 110, 120]) {
      for (const auction of [a, b]) unwrap(await service.placeBid(newBid(auction, 2 + ((amount / 10) % 2), amount)))
    }
    await everythingSettled()
    expect(subscriber.attempts.slice(2)).toEqual(['1/1', '2/1'])
    open()
    await clock.pass(0)
    expect(most).toBe(2)
    expect(subscriber.keys().filter((key) => key.startsWith('1'))).toEqual(['1/0', '1/1', '1/2', '1/3'])
    expect(subscriber.keys().filter((key) => key.startsWith('2'))).toEqual(['2/0', '2/1', '2/2', '2/3'])
  })

  test('receives a bounded number of events at once', async () => {
    const { service, subscriber, clock } = subscribed()
    subscriber.react(() => 'never')
    for (let auctions = 0; auctions < maxDeliveries + 3; auctions++) await createAuction(service)
    await clock.pass(0)
    expect(subscriber.attempts.length).toBe(maxDeliveries)
  })

  test('receives only the types that it wants, and the others are passed over', async () => {
    const { service, clock, store } = subscribed()
    const subscriber = createTestSubscriber({ name: 'index', types: ['created', 'ended'] })
    service.subscribe(subscriber)
    const auction = await createAuction(service)
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    unwrap(
      await service.cancelAuction({
        auctionId: auction.id,
        mayForce: true,
        cancellation: sampleCancellation('broken'),
      }),
    )
    await clock.pass(1_000)
    expect(subscriber.keys()).toEqual(['1/0', '1/2'])
    expect(await savedIn(store)).toContain('index 1/2')
  })

  test('does not receive a second cancellation, which has no event, even after its checkpoint is removed', async () => {
    const { service, clock, store, subscriber } = subscribed()
    const auction = await createAuction(service)
    unwrap(await service.cancelAuction({ auctionId: auction.id }, { caller: 'a', key: '1' }))
    await clock.pass(keepMs + 2 * walkMs)
    expect(await savedIn(store)).toEqual([])
    for (const key of ['1', '2', '2']) {
      unwrap(await service.cancelAuction({ auctionId: auction.id }, { caller: 'a', key }))
      unwrap(await service.cancelAuction({ auctionId: auction.id }))
    }
    await clock.pass(3 * walkMs)
    expect(subscriber.keys()).toEqual(['1/0', '1/1'])
  })

  test('that subscribes between two walks receives the open auctions that were created before', async () => {
    const { service, clock } = subscribed()
    // More than a page, because a walk along new auctions reads at least one.
    for (let count = 0; count < 150; count++) await createAuction(service)
    await clock.pass(30 * walkMs)
    const late = createTestSubscriber({ name: 'index' })
    service.subscribe(late)
    await clock.pass(3 * walkMs)
    expect(late.received.length).toBe(150)
  })

  test('receives the current title of an auction that was corrected before it subscribed', async () => {
    const { start, clock } = createServers()
    const service = start()
    const { id: auctionId } = await createAuction(service, { title: 'A secret' })
    unwrap(
      await service.correctAuction({ auctionId, correction: sampleCorrection({ title: 'A desk' }), editor: 'staff' }),
    )
    const subscriber = createTestSubscriber()
    service.subscribe(subscriber)
    await clock.pass(0)
    expect(subscriber.received.map(({ type }) => type)).toEqual(['created', 'corrected'])
    expect(subscriber.received[0]).toMatchObject({ auction: { title: 'A desk' } })
  })

  test('receives a long ledger page by page', async () => {
    const { service, subscriber, clock } = subscribed()
    const auction = await createAuction(service)
    const amounts = Array.from({ length: 130 }, (_, index) => 100 + 10 * index)
    await Promise.all(amounts.map((amount, index) => service.placeBid(newBid(auction, 2 + (index % 2), amount))))
    await clock.pass(0)
    expect(subscriber.keys()).toEqual(Array.from({ length: 131 }, (_, sequence) => `1/${sequence}`))
  })
})

describe('checkpoints', () => {
  test('are saved at most once a second, together', async () => {
    const right = createTestStore()
    const saves: number[] = []
    const store = savingBy(right, async (checkpoints) => {
      saves.push(checkpoints.length)
      await right.checkpoints.save(checkpoints)
    })
    const { service, clock } = subscribed(store)
    const auctions = [await createAuction(service), await createAuction(service)]
    for (const amount of [100, 110, 120]) {
      for (const auction of auctions) await service.placeBid(newBid(auction, 2 + ((amount / 10) % 2), amount))
      await clock.pass(250)
    }
    expect(saves).toEqual([])
    await clock.pass(250)
    expect(saves).toEqual([2])
    expect(await savedIn(store)).toEqual(['mails 1/3', 'mails 2/3'])
    await clock.pass(5_000)
    expect(saves).toEqual([2])
  })

  test('are saved again after a failure, and read by other servers, which deliver what follows', async () => {
    const right = createTestStore()
    let isAway = true
    const store = savingBy(right, async (checkpoints) => {
      if (isAway) throw new Error('away')
      await right.checkpoints.save(checkpoints)
    })
    const { service, clock, start } = subscribed(store)
    const auction = await createAuction(service)
    await service.placeBid(newBid(auction, 2, 100))
    await clock.pass(3_000)
    expect(await savedIn(store)).toEqual([])
    isAway = false
    await clock.pass(1_000)
    expect(await savedIn(store)).toEqual(['mails 1/1'])
    const [other, second] = [start(), createTestSubscriber()]
    other.subscribe(second)
    await other.placeBid(newBid(auction, 3, 110))
    await clock.pass(1_000)
    expect(second.keys()).toEqual(['1/2'])
  })

  test('keep servers from delivering what others have delivered', async () => {
    const { start, clock } = createServers()
    const servers = [start(), start()]
    const subscribers = servers.map((server) => {
      const subscriber = createTestSubscriber()
      server.subscribe(subscriber)
      return subscriber
    })
    await clock.pass(1_000)
    const auction = await createAuction(servers[0] as (typeof servers)[0])
    for (let turn = 0; turn < 6; turn++) {
      await clock.pass(1_001)
      const placing = servers[turn % 2]?.placeBid(newBid(auction, 2 + (turn % 2), 100 + 10 * turn))
      await clock.pass(1_001)
      expect(await placing).toMatchObject({ ok: true })
    }
    await clock.pass(1_001)
    expect(subscribers.map(({ keys }) => keys())).toEqual([
      ['1/0', '1/1', '1/3', '1/5'],
      ['1/2', '1/4', '1/6'],
    ])
  })

  test('exist for each auction that leaves the agenda; if they cannot be saved, it stays', async () => {
    const right = createTestStore()
    let isAway = true
    const store = savingBy(right, async (checkpoints) => {
      if (isAway) throw new Error('away')
      await right.checkpoints.save(checkpoints)
    })
    const { service, clock, subscriber } = subscribed(store)
    subscriber.react(() => refusal)
    const auction = await createAuction(service)
    const agenda = async () => (await store.listAuctions({ order: 'agenda', limit: 9 })).items.length
    clock.set(endTime)
    clock.advance(2_000)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
    expect([await agenda(), await savedIn(store)]).toEqual([1, []])
    isAway = false
    expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
    expect([await agenda(), await savedIn(store)]).toEqual([0, [`mails ${auction.id}/-1`]])
  })

  test('are removed some minutes after the end of the auction, when all is delivered', async () => {
    const { service, clock, subscriber, store } = subscribed()
    const auction = await createAuction(service)
    unwrap(await service.cancelAuction({ auctionId: auction.id }))
    await clock.pass(keepMs - walkMs)
    expect(await savedIn(store)).toEqual(['mails 1/1'])
    await clock.pass(3 * walkMs)
    expect(await savedIn(store)).toEqual([])
    await clock.pass(5 * walkMs)
    expect(subscriber.keys()).toEqual(['1/0', '1/1'])
  })

  test('are not removed before the last event is delivered', async () => {
    const { service, clock, subscriber, store } = subscribed()
    const auction = await createAuction(service)
    await clock.pass(1_000)
    subscriber.react(() => refusal)
    unwrap(await service.cancelAuction({ auctionId: auction.id }))
    await clock.pass(10 * keepMs)
    expect(await savedIn(store)).toEqual(['mails 1/0'])
  })
})

describe('events that no process has delivered', () => {
  test.each(['created', 'bid', 'ended'] as const)('are found at the next start: %s', async (last) => {
    const { start, clock } = createServers()
    const service = start()
    // The process ends before it delivers.
    const unlucky = createTestSubscriber()
    const { close } = service.subscribe(unlucky)
    unlucky.react(() => 'never')
    const auction = await createAuction(service)
    if (last !== 'created') unwrap(await service.placeBid(newBid(auction, 2, 100)))
    if (last === 'ended') {
      clock.set(endTime)
      clock.advance(2_000)
      await service.closeDue()
    }
    void close()
    const subscriber = createTestSubscriber()
    start().subscribe(subscriber)
    await clock.pass(1_000)
    const expected = { created: ['1/0'], bid: ['1/0', '1/1'], ended: ['1/0', '1/1', '1/2'] }
    expect(subscriber.keys()).toEqual(expected[last])
  })

  test('are found by the walk of another server after a minute, and not before', async () => {
    const { start, clock } = createServers()
    const [crashed, other] = [start(), start()]
    const unlucky = createTestSubscriber()
    crashed.subscribe(unlucky)
    unlucky.react(() => 'never')
    const subscriber = createTestSubscriber()
    other.subscribe(subscriber)
    await clock.pass(1_000)
    const auction = await createAuction(crashed)
    await clock.pass(walkMs - 2_000)
    await crashed.placeBid(newBid(auction, 2, 100))
    expect(subscriber.keys()).toEqual([])
    await clock.pass(2 * walkMs)
    expect(subscriber.keys()).toEqual(['1/0', '1/1'])
  })

  test('of an append with an unknown outcome are found by the walk', async () => {
    const right = createTestStore()
    let isLost = false
    const store: TestStore = {
      ...right,
      async append(entries) {
        const stored = await right.append(entries)
        if (isLost) throw new Error('no response')
        return stored
      },
      findEntries: (ids) => (isLost ? Promise.reject(new Error('no response')) : right.findEntries(ids)),
    }
    const { service, clock, subscriber } = subscribed(store)
    const auction = await createAuction(service)
    await clock.pass(1_000)
    isLost = true
    await expect(service.placeBid(newBid(auction, 2, 100))).rejects.toThrow()
    isLost = false
    await clock.pass(3 * walkMs)
    expect(subscriber.keys()).toEqual(['1/0', '1/1'])
  })

  test('are found in any number of auctions, page by page', async () => {
    const { start, clock, store } = createServers()
    const service = start()
    for (let auctions = 0; auctions < 250; auctions++) await createAuction(service)
    const subscriber = createTestSubscriber()
    start().subscribe(subscriber)
    await clock.pass(5_000)
    expect(subscriber.keys().toSorted()).toEqual(Array.from({ length: 250 }, (_, index) => `${index + 1}/0`).toSorted())
    expect((await savedIn(store)).length).toBe(250)
  })

  test('of auctions that ended before the subscriber are left out', async () => {
    const { start, clock } = createServers()
    const service = start()
    const auction = await createAuction(service)
    unwrap(await service.cancelAuction({ auctionId: auction.id }))
    await createAuction(service)
    await everythingSettled()
    const subscriber = createTestSubscriber()
    service.subscribe(subscriber)
    await clock.pass(3 * walkMs)
    expect(subscriber.keys()).toEqual(['2/0'])
  })
})

describe('without subscribers', () => {
  test('a service makes no other store calls', async () => {
    const { store, calls } = createCountingStore(createTestStore())
    const clock = createSteppedClock(openTime)
    const service = startServer({ store, clock })
    const auction = await createAuction(service)
    await service.placeBid(newBid(auction, 2, 100))
    calls.length = 0
    await service.placeBid(newBid(auction, 3, 110))
    unwrap(
      await service.cancelAuction({
        auctionId: auction.id,
        mayForce: true,
        cancellation: sampleCancellation('broken'),
      }),
    )
    await clock.pass(10 * walkMs)
    expect(calls.toSorted()).toEqual(['append', 'append', 'findAuction', 'updateAgenda'])
  })

  test('deliveries need a service and checkpoints', () => {
    const { checkpoints: _, ...store } = createTestStore()
    // The casts: a program in JavaScript may pass nothing, and a store without checkpoints.
    expect(() => createDelivery(undefined as unknown as DeliveryParts)).toThrow(
      'need a service with the function extend',
    )
    expect(() => startServer({ store: store as TestStore })).toThrow('need the checkpoints of a store, an object with')
  })
})
