import { createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { unwrap } from '../../src/values/result.ts'
import {
  amountsOf,
  codeOf,
  createAuction,
  createTestService,
  endTime,
  keyOf,
  ledgerOf,
  newAuction,
  newBid,
  outcomeOf,
  serveAuction,
} from '../support/service.ts'
import { type CallOutcomes, createCountingStore, createUnreliableStore, many } from '../support/stores.ts'

const reused = { ok: false, refusal: { code: 'idempotency-key-reused' } }

const auctionsIn = async (store: Store) =>
  (await store.listAuctions({ limit: 100, order: 'newest' })).items.map(({ auction }) => auction)

describe('a bid with a key', () => {
  test('is placed once, and returned unchanged after higher bids, after the end, and after closing', async () => {
    const { service, auction } = await serveAuction()
    const send = (by = service) => by.placeBid(newBid(auction, 2, 100), keyOf('k'))
    const first = unwrap(await send())
    service.clock.advance(1_000)
    expect(unwrap(await send())).toStrictEqual(first)
    await service.placeBid(newBid(auction, 3, 1_000))
    expect(unwrap(await send())).toStrictEqual(first)
    service.clock.set(endTime)
    expect(unwrap(await send())).toStrictEqual(first)
    expect(codeOf(await service.placeBid(newBid(auction, 2, 2_000), keyOf('new')))).toBe('auction-ended')
    service.clock.advance(2_000)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
    expect(unwrap(await send())).toStrictEqual(first)
    expect(unwrap(await send(createTestService({ store: service.store, clock: service.clock })))).toStrictEqual(first)
    const keys = (await ledgerOf(service.store, auction)).map(({ requestKey }) => requestKey)
    expect(keys).toEqual(['place-bid user-2 k', undefined, undefined])
  })

  test('is placed once by duplicates that are decided together', async () => {
    const { store, calls } = createCountingStore()
    const { service, auction } = await serveAuction({}, { store })
    calls.length = 0
    // They wait while the first is written to the ledger.
    const first = service.placeBid(newBid(auction, 2, 100))
    const duplicates = Array.from({ length: 3 }, () => service.placeBid(newBid(auction, 2, 200), keyOf('k')))
    const bids = (await Promise.all(duplicates)).map(unwrap)
    for (const bid of bids) expect(bid).toStrictEqual(bids[0])
    expect(codeOf(await first)).toBe('accepted')
    expect(await amountsOf(store, auction)).toEqual([100, 200])
    // The key of the others is looked up before they are decided; the first try needs no look-up.
    const [placed, keyed, ...others] = calls.filter((call) => call === 'append' || call === 'findEntriesByKey')
    expect([placed, keyed, others]).toEqual(['append', 'append', ['findEntriesByKey']])
  })

  test.each([
    { title: 'amount', bidderId: 2, amount: 105, auctionNumber: 1 },
    { title: 'bidder', bidderId: 3, amount: 100, auctionNumber: 1 },
    { title: 'bidder, who bids more', bidderId: 3, amount: 200, auctionNumber: 1 },
    { title: 'auction', bidderId: 2, amount: 100, auctionNumber: 2 },
    { title: 'auction, where it would be too low', bidderId: 2, amount: 1, auctionNumber: 2 },
  ])('is refused when the key belongs to a bid with another $title', async ({ bidderId, amount, auctionNumber }) => {
    const { service, auction } = await serveAuction()
    const auctions = [auction, await createAuction(service)] as const
    await service.placeBid(newBid(auction, 2, 100), keyOf('k'))
    const other = auctionNumber === 1 ? auctions[0] : auctions[1]
    expect(await service.placeBid(newBid(other, bidderId, amount), keyOf('k'))).toEqual(reused)
    expect(await amountsOf(service.store, auctions[0])).toEqual([100])
    expect(await amountsOf(service.store, auctions[1])).toEqual([])
  })

  test('leaves the key free if it is refused, for the same request or another', async () => {
    const { service, auction } = await serveAuction()
    const send = async (amount: number) => codeOf(await service.placeBid(newBid(auction, 2, amount), keyOf('k')))
    service.clock.set('2030-01-31T11:00:00Z')
    expect(await send(100)).toBe('auction-not-started')
    service.clock.set('2030-01-31T13:00:00Z')
    expect([await send(99), await send(101), await send(101)]).toEqual(['bid-too-low', 'accepted', 'accepted'])
    expect(await amountsOf(service.store, auction)).toEqual([101])
  })

  test('has a key that is separate for each caller', async () => {
    const { service, auction } = await serveAuction()
    await service.placeBid(newBid(auction, 2, 100), keyOf('k', 'user-2'))
    expect(codeOf(await service.placeBid(newBid(auction, 3, 105), keyOf('k', 'user-3')))).toBe('accepted')
    expect(await amountsOf(service.store, auction)).toEqual([100, 105])
  })
})

describe('a retry after a failure', () => {
  test.each<{ readonly title: string; readonly faults: CallOutcomes }>([
    { title: 'after appends that stored nothing', faults: { append: many('lost-before-storing').slice(0, 3) } },
    {
      title: 'after an append that was stored and a failed lookup',
      faults: {
        append: ['lost-after-storing', ...many('lost-before-storing').slice(0, 2)],
        findEntries: many('lost-before-storing').slice(0, 9),
      },
    },
    {
      title: 'after an append that arrived late',
      faults: { append: ['arrives-late', 'lost-before-storing', 'lost-before-storing'] },
    },
  ])('$title places the bid once', async ({ faults }) => {
    const right = createMemoryStore()
    const auction = await createAuction(createTestService({ store: right }))
    const service = createTestService({ store: createUnreliableStore(right, faults) })
    const send = () => service.placeBid(newBid(auction, 2, 100), keyOf('k'))
    expect(await outcomeOf(send())).toMatch(/^(unknown|accepted)$/)
    const bid = unwrap(await send())
    expect(await amountsOf(right, auction)).toEqual([100])
    expect((await ledgerOf(right, auction)).map(({ id }) => id)).toEqual([bid.id])
  })

  test('is not refused while the key cannot be looked up', async () => {
    const right = createMemoryStore()
    const auction = await createAuction(createTestService({ store: right }))
    const store = createUnreliableStore(right, { findEntriesByKey: many('lost-before-storing').slice(0, 3) })
    const service = createTestService({ store })
    const send = (by = service) => outcomeOf(by.placeBid(newBid(auction, 2, 100), keyOf('k')))
    const first = await send(createTestService({ store: right }))
    expect([first, await send(), await send()]).toEqual(['accepted', 'nothing-changed', 'accepted'])
  })
})

describe('an auction with a key', () => {
  test('is created once, and returned unchanged, by any process and after its end', async () => {
    const { store, calls } = createCountingStore()
    const service = createTestService({ store })
    await createAuction(service)
    const send = (by: typeof service) => by.createAuction(newAuction({ endTime: '2030-01-31T14:00:00Z' }), keyOf('k'))
    calls.length = 0
    const first = unwrap(await send(service))
    expect(calls).toEqual(['insertAuction'])
    const other = createTestService({ store })
    for (const now of ['2030-01-31T13:30:00Z', '2030-01-31T14:00:00Z', '2040-02-01T12:00:00Z']) {
      other.clock.set(now)
      expect(unwrap(await send(other))).toStrictEqual(first)
    }
    expect(await auctionsIn(store)).toHaveLength(2)
    // The keys of bids are separate.
    expect(codeOf(await service.placeBid(newBid(first, 2, 100), keyOf('k')))).toBe('accepted')
  })

  const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime: '2030-02-07T13:00:00Z' }
  const step = { fromPrice: 100, increment: 10 }

  test.each([
    { field: 'productId', value: 8 },
    { field: 'title', value: 'Another vase' },
    { field: 'title', value: null },
    { field: 'startingPrice', value: 100.01 },
    { field: 'currency', value: 'EUR' },
    { field: 'startTime', value: '2030-01-31T12:00:00.0Z' },
    { field: 'softClose', value: null },
    { field: 'softClose', value: { ...softClose, windowSeconds: 61 } },
    { field: 'cancellableUntilEnd', value: false },
    { field: 'incrementSteps', value: [{ ...step, increment: 10.01 }] },
    { field: 'incrementSteps', value: [step, { ...step, fromPrice: 200 }] },
    { field: 'metadata', value: { lot: '8' } },
  ])('is refused when the key created one with another $field: $value', async ({ field, value }) => {
    const service = createTestService()
    const formats = { softClose, reservePrice: 200, buyNowPrice: 300, cancellableUntilEnd: true }
    const sent = { title: 'A vase', ...formats, incrementSteps: [step], metadata: { lot: '7', color: 'red' } }
    const first = unwrap(await service.createAuction(newAuction(sent), keyOf('k')))
    expect(await service.createAuction(newAuction({ ...sent, [field]: value }), keyOf('k'))).toEqual(reused)
    const same = newAuction({ ...sent, metadata: { color: 'red', lot: '7' } })
    expect(unwrap(await service.createAuction(same, keyOf('k')))).toStrictEqual(first)
    expect(await auctionsIn(service.store)).toStrictEqual([first])
  })

  test('leaves the key free if it is refused', async () => {
    const service = createTestService()
    service.clock.set(endTime)
    const send = async (sample = {}) => codeOf(await service.createAuction(newAuction(sample), keyOf('k')))
    expect(await send()).toBe('validation-failed')
    const later = { endTime: '2031-01-01T00:00:00Z' }
    expect([await send(later), await send(later)]).toEqual(['accepted', 'accepted'])
    expect((await auctionsIn(service.store)).length).toBe(1)
  })
})
