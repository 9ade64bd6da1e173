import { describe, expect, test } from 'vitest'
import { toUserId } from '../../src/ids.ts'
import { isBidEntry } from '../../src/ledger/entry.ts'
import { unwrap } from '../../src/result.ts'
import type { Store } from '../../src/store.ts'
import { createSteppedClock, createStillClock, everythingSettled } from '../support/clocks.ts'
import { createFaultyStore, createHeldStore, many } from '../support/faulty-store.ts'
import { createPlainStore } from '../support/plain-store.ts'
import {
  codeOf,
  createAuction,
  createTestService,
  endTime,
  ledgerOf,
  newBid,
  noAnswer,
  openTime,
} from '../support/service.ts'

/** When the margin for clocks is over. */
const dueTime = '2030-02-07T12:00:02Z'

/** A store that tells how often it was asked, and for how many heads. */
function createWatchedStore(right = createPlainStore()) {
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
  test('records the winner, once the margin for clocks is over', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
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

  test('records that nobody bid', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    service.clock.set(dueTime)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
    expect(await resultOf(service, auction)).toEqual({ outcome: 'unsold', reason: 'no-bids' })
  })

  test('fences: nothing is recorded behind it, by whatever clock', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const behind = createTestService({ store: service.store })
    await behind.placeBid(newBid(auction, 2, 100))
    service.clock.set(dueTime)
    await service.closeDue()
    const late = await behind.placeBid(newBid(auction, 3, 500))
    expect(codeOf(late)).toBe('auction-ended')
    expect((await ledgerOf(service.store, auction)).map(({ event }) => event.type)).toEqual(['bid-placed', 'closed'])
  })

  test('goes by the ledger, not by what a process remembers', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    await service.placeBid(newBid(auction, 2, 100))
    const other = createTestService({ store: service.store })
    await other.placeBid(newBid(auction, 3, 300))
    service.clock.set(dueTime)
    await service.closeDue()
    expect(await resultOf(service, auction)).toMatchObject({ outcome: 'sold', winnerId: 3, priceMinor: 300_00 })
  })

  test('closes what a process that knows nothing finds: after a restart, or an hour of pause', async () => {
    const service = createTestService()
    const auctions = await Promise.all(Array.from({ length: 250 }, () => createAuction(service)))
    for (const auction of auctions.slice(0, 20)) await service.placeBid(newBid(auction, 2, 100))
    const restarted = createTestService({ store: service.store })
    restarted.clock.set('2030-02-07T13:00:00Z')
    expect(await restarted.closeDue()).toEqual({ closed: 250, left: 0 })
    const outcomes = await Promise.all(auctions.map((auction) => resultOf(restarted, auction)))
    expect(outcomes.filter((result) => result?.outcome === 'sold').length).toBe(20)
    expect(outcomes.filter((result) => result?.outcome === 'unsold').length).toBe(230)
  })

  test('by several at once does no harm', async () => {
    const store = createPlainStore()
    const founder = createTestService({ store })
    const auctions = await Promise.all(Array.from({ length: 30 }, () => createAuction(founder)))
    for (const auction of auctions.slice(0, 10)) await founder.placeBid(newBid(auction, 2, 100))
    const closers = [1, 2, 3].map(() => createTestService({ store, clock: createStillClock(dueTime) }))
    const reports = await Promise.all(closers.map((closer) => closer.closeDue()))
    expect(reports.reduce((sum, { closed }) => sum + closed, 0)).toBe(30)
    for (const auction of auctions) {
      const ends = (await ledgerOf(store, auction)).filter(({ event }) => event.type === 'closed')
      expect(ends.length).toBe(1)
    }
  })

  test('called twice at once is done once', async () => {
    const service = createTestService()
    await createAuction(service)
    service.clock.set(dueTime)
    const [first, second] = await Promise.all([service.closeDue(), service.closeDue()])
    expect(first).toEqual({ closed: 1, left: 0 })
    expect(second).toEqual(first)
  })
})

