import { createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, test } from 'vitest'
import { parseNewBid } from '../../src/public/parsing.ts'
import { createAuctionService } from '../../src/service.ts'
import type { Store } from '../../src/store/store.ts'
import { unwrap } from '../../src/values/result.ts'
import { createRecordingObserver } from '../support/observer.ts'
import { dueTime, ledgerOf, serveSealed, times } from '../support/sealed.ts'

describe('the close of a sealed auction', () => {
  test('counts a bid that arrived in time and is recorded while the others are read', async () => {
    const right = createMemoryStore()
    const { auction, clock, sealer, ...other } = await serveSealed({ store: right })
    for (let bidder = 2; bidder < 1_400; bidder++) unwrap(await other.bid(bidder, 150))
    const arrivedAtMs = Date.parse(times.endTime) - 1
    const late = [
      [5_000, 300],
      [5_001, 400],
      [5_002, 350],
    ] as const
    let reads = 0
    const recordNext = async () => {
      const next = late[reads++]
      if (next === undefined) return
      const [bidderId, amount] = next
      const bid = unwrap(parseNewBid({ auctionId: auction.id, bidderId, amount }))
      unwrap(await other.service.placeBid(bid, undefined, arrivedAtMs))
    }
    const store: Store = {
      ...right,
      async listEntries(id, query) {
        const entries = await right.listEntries(id, query)
        await recordNext()
        return entries
      },
    }
    clock.set(dueTime)
    expect(await createAuctionService({ store, clock, sealer }).closeDue()).toEqual({ closed: 1, left: 0 })
    expect(await other.result()).toMatchObject({ winnerId: 5_001, priceMinor: 350_00, bidderCount: 1_401 })
  })

  test('counts a bid that another process records just before the result', async () => {
    const right = createMemoryStore()
    const { auction, clock, sealer, bid, result } = await serveSealed({ store: right })
    unwrap(await bid(2, 150))
    clock.set(dueTime)
    const late = createAuctionService({ store: right, clock, sealer })
    const appended: string[] = []
    const store: Store = {
      ...right,
      async append(entries, options) {
        appended.push(...entries.map(({ event, sequence }) => `${event.type} ${sequence}`))
        const arrivedAtMs = Date.parse(times.endTime) - 1
        const higher = unwrap(parseNewBid({ auctionId: auction.id, bidderId: 3, amount: 160 }))
        if (appended.length === 1) unwrap(await late.placeBid(higher, undefined, arrivedAtMs))
        return right.append(entries, options)
      },
    }
    expect(await createAuctionService({ store, clock, sealer }).closeDue()).toEqual({ closed: 1, left: 0 })
    expect(appended).toEqual(['closed 2', 'closed 3'])
    expect(await result()).toMatchObject({ winnerId: 3, priceMinor: 150_00, bidderCount: 2 })
  })

  test('waits for a missing key, tells the observer, and happens with the key', async () => {
    const { bid, auction, store, clock, sealer, result, service } = await serveSealed()
    unwrap(await bid(2, 150))
    clock.set(dueTime)
    const { observer, reports } = createRecordingObserver()
    const parts = { store, clock, observer }
    const keyless = createAuctionService(parts)
    for (let tries = 0; tries < 2; tries++) expect(await keyless.closeDue()).toEqual({ closed: 0, left: 1 })
    expect(reports.filter(([part]) => part === 'bids unopened')).toEqual([
      ['bids unopened', { auctionId: auction.id, error: expect.objectContaining({ code: 'key-missing' }) }],
    ])
    expect(await result()).toBeUndefined()
    expect(await createAuctionService({ ...parts, sealer }).closeDue()).toEqual({ closed: 1, left: 0 })
    expect(await result()).toMatchObject({ winnerId: 2 })
    expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
  })

  test('never decides without a bid that does not open', async () => {
    const { bid, store, clock, sealer, result } = await serveSealed()
    unwrap(await bid(2, 150))
    unwrap(await bid(3, 160))
    clock.set(dueTime)
    const damaged: Store = {
      ...store,
      listEntries: async (...query) =>
        (await store.listEntries(...query)).map((entry) => ({ ...entry, id: (entry.id + 1) as typeof entry.id })),
    }
    const { observer, reports } = createRecordingObserver()
    const closing = createAuctionService({ store: damaged, clock, sealer, observer })
    expect(await closing.closeDue()).toEqual({ closed: 0, left: 1 })
    expect(reports.find(([part]) => part === 'bids unopened')?.[1]).toMatchObject({ error: { code: 'sealed' } })
    expect(await result()).toBeUndefined()
  })

  test('gives one result if two processes close it at once', async () => {
    const { bid, auction, store, clock, sealer, service } = await serveSealed()
    for (let bidder = 2; bidder < 700; bidder++) unwrap(await bid(bidder, 100 + bidder))
    clock.set(dueTime)
    const other = createAuctionService({ store, clock, sealer })
    const reports = await Promise.all([service.closeDue(), other.closeDue()])
    expect(reports.map(({ closed }) => closed).toSorted()).toEqual([0, 1])
    const closed = (await ledgerOf(store, auction.id)).filter(({ event }) => event.type === 'closed')
    expect(closed).toHaveLength(1)
  })

  test('reads 500 bids at a time, and lets other work run between', async () => {
    const right = createMemoryStore()
    const { bid, clock, sealer, result } = await serveSealed({ store: right })
    for (let bidder = 2; bidder < 1_202; bidder++) unwrap(await bid(bidder, 150))
    clock.set(dueTime)
    const steps: string[] = []
    const store: Store = {
      ...right,
      async listEntries(id, query) {
        const entries = await right.listEntries(id, query)
        steps.push(`${entries.length} entries`)
        return entries
      },
    }
    const pausing: typeof clock = {
      ...clock,
      after(ms, run) {
        if (ms === 0) steps.push('pause')
        return clock.after(ms, run)
      },
    }
    await createAuctionService({ store, clock: pausing, sealer }).closeDue()
    expect(steps).toEqual(['500 entries', 'pause', '500 entries', 'pause', '200 entries'])
    expect(await result()).toMatchObject({ outcome: 'sold', bidderCount: 1_200 })
  })
})
