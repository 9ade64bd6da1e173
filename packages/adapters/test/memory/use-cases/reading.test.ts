import type { AuctionId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import { sampleAuction, sampleBid } from '@auction/domain/testing/samples'
import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../../src/memory/memory-store.ts'
import { createAuction, endTime, ledgerOf, newBid, testService, wordFor } from './service.ts'

describe('reading an auction', () => {
  test('tells its price and how many bids there are', async () => {
    const service = testService()
    const auction = await createAuction(service)
    expect(unwrap(await service.readAuction(auction.id))).toStrictEqual({
      auction,
      status: 'Active',
      currentPriceMinor: 100_00,
      minimumNextBidMinor: 100_00,
      bidCount: 0,
    })
    await service.placeBid(newBid(auction, 2, 100))
    await service.placeBid(newBid(auction, 3, 120))
    expect(unwrap(await service.readAuction(auction.id))).toStrictEqual({
      auction,
      status: 'Active',
      currentPriceMinor: 120_00,
      minimumNextBidMinor: 125_00,
      bidCount: 2,
    })
  })

  test.each([
    ['2030-01-31T11:59:59.999Z', 'Pending'],
    ['2030-01-31T12:00:00Z', 'Active'],
    ['2030-02-07T11:59:59.999Z', 'Active'],
    [endTime, 'Ended'],
  ])('at %s finds it %s', async (now, status) => {
    const service = testService()
    const auction = await createAuction(service)
    service.clock.set(now)
    expect(unwrap(await service.readAuction(auction.id)).status).toBe(status)
    expect((await service.listAuctions({ limit: 10 })).items).toStrictEqual([{ auction, status }])
  })

  test('says that it has ended only with the last bid, which may come while the ledger is read', async () => {
    const store = memoryStore()
    const writing = testService({ store })
    const auction = await createAuction(writing)
    writing.clock.set('2030-02-07T11:59:59.999Z')
    const ledger = {
      ...store.ledger,
      head: async (id: AuctionId) => {
        const head = await store.ledger.head(id)
        unwrap(await writing.placeBid(newBid(auction, 2, 100)))
        writing.clock.set(endTime)
        return head
      },
    }
    const reading = testService({ store: { ...store, ledger }, clock: writing.clock })
    expect(unwrap(await reading.readAuction(auction.id))).toMatchObject({ status: 'Active', bidCount: 0 })
    expect(unwrap(await writing.readAuction(auction.id))).toMatchObject({ status: 'Ended', bidCount: 1 })
  })

  test('is refused for one that does not exist', async () => {
    const { id } = sampleAuction({ id: 999 })
    expect(await testService().readAuction(id)).toEqual({
      ok: false,
      refusal: { code: 'auction-not-found', auctionId: 999 },
    })
  })
})

describe('reading a bid', () => {
  test('answers it as it was placed', async () => {
    const service = testService()
    const auction = await createAuction(service)
    const bid = unwrap(await service.placeBid(newBid(auction, 2, 100)))
    await service.placeBid(newBid(auction, 3, 120))
    expect(unwrap(await service.readBid(bid.id))).toStrictEqual(bid)
  })

  test('is refused for one that does not exist', async () => {
    const { id } = sampleBid({ id: 999 })
    expect(await testService().readBid(id)).toEqual({ ok: false, refusal: { code: 'bid-not-found', bidId: 999 } })
  })
})

describe('listing auctions', () => {
  test('goes from page to page, newest first, and past nothing that others create', async () => {
    const service = testService()
    for (let count = 1; count <= 5; count++) {
      await createAuction(service)
      if (count % 2 === 0) service.clock.advance(1)
    }
    const seen: number[] = []
    let page = await service.listAuctions({ limit: 2 })
    for (;;) {
      seen.push(...page.items.map(({ auction }) => auction.id))
      if (page.next === undefined) break
      await createAuction(service)
      page = await service.listAuctions({ limit: 2, after: page.next })
    }
    expect(seen).toEqual([5, 4, 3, 2, 1])
  })

  test('ends with a full page where there is no more', async () => {
    const service = testService()
    for (let count = 0; count < 4; count++) await createAuction(service)
    expect((await service.listAuctions({ limit: 4 })).next).toBe(undefined)
    expect((await service.listAuctions({ limit: 3 })).next).toMatchObject({ id: 2 })
    expect(await testService().listAuctions({ limit: 3 })).toEqual({ items: [], next: undefined })
  })

  test('takes a status, from page to page', async () => {
    const service = testService()
    for (let count = 0; count < 6; count++) {
      await createAuction(service, count % 2 === 0 ? {} : { endTime: '2030-01-31T14:00:00Z' })
    }
    service.clock.set('2030-01-31T14:00:00Z')
    const first = await service.listAuctions({ limit: 2, status: 'Ended' })
    expect(first.items.map(({ auction, status }) => [auction.id, status])).toEqual([
      [6, 'Ended'],
      [4, 'Ended'],
    ])
    const second = await service.listAuctions({ limit: 2, status: 'Ended', ...(first.next && { after: first.next }) })
    expect(second.items.map(({ auction }) => auction.id)).toEqual([2])
    expect(second.next).toBe(undefined)
    expect((await service.listAuctions({ limit: 2, status: 'Pending' })).items).toEqual([])
  })
})

describe('listing bids', () => {
  test('goes from page to page, newest first, and past nothing that others bid', async () => {
    const service = testService()
    const auction = await createAuction(service)
    for (let count = 0; count < 5; count++) await service.placeBid(newBid(auction, 2, 100 + count * 5))
    const stored = await ledgerOf(service, auction)
    let page = unwrap(await service.listBids(auction.id, { limit: 2 }))
    const seen = [...page.items]
    for (let amount = 1_000; page.next !== undefined; amount += 1_000) {
      expect(wordFor(await service.placeBid(newBid(auction, 3, amount)))).toBe('accepted')
      page = unwrap(await service.listBids(auction.id, { limit: 2, before: page.next }))
      seen.push(...page.items)
    }
    expect(seen).toStrictEqual(stored.toReversed())
  })

  test('finds none where there are none, and no auction where there is none', async () => {
    const service = testService()
    const auction = await createAuction(service)
    expect(unwrap(await service.listBids(auction.id, { limit: 2 }))).toEqual({ items: [], next: undefined })
    expect(await service.listBids(sampleAuction({ id: 999 }).id, { limit: 2 })).toEqual({
      ok: false,
      refusal: { code: 'auction-not-found', auctionId: 999 },
    })
  })
})