describe('looking for what is due', () => {
  test('asks for one page, and for no head, while nothing is due', async () => {
    const { store, asked } = createWatchedStore()
    const service = createTestService({ store })
    await createAuction(service)
    expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
    service.clock.set('2030-02-07T12:00:01.999Z')
    expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
    expect(asked).toEqual({ lists: 2, heads: 0 })
  })

  test('reads no head that is remembered, that of a new auction included', async () => {
    const { store, asked } = createWatchedStore()
    const service = createTestService({ store })
    const [auction] = [await createAuction(service), await createAuction(service)]
    await service.placeBid(newBid(auction, 2, 100))
    service.clock.set(dueTime)
    expect(await service.closeDue()).toEqual({ closed: 2, left: 0 })
    expect(asked.heads).toBe(0)
    expect(await resultOf(service, auction)).toMatchObject({ outcome: 'sold', winnerId: 2 })
  })

  test('looks no more at what is closed, bought or cancelled', async () => {
    const { store, asked } = createWatchedStore()
    const founder = createTestService({ store })
    const [bought, cancelled] = [await createAuction(founder, { buyNowPrice: 500 }), await createAuction(founder)]
    await Promise.all(Array.from({ length: 150 }, () => createAuction(founder)))
    const service = createTestService({ store })
    unwrap(await service.buyNow({ auctionId: bought.id, buyerId: toUserId(2) }))
    unwrap(await service.cancelAuction({ auctionId: cancelled.id }))
    service.clock.set(dueTime)
    asked.heads = 0
    expect(await service.closeDue()).toEqual({ closed: 150, left: 0 })
    expect(asked.heads).toBe(150)
    const restarted = createTestService({ store, clock: service.clock })
    expect(await restarted.closeDue()).toEqual({ closed: 0, left: 0 })
    expect(asked.heads).toBe(150)
  })

  test('knows of an auction that was created since, and ends sooner', async () => {
    const service = createTestService()
    await createAuction(service)
    await service.closeDue()
    const soon = await createAuction(service, { endTime: '2030-01-31T13:00:05Z' })
    service.clock.advance(7_000)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
    expect(await resultOf(service, soon)).toEqual({ outcome: 'unsold', reason: 'no-bids' })
  })

  test('knows of an auction that was created while it looked for the next end', async () => {
    const right = createPlainStore()
    const looked = Promise.withResolvers<void>()
    const store: Store = {
      ...right,
      async listAuctions(query) {
        const page = await right.listAuctions(query)
        await looked.promise
        return page
      },
    }
    const service = createTestService({ store })
    const closing = service.closeDue()
    await everythingSettled()
    const soon = await createAuction(service, { endTime: '2030-01-31T13:00:05Z' })
    looked.resolve()
    await closing
    service.clock.advance(7_000)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
    expect(await resultOf(service, soon)).toEqual({ outcome: 'unsold', reason: 'no-bids' })
  })

  test('finds what another process has created', async () => {
    const service = createTestService()
    await service.closeDue()
    await createAuction(createTestService({ store: service.store }), { endTime: '2030-01-31T13:00:05Z' })
    service.clock.advance(7_000)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
  })

  test('finds what was stored long after its end, by a process that did not live to close it', async () => {
    const service = createTestService()
    await createAuction(service)
    service.clock.set(dueTime)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
    const late = await createAuction(createTestService({ store: service.store }), { endTime: '2030-02-07T11:59:00Z' })
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
    expect(await resultOf(service, late)).toEqual({ outcome: 'unsold', reason: 'no-bids' })
  })

  test('goes on when the clock was set back', async () => {
    const service = createTestService()
    service.clock.set('2030-02-01T00:00:00Z')
    await service.closeDue()
    service.clock.set(openTime)
    await createAuction(createTestService({ store: service.store }), { endTime: '2030-01-31T13:00:05Z' })
    service.clock.advance(10_000)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
  })

  test('tries again with the next call what could not be closed', async () => {
    const right = createPlainStore()
    const auction = await createAuction(createTestService({ store: right }))
    const store = createFaultyStore(right, { append: many('lost-before-storing').slice(0, 3) })
    const service = createTestService({ store })
    service.clock.set(dueTime)
    expect(await service.closeDue()).toEqual({ closed: 0, left: 1 })
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
    expect(await resultOf(service, auction)).toEqual({ outcome: 'unsold', reason: 'no-bids' })
  })

  test('leaves what it could not close to any other process', async () => {
    const right = createPlainStore()
    await createAuction(createTestService({ store: right }))
    const broken = createTestService({ store: { ...right, append: () => Promise.reject(noAnswer()) } })
    broken.clock.set(dueTime)
    expect(await broken.closeDue()).toEqual({ closed: 0, left: 1 })
    const other = createTestService({ store: right, clock: broken.clock })
    expect(await other.closeDue()).toEqual({ closed: 1, left: 0 })
    expect(await broken.closeDue()).toEqual({ closed: 0, left: 0 })
  })

  test('tells what is left, beside what was closed', async () => {
    const right = createPlainStore()
    const creating = createTestService({ store: right })
    const [lost] = [await createAuction(creating), await createAuction(creating)]
    const store: Store = {
      ...right,
      async append(entries) {
        if (entries.some(({ auctionId }) => auctionId === lost.id)) throw noAnswer()
        return right.append(entries)
      },
    }
    const service = createTestService({ store })
    service.clock.set(dueTime)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 1 })
    expect(await service.closeDue()).toEqual({ closed: 0, left: 1 })
  })

  test('fails when the store can not be asked, and looks again', async () => {
    const right = createPlainStore()
    await createAuction(createTestService({ store: right }))
    const store = createFaultyStore(right, { listAuctions: many('lost-before-storing').slice(0, 3) })
    const service = createTestService({ store })
    service.clock.set(dueTime)
    await expect(service.closeDue()).rejects.toMatchObject({ code: 'store-unavailable' })
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
  })

  test('closes what is due behind auctions that can not be closed', async () => {
    const right = createPlainStore()
    const founder = createTestService({ store: right })
    const auctions = await Promise.all(Array.from({ length: 1_050 }, () => createAuction(founder)))
    const store: Store = {
      ...right,
      append: (entries) =>
        entries.some(({ auctionId }) => auctionId <= 1_020) ? Promise.reject(noAnswer()) : right.append(entries),
    }
    const service = createTestService({ store })
    service.clock.set(dueTime)
    expect(await service.closeDue()).toEqual({ closed: 30, left: 1_020 })
    for (const auction of auctions) expect((await ledgerOf(right, auction)).length).toBe(auction.id <= 1_020 ? 0 : 1)
  })

  test('tells of too many that can not be closed, and looks no further until some are', async () => {
    const right = createPlainStore()
    const founder = createTestService({ store: right })
    const auctions = await Promise.all(Array.from({ length: 4_000 }, () => createAuction(founder)))
    let isBroken = true
    const { store, asked } = createWatchedStore({
      ...right,
      append: (entries) => (isBroken ? Promise.reject(noAnswer()) : right.append(entries)),
    })
    const service = createTestService({ store })
    service.clock.set(dueTime)
    const { closed, left } = await service.closeDue()
    expect(closed).toBe(0)
    expect(left).toBeGreaterThan(2_000)
    expect(left).toBeLessThan(auctions.length)
    const { lists } = asked
    expect(await service.closeDue()).toEqual({ closed: 0, left })
    expect(asked.lists).toBe(2 * lists)
    isBroken = false
    expect(await service.closeDue()).toEqual({ closed: auctions.length, left: 0 })
  })
})

