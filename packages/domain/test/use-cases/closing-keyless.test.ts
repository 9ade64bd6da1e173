import { createManualClock, createMemorySealer, createMemoryStore } from '@auction/adapters/memory'
import { sampleAuction, sampleExtension, sampleSealedAuction } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import { createAuctionService } from '../../src/service.ts'
import { createCloser } from '../../src/use-cases/close-due.ts'
import { unwrap } from '../../src/values/result.ts'
import { createRecordingObserver } from '../support/observer.ts'
import { dueTime, serveSealed, usesOf } from '../support/sealed.ts'
import { openTime } from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

const sealedCount = 2_500

/** A store with many auctions whose key is `memory`, and others, which have started. */
async function storeSealed(others: readonly Auction[] = []) {
  const store = createMemoryStore()
  for (let id = 1; id <= sealedCount; id++) await store.insertAuction(sampleSealedAuction({ id }))
  for (const auction of others) await store.insertAuction(auction)
  await createAuctionService({ store, clock: createManualClock(openTime) }).closeDue()
  return store
}

const countOf = (calls: readonly string[], name: string) => calls.filter((call) => call === name).length

describe('a process without the key of many due auctions', () => {
  test('closes others at once, and reads nothing of those but their terms', async () => {
    const right = await storeSealed([sampleAuction({ id: sealedCount + 1, endTime: '2030-02-07T12:00:01Z' })])
    const { store, calls } = createCountingStore(right)
    const clock = createManualClock('2030-02-07T12:00:03Z')
    const keyless = createAuctionService({ store, clock })
    expect(await keyless.closeDue()).toEqual({ closed: 1, left: sealedCount })
    const pages = ['listAuctions', 'listAuctions', 'listAuctions']
    expect(calls).toEqual([...pages, 'findHeads', 'claimNextIdBlock', 'append', 'updateAgenda'])
    calls.length = 0
    expect(await keyless.closeDue()).toEqual({ closed: 0, left: sealedCount })
    expect(calls).toEqual(pages)
    expect(keyless.backlog()).toMatchObject({ closingsDue: sealedCount, longestDueMs: 1_000 })
    const sealer = createMemorySealer()
    const restarted = createAuctionService({ store, clock, sealer })
    expect(await restarted.closeDue()).toEqual({ closed: sealedCount, left: 0 })
    expect(await keyless.closeDue()).toEqual({ closed: 0, left: 0 })
  })

  test('seldom lists them, if that takes time', async () => {
    const late = { startTime: '2030-02-07T12:09:59Z', endTime: '2030-02-07T12:10:00Z' }
    const right = await storeSealed()
    const clock = createManualClock('2030-02-07T12:10:00Z')
    const { store, calls } = createCountingStore({
      ...right,
      listAuctions(query: Parameters<typeof right.listAuctions>[0]) {
        if (query.after === undefined) clock.advance(20)
        return right.listAuctions(query)
      },
    })
    const keyless = createAuctionService({ store, clock })
    await keyless.closeDue()
    await right.insertAuction(sampleAuction({ id: sealedCount + 1, ...late }))
    calls.length = 0
    clock.advance(3_000)
    expect(await keyless.closeDue()).toEqual({ closed: 1, left: sealedCount })
    expect(countOf(calls, 'listAuctions')).toBe(1)
    await createAuctionService({ store: right, clock, sealer: createMemorySealer() }).closeDue()
    clock.advance(60_000)
    expect(await keyless.closeDue()).toEqual({ closed: 0, left: 0 })
  })

  test('reports each of them once, with the key that it lacks', async () => {
    const { observer, reports } = createRecordingObserver()
    const store = await storeSealed()
    const clock = createManualClock(dueTime)
    const never = () => Promise.reject(new Error('nothing is closed'))
    const { closeDue } = createCloser({
      ...{ store, clock, observer, limits: { clockSkewMs: 2_000 }, lanes: { submitWith: never } },
      ...{ updateAgenda: never, sealer: createMemorySealer('another') },
    })
    for (let pass = 0; pass < 2; pass++) expect(await closeDue()).toEqual({ closed: 0, left: sealedCount })
    expect(reports).toEqual(
      Array.from({ length: sealedCount }, (_, index) => {
        const error = expect.objectContaining({ code: 'key-missing', message: expect.stringContaining('memory') })
        return ['bids unopened', { auctionId: index + 1, error }]
      }),
    )
  })
})

describe('a process without the key of an auction', () => {
  test('opens it at its start', async () => {
    const store = createMemoryStore()
    await store.insertAuction(sampleSealedAuction())
    const clock = createManualClock(openTime)
    const { observer, reports } = createRecordingObserver()
    expect(await createAuctionService({ store, clock, observer }).closeDue()).toEqual({ closed: 0, left: 0 })
    const open = await store.listAuctions({ order: 'agenda', stages: ['open'], limit: 1 })
    expect(open.items).toHaveLength(1)
    expect(reports.filter(([part]) => part === 'bids unopened')).toEqual([])
  })

  test('reads its head once, and none of its bids, if its end was moved', async () => {
    const { service, auction, bid, store: right, clock, sealer, result } = await serveSealed()
    unwrap(await bid(2, 150))
    unwrap(await service.extendAuction({ auctionId: auction.id, extension: sampleExtension(), editor: 'staff' }))
    const { store, calls } = createCountingStore(right)
    const { observer, reports } = createRecordingObserver()
    const keyless = createAuctionService({ store, clock, observer })
    clock.set('2030-02-07T13:00:02Z')
    for (let pass = 0; pass < 2; pass++) expect(await keyless.closeDue()).toEqual({ closed: 0, left: 1 })
    expect(calls).toEqual(['listAuctions', 'findHeads', 'listAuctions'])
    expect(reports.filter(([part]) => part === 'bids unopened')).toHaveLength(1)
    expect(await createAuctionService({ store, clock, sealer }).closeDue()).toEqual({ closed: 1, left: 0 })
    expect(await result()).toMatchObject({ winnerId: 2 })
  })

  test('tries again if only a bid of it has another key', async () => {
    const { auction, store: right, clock, bid } = await serveSealed({ sealer: createMemorySealer('old') })
    unwrap(await bid(2, 150))
    const { store, calls } = createCountingStore(right)
    const later = createAuctionService({ store: right, clock, sealer: createMemorySealer('new', 'old') })
    unwrap(await usesOf(later, auction.id).bid(3, 160))
    const { observer, reports } = createRecordingObserver()
    const service = createAuctionService({ store, clock, sealer: createMemorySealer('old'), observer })
    clock.set(dueTime)
    for (let pass = 0; pass < 2; pass++) expect(await service.closeDue()).toEqual({ closed: 0, left: 1 })
    expect(countOf(calls, 'listEntries')).toBe(2)
    expect(reports.filter(([part]) => part === 'bids unopened')).toMatchObject([
      ['bids unopened', { error: { code: 'key-missing', message: expect.stringContaining('new') } }],
    ])
  })
})
