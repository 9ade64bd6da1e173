import { createMemoryStore } from '@auction/adapters/memory'
import { sampleAuction, sampleNewBid } from '@auction/testing/samples'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import type { Auction, Terms } from '../../src/auction/auction.ts'
import type { Entry, Store } from '../../src/store/store.ts'
import type { PublicEvent } from '../../src/use-cases/public-event.ts'
import { toEntryId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import { anySteps, anyTerms } from '../auction/any-history.ts'
import { play, type Step } from '../auction/play.ts'
import {
  auctionIdOf,
  correct,
  createAuction,
  createTestService,
  extend,
  keyOf,
  newBid,
  serveAuction,
  type TestService,
} from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

const dueTime = '2030-02-07T12:00:02Z'

const eventsOf = async (service: TestService, after = 0, limit = 100) =>
  unwrap(await service.listEvents(auctionIdOf(1), { after, limit }))

describe('the events of an auction', () => {
  test('show bids with the price after them, and the result', async () => {
    const { service, auction } = await serveAuction()
    const bid = (bidderId: number, amount: number, maximumAmount: number) =>
      service.placeBid(sampleNewBid({ auctionId: auction.id, bidderId, amount, maximumAmount }))
    const first = unwrap(await bid(2, 100, 200))
    const second = unwrap(await bid(3, 150, 160))
    service.clock.set(dueTime)
    await service.closeDue()

    const { currency, endTime: effectiveEndTime } = auction
    const bids = { type: 'bids', auctionId: 1, atMs: first.timestampMs, currency, leaderId: 2, effectiveEndTime }
    const none = { maximumNextBidMinor: undefined, isReserveMet: undefined, isBuyNowOffered: undefined }
    const common = { auctionId: 1, bidderId: 2, currency, timestampMs: first.timestampMs }
    expect(await eventsOf(service)).toStrictEqual({
      items: [
        {
          ...{ ...bids, ...none, sequence: 1, bidCount: 1, currentPriceMinor: 100_00, minimumNextBidMinor: 105_00 },
          bids: [{ ...common, id: first.id, amountMinor: 100_00 }],
        },
        {
          ...{ ...bids, ...none, sequence: 2, bidCount: 3, currentPriceMinor: 165_00, minimumNextBidMinor: 170_00 },
          bids: [
            { ...common, id: second.id, bidderId: 3, amountMinor: 150_00 },
            { ...common, id: second.id + 1, amountMinor: 165_00, automatic: true },
          ],
        },
        {
          ...{ type: 'ended', auctionId: 1, sequence: 3, atMs: Date.parse(dueTime), status: 'Ended', currency },
          result: { outcome: 'sold', winnerId: 2, bidId: second.id + 1, priceMinor: 165_00 },
        },
      ],
      ...{ position: 3, isAtHead: true, isOver: true },
    })
  })

  test('name the leader whom a bid outbids, and none where the leader stays', async () => {
    const service = createTestService()
    const { id: auctionId } = await createAuction(service, { reservePrice: 1_000 })
    const bids = [
      [{ bidderId: 2, amount: 100 }, undefined],
      [{ bidderId: 2, amount: 110, maximumAmount: 200 }, undefined],
      // The leader replies.
      [{ bidderId: 3, amount: 150 }, undefined],
      [{ bidderId: 3, amount: 160, maximumAmount: 300 }, 2],
      // The price rises to the reserve.
      [{ bidderId: 3, amount: 1, maximumAmount: 1_000 }, undefined],
      [{ bidderId: 4, amount: 2_000 }, 3],
      [{ bidderId: 2, amount: 2_005 }, 4],
    ] as const
    for (const [bid] of bids) unwrap(await service.placeBid(sampleNewBid({ auctionId, ...bid })))
    const outbid = (await eventsOf(service)).items.map((event) => event.type === 'bids' && event.previousLeaderId)
    expect(outbid).toEqual(bids.map(([, previousLeaderId]) => previousLeaderId))
  })

  test('show what was corrected, but no text, which a later correction may remove', async () => {
    const { service, auction } = await serveAuction()
    const texts = [{ title: 'Call 555-0100' }, { description: 'Call 555-0100' }, { title: null, description: null }]
    for (const each of texts) unwrap(await correct(service, auction, each))
    const common = { type: 'corrected', by: 'staff', auctionId: 1, atMs: service.clock.nowMs() }
    expect((await eventsOf(service)).items).toStrictEqual([
      { ...common, sequence: 1, fields: ['title'] },
      { ...common, sequence: 2, fields: ['description'] },
      { ...common, sequence: 3, fields: ['title', 'description'] },
    ])
  })

  test('name the sale of a lot and its number, whatever they show', async () => {
    const service = createTestService()
    const auction = sampleAuction({ saleId: 7, lot: '12A', saleSequence: 3 })
    await service.store.insertAuction(auction)
    unwrap(await correct(service, auction, { title: 'A vase' }))
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    unwrap(await extend(service, auction, '2030-02-07T13:00:00Z'))
    service.clock.set('2030-02-07T13:00:02Z')
    await service.closeDue()
    const { items } = await eventsOf(service)
    expect(items.map(({ type, saleId, lot }) => [type, saleId, lot])).toEqual([
      ['corrected', 7, '12A'],
      ['bids', 7, '12A'],
      ['extended', 7, '12A'],
      ['ended', 7, '12A'],
    ])
    expect(JSON.stringify(items)).not.toContain('saleSequence')
    expect(unwrap(await service.listRepairs(auction.id)).map(({ event }) => event)).toEqual([items[2], items[0]])
  })

  test('show nothing of a raised maximum, nor of a second cancellation', async () => {
    const { service, auction } = await serveAuction({ cancellableUntilEnd: true })
    await service.placeBid(newBid(auction, 2, 100))
    await service.placeBid(sampleNewBid({ auctionId: auction.id, bidderId: 2, amount: 100, maximumAmount: 300 }))
    await service.cancelAuction({ auctionId: auction.id }, keyOf('first'))
    await service.cancelAuction({ auctionId: auction.id }, keyOf('second'))
    const { items, ...reached } = await eventsOf(service)
    expect(items.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['bids', 1],
      ['ended', 3],
    ])
    expect(items[1]).toMatchObject({ status: 'Cancelled', result: { outcome: 'cancelled' } })
    expect(reached).toEqual({ position: 4, isAtHead: true, isOver: true })
    expect(await eventsOf(service, 3)).toEqual({ items: [], ...reached })
  })

  test('are an empty list without entries, and refused for an unknown auction and after the last entry', async () => {
    const service = createTestService()
    expect(await service.listEvents(auctionIdOf(1), { after: 0, limit: 1 })).toEqual({
      ok: false,
      refusal: { code: 'auction-not-found', auctionId: 1 },
    })
    const auction = await createAuction(service)
    expect(await eventsOf(service)).toEqual({ items: [], position: 0, isAtHead: true, isOver: false })
    await service.placeBid(newBid(auction, 2, 100))
    expect(await service.listEvents(auction.id, { after: 2, limit: 1 })).toMatchObject({
      ok: false,
      refusal: {
        code: 'validation-failed',
        errors: [{ pointer: '/after', message: expect.stringContaining('at most 1') }],
      },
    })
  })

  test('read no more entries than a page has, and one', async () => {
    const limits: number[] = []
    const plain = createMemoryStore()
    const { store, calls } = createCountingStore({
      ...plain,
      listEntries(id, query) {
        limits.push(query.limit)
        return plain.listEntries(id, query)
      },
    })
    const { service, auction } = await serveAuction({}, { store })
    for (let bids = 0; bids < 9; bids++) await service.placeBid(newBid(auction, 2 + (bids % 2), 100 + 5 * bids))
    calls.length = 0
    const { items, position, isAtHead } = await eventsOf(service, 2, 3)
    expect(items.map(({ sequence }) => sequence)).toEqual([3, 4, 5])
    expect({ position, isAtHead }).toEqual({ position: 5, isAtHead: false })
    expect({ calls, limits }).toEqual({ calls: ['findAuctions', 'findHeads', 'listEntries'], limits: [4] })
    // One new entry, and then none.
    await eventsOf(service, 8, 100)
    expect(limits).toEqual([4, 2])
    calls.length = 0
    expect(await eventsOf(service, 9, 100)).toMatchObject({ items: [], position: 9, isAtHead: true })
    expect(calls).toEqual(['findAuctions', 'findHeads'])
  })

  test.each([1, 2])('are not passed over when the store does not list its newest %i entries', async (hidden) => {
    const plain = createMemoryStore()
    const store = {
      ...plain,
      listEntries: async (id, query) => (await plain.listEntries(id, query)).slice(hidden),
    } satisfies Store
    const { service, auction } = await serveAuction({}, { store })
    for (let bids = 0; bids < 3; bids++) await service.placeBid(newBid(auction, 2 + (bids % 2), 100 + 5 * bids))
    await expect(eventsOf(service, 1)).rejects.toMatchObject({ code: 'store-unavailable' })
  })

  test('read page by page are all bids once, in order, and then the result, without a secret', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyTerms,
        anySteps,
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        async (terms, steps, limits) => {
          const service = createTestService()
          await service.store.insertAuction({ ...sampleAuction(), ...terms } as Auction) // The terms of its format.
          const ledger = ledgerAfter(terms, steps)
          if (ledger.length > 0) await service.store.append(ledger)

          const events: PublicEvent[] = []
          const positions = [0]
          for (let page = 0; ; page++) {
            const limit = limits[page % limits.length] ?? 1
            const after = positions.at(-1) ?? 0
            const { items, position, isAtHead, isOver } = unwrap(await service.listEvents(terms.id, { after, limit }))
            expect(position).toBe(Math.min(after + limit, ledger.length))
            expect(isAtHead).toBe(position === ledger.length)
            expect(isOver).toBe(ledger[position - 1]?.state.phase === 'closed')
            expect(items.every(({ sequence }) => sequence > after && sequence <= position)).toBe(true)
            events.push(...items)
            positions.push(position)
            if (isAtHead) break
          }

          const sequences = events.map(({ sequence }) => sequence)
          expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b))
          const shown = events.flatMap((event) => ('bids' in event ? event.bids : []))
          const listed = unwrap(await service.listBids(terms.id, { limit: 100 })).items.toReversed()
          expect(shown.map(({ id }) => id)).toEqual(listed.map(({ id }) => id))
          const closed = ledger.find(({ state }) => state.phase === 'closed')
          const ends = events.filter(({ type }) => type === 'ended')
          expect(ends.map(({ sequence }) => sequence)).toEqual(closed === undefined ? [] : [closed.sequence])
          if (closed !== undefined) expect(events.at(-1)).toBe(ends[0])
          expect(JSON.stringify(events)).not.toMatch(/maximum(?!NextBid)|reservePrice/i)
          const last = events.findLast((event) => 'bidCount' in event)
          const view = unwrap(await service.readAuction(terms.id))
          if (last !== undefined) {
            const { currentPriceMinor, bidCount, leaderId } = view
            expect(last).toMatchObject({ currentPriceMinor, bidCount, leaderId })
          }
          expect(view.sequence).toBe(ledger.length)
        },
      ),
      { numRuns: isLong ? 200 : 50 },
    )
  })
})

/** The entries of the accepted commands. */
const ledgerAfter = (terms: Terms, steps: readonly Step[]): readonly Entry[] =>
  play(terms, ...steps)
    .flatMap((played) => (played.ok ? [played] : []))
    .map(({ nowMs: atMs, event, state }, at) => {
      const sequence = at + 1
      const { id: auctionId, currency } = terms
      return { id: toEntryId(sequence * 10), auctionId, sequence, atMs, currency, event, state }
    })