test('an auction is tried again though it is being closed by a read, which may fail', async () => {
  const right = createPlainStore()
  const bidArrives = Promise.withResolvers<void>()
  const store: Store = {
    ...right,
    async append(entries) {
      if (!entries.every(isBidEntry)) throw noAnswer()
      await bidArrives.promise
      return right.append(entries)
    },
  }
  const service = createTestService({ store })
  const auction = await createAuction(service)
  const bid = service.placeBid(newBid(auction, 2, 100))
  await everythingSettled()
  service.clock.set(dueTime)
  // Behind the bid, a read has the auction closed, and then the closer does: both are decided together.
  await service.readAuction(auction.id)
  const report = service.closeDue()
  await everythingSettled()
  bidArrives.resolve()
  await bid
  expect(await report).toEqual({ closed: 0, left: 1 })
})

test('an auction that is stored after its end is closed by the process that created it', async () => {
  const right = createPlainStore()
  const inserted = Promise.withResolvers<void>()
  const store: Store = {
    ...right,
    async insertAuction(auction) {
      if (auction.endTime.iso !== endTime) await inserted.promise
      return right.insertAuction(auction)
    },
  }
  const service = createTestService({ store })
  await createAuction(service)
  const creating = createAuction(service, { endTime: '2030-02-07T11:59:59Z' })
  await everythingSettled()
  service.clock.set(dueTime)
  expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
  inserted.resolve()
  const late = await creating
  expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
  expect(await resultOf(service, late)).toEqual({ outcome: 'unsold', reason: 'no-bids' })
})

describe('a read that finds the end passed', () => {
  test('has an auction closed, and does not wait for it', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    await service.placeBid(newBid(auction, 2, 100))
    service.clock.set(dueTime)
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ status: 'Ended', result: undefined })
    await everythingSettled()
    expect(await resultOf(service, auction)).toMatchObject({ outcome: 'sold', winnerId: 2 })
  })

  test('closes nothing before the margin is over', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    service.clock.set('2030-02-07T12:00:01.999Z')
    await service.readAuction(auction.id)
    await everythingSettled()
    expect(await ledgerOf(service.store, auction)).toEqual([])
  })

  test('asks for its closing once, however many reads there are: bids on others have their room', async () => {
    const right = createPlainStore()
    const store = createHeldStore(right)
    const service = createTestService({ store, limits: { maxWaiting: 3 } })
    const ended = await createAuction(service)
    const open = await createAuction(service, { endTime: '2030-02-08T12:00:00Z' })
    service.clock.set(dueTime)
    for (let reads = 0; reads < 5; reads++) await service.readAuction(ended.id)
    await service.listAuctions({ limit: 10, order: 'newest' })
    const bid = service.placeBid(newBid(open, 2, 100))
    const closing = await store.nextAppend()
    await closing.release()
    void store.nextAppend().then(({ release }) => release())
    expect(codeOf(await bid)).toBe('accepted')
    expect(await resultOf(service, ended)).toEqual({ outcome: 'unsold', reason: 'no-bids' })
  })

  test('does not fail because closing does', async () => {
    const right = createPlainStore()
    const auction = await createAuction(createTestService({ store: right }))
    const clock = createSteppedClock(dueTime)
    const store = createFaultyStore(right, { append: many('never-answered') })
    const service = createTestService({ store, clock })
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ status: 'Ended', result: undefined })
    await clock.pass(60_000)
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ status: 'Ended', result: undefined })
  })
})

test('a result that is shown never changes', async () => {
  const service = createTestService()
  const auction = await createAuction(service)
  await service.placeBid(newBid(auction, 2, 100))
  service.clock.set(dueTime)
  await service.closeDue()
  const result = await resultOf(service, auction)
  for (const now of [openTime, endTime, '2031-01-01T00:00:00Z']) {
    service.clock.set(now)
    await service.placeBid(newBid(auction, 3, 900))
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ status: 'Ended', result })
  }
})
