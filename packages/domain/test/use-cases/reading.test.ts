import { createMemoryStore } from '@auction/adapters/memory'
import { sampleAuction, sampleEntry } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import { searchWordsOf, wordsOf } from '../../src/auction/title-words.ts'
import type { AuctionPosition, Store } from '../../src/store/store.ts'
import { isoOf, momentAt, toMoment } from '../../src/values/moment.ts'
import { unwrap } from '../../src/values/result.ts'
import {
  allOf,
  auctionIdOf,
  bidIn,
  buy,
  codeOf,
  correct,
  createAuction,
  createTestService,
  endTime,
  newBid,
  storeWith,
} from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

/** The fields that formats add to the view, for an auction without formats. */
const withoutFormats = ({ endTime }: Auction) => ({
  effectiveEndTime: endTime,
  maximumNextBidMinor: undefined,
  isReserveMet: undefined,
  isBuyNowOffered: undefined,
})

const newest = { order: 'newest' } as const

describe('reading an auction', () => {
  test('returns its price and bid count', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    expect(unwrap(await service.readAuction(auction.id))).toStrictEqual({
      auction,
      status: 'Active',
      currentPriceMinor: 100_00,
      minimumNextBidMinor: 100_00,
      bidCount: 0,
      leaderId: undefined,
      leaderMaximumMinor: undefined,
      ...withoutFormats(auction),
      result: undefined,
      endedAtMs: undefined,
      withdrawn: undefined,
      correctedAtMs: undefined,
      repairCount: 0,
      sequence: 0,
    })
    await service.placeBid(newBid(auction, 2, 100))
    await service.placeBid(newBid(auction, 3, 120))
    expect(unwrap(await service.readAuction(auction.id))).toStrictEqual({
      auction,
      status: 'Active',
      currentPriceMinor: 120_00,
      minimumNextBidMinor: 125_00,
      bidCount: 2,
      leaderId: 3,
      leaderMaximumMinor: undefined,
      ...withoutFormats(auction),
      result: undefined,
      endedAtMs: undefined,
      withdrawn: undefined,
      correctedAtMs: undefined,
      repairCount: 0,
      sequence: 2,
    })
  })

  test('reports that it is closed, even by a clock that is behind', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const behind = createTestService({ store: service.store })
    service.clock.set('2030-02-07T12:00:02Z')
    await service.closeDue()
    const ended = { status: 'Ended', result: { outcome: 'unsold', reason: 'no-bids' } }
    expect(unwrap(await behind.readAuction(auction.id))).toMatchObject(ended)
    expect(unwrap(await behind.listAuctions({ ...newest, limit: 10 })).items).toMatchObject([ended])
  })

  test('reports the end only with the last bid, which may arrive while the ledger is read', async () => {
    const right = createMemoryStore()
    const writing = createTestService({ store: right })
    const auction = await createAuction(writing)
    writing.clock.set('2030-02-07T11:59:59.999Z')
    const store: Store = {
      ...right,
      findHeads: async (ids) => {
        const heads = await right.findHeads(ids)
        unwrap(await writing.placeBid(newBid(auction, 2, 100)))
        writing.clock.set(endTime)
        return heads
      },
    }
    const reading = createTestService({ store, clock: writing.clock })
    expect(unwrap(await reading.readAuction(auction.id))).toMatchObject({ status: 'Active', bidCount: 0 })
    expect(unwrap(await writing.readAuction(auction.id))).toMatchObject({ status: 'Ended', bidCount: 1 })
  })

  test('is refused for an auction that does not exist', async () => {
    const { id } = sampleAuction({ id: 999 })
    expect(await createTestService().readAuction(id)).toEqual({
      ok: false,
      refusal: { code: 'auction-not-found', auctionId: 999 },
    })
  })
})

describe('reading an auction as it was', () => {
  const recorded = async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const { clock } = service
    await correct(service, auction, { title: 'Oak desk', description: 'Worn.' })
    await service.placeBid(newBid(auction, 2, 100))
    clock.set(lastTime)
    await service.placeBid(newBid(auction, 3, 120))
    clock.set('2030-02-07T12:00:02Z')
    await service.closeDue()
    return { ...service, auction }
  }
  const lastTime = '2030-02-07T11:59:59.999Z'

  test.each([
    [0, { status: 'Active', bidCount: 0, currentPriceMinor: 100_00, leaderId: undefined }],
    [
      1,
      {
        status: 'Active',
        bidCount: 0,
        currentPriceMinor: 100_00,
        auction: { title: 'Oak desk', description: 'Worn.' },
      },
    ],
    [2, { status: 'Active', bidCount: 1, currentPriceMinor: 100_00, leaderId: 2, auction: { description: 'Worn.' } }],
    [3, { status: 'Active', bidCount: 2, currentPriceMinor: 120_00, leaderId: 3, result: undefined }],
    [4, { status: 'Ended', bidCount: 2, currentPriceMinor: 120_00, result: { outcome: 'sold', winnerId: 3 } }],
  ])('returns the state after entry %i, with the status at its time', async (at, state) => {
    const { readAuctionAt, auction } = await recorded()
    expect(unwrap(await readAuctionAt(auction.id, at))).toMatchObject({ sequence: at, ...state })
  })

  test('has the terms of then, and the texts of now, since what was corrected away must not be shown', async () => {
    const service = createTestService()
    const pictures = { pictureUrl: 'https://example.com/1.jpg' }
    const auction = await createAuction(service, { title: 'Insult', description: 'Insult', metadata: pictures })
    await correct(service, auction, { startingPrice: 50, title: 'A second insult' })
    await correct(service, auction, { title: 'Desk', description: null, metadata: { pictureUrl: null } })
    const { correctedAtMs } = unwrap(await service.readAuction(auction.id))
    for (const [at, startingPriceMinor] of [100_00, 50_00, 50_00].entries()) {
      const was = unwrap(await service.readAuctionAt(auction.id, at))
      expect(was).toMatchObject({ auction: { startingPriceMinor, title: 'Desk' }, correctedAtMs })
      expect(JSON.stringify(was)).not.toMatch(/insult|pictureUrl/i)
    }
  })

  test('at a time, returns the state after the last entry until then, with the status at that time', async () => {
    const { store, calls } = createCountingStore()
    const service = createTestService({ store })
    const auction = await createAuction(service)
    const startMs = service.clock.nowMs()
    // Two in each millisecond.
    for (let bid = 1; bid <= 40; bid++) {
      service.clock.set(isoOf(startMs + Math.ceil(bid / 2)))
      unwrap(await service.placeBid(newBid(auction, 2 + (bid % 2), 100 + 10 * bid)))
    }
    service.clock.set('2030-02-07T12:00:01Z')
    const readAt = async (timeMs: number) => unwrap(await service.readAuctionAt(auction.id, momentAt(timeMs)))
    for (const ms of [0, 1, 2, 9, 10, 19]) {
      calls.length = 0
      expect(await readAt(startMs + ms)).toMatchObject({ sequence: 2 * ms, bidCount: 2 * ms, status: 'Active' })
      expect(calls.length).toBeLessThanOrEqual(2 + 6)
    }
    expect(await readAt(startMs + 21)).toMatchObject({ sequence: 40, status: 'Active' })
    const { epochMs } = toMoment(endTime)
    expect(await readAt(epochMs - 1)).toMatchObject({ sequence: 40, status: 'Active' })
    expect(await readAt(epochMs)).toMatchObject({ sequence: 40, status: 'Ended', result: undefined })
    const messages = [
      [startMs - 1, `must be at least ${isoOf(startMs)}, when the auction was created`],
      [epochMs + 3_001, 'must be at most 2030-02-07T12:00:01.000Z, the time of the service'],
    ] as const
    for (const [timeMs, message] of messages) {
      expect(await service.readAuctionAt(auction.id, momentAt(timeMs))).toMatchObject({
        refusal: { code: 'validation-failed', errors: [{ pointer: '/at', message }] },
      })
    }
  })

  test('at a time that a clock ahead has given, returns what a read returns', async () => {
    const [ahead, { epochMs }] = [createTestService(), toMoment(endTime)]
    const behind = createTestService({ store: ahead.store })
    const { id } = await createAuction(ahead)
    behind.clock.set(isoOf(epochMs - 20))
    ahead.clock.set(isoOf(epochMs - 10))
    await ahead.placeBid(newBid({ id }, 2, 100))
    const read = unwrap(await behind.readAuction(id))
    expect(read).toMatchObject({ status: 'Active', bidCount: 1 })
    expect(unwrap(await behind.readAuctionAt(id, momentAt(epochMs + 30)))).toStrictEqual(read)
  })

  test('is refused beyond the last entry, and for an auction that does not exist', async () => {
    const { readAuctionAt, auction } = await recorded()
    const message = 'must be at most 4, the sequence of the last entry of the auction'
    expect(await readAuctionAt(auction.id, 5)).toMatchObject({
      ok: false,
      refusal: { code: 'validation-failed', errors: [{ pointer: '/at', message }] },
    })
    expect(codeOf(await readAuctionAt(auctionIdOf(9), 1))).toBe('auction-not-found')
    for (const at of [-1, 1.5, Number.NaN])
      await expect(readAuctionAt(auction.id, at)).rejects.toThrow('at must be an integer of at least 0, or a time')
  })
})

describe('reading a bid', () => {
  test('returns it unchanged', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const bid = unwrap(await service.placeBid(newBid(auction, 2, 100)))
    await service.placeBid(newBid(auction, 3, 120))
    expect(unwrap(await service.readBid(bid.id))).toStrictEqual(bidIn(bid))
  })

  test('is refused for one that does not exist, and for the id of an entry that is not a bid', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const refused = (bidId: number) => ({ ok: false, refusal: { code: 'bid-not-found', bidId } })
    expect(await service.readBid(sampleEntry({ id: 999 }).id)).toEqual(refused(999))
    service.clock.set('2030-02-07T12:00:02Z')
    await service.closeDue()
    const [end] = await service.store.findHeads([auction.id])
    if (end === undefined) throw new Error('the auction is closed')
    expect(await service.readBid(end.id)).toEqual(refused(end.id))
  })
})

describe('listing auctions', () => {
  test('pages through all auctions, newest first, unaffected by new ones', async () => {
    const service = createTestService()
    for (let count = 1; count <= 5; count++) {
      await createAuction(service)
      if (count % 2 === 0) service.clock.advance(1)
    }
    const seen: number[] = []
    let page = unwrap(await service.listAuctions({ ...newest, limit: 2 }))
    for (;;) {
      seen.push(...page.items.map(({ auction }) => auction.id))
      if (page.next === undefined) break
      await createAuction(service)
      page = unwrap(await service.listAuctions({ ...newest, limit: 2, after: page.next }))
    }
    expect(seen).toEqual([5, 4, 3, 2, 1])
  })

  test('filters by status, on every page', async () => {
    const service = createTestService()
    for (let count = 0; count < 6; count++) {
      await createAuction(service, count % 2 === 0 ? {} : { endTime: '2030-01-31T14:00:00Z' })
    }
    service.clock.set('2030-01-31T14:00:00Z')
    const first = unwrap(await service.listAuctions({ ...newest, limit: 2, status: 'Ended' }))
    expect(first.items.map(({ auction, status }) => [auction.id, status])).toEqual([
      [6, 'Ended'],
      [4, 'Ended'],
    ])
    const second = unwrap(
      await service.listAuctions({
        ...newest,
        limit: 2,
        status: 'Ended',
        ...(first.next && { after: first.next }),
      }),
    )
    expect(second.items.map(({ auction }) => auction.id)).toEqual([2])
    expect(second.next).toBe(undefined)
    expect(unwrap(await service.listAuctions({ ...newest, limit: 2, status: 'Pending' })).items).toEqual([])
  })

  test('leaves out an auction whose status changes before its ledger is read', async () => {
    const right = createMemoryStore()
    const other = createTestService({ store: right })
    const auction = await createAuction(other)
    const store: Store = {
      ...right,
      async findHeads(ids) {
        other.clock.set('2030-02-07T12:00:02Z')
        await other.closeDue()
        return right.findHeads(ids)
      },
    }
    const service = createTestService({ store })
    expect(unwrap(await service.listAuctions({ limit: 10, ...newest })).items).toMatchObject([
      { auction, status: 'Ended' },
    ])
    expect(unwrap(await service.listAuctions({ limit: 10, ...newest, status: 'Active' })).items).toEqual([])
  })

  test('sorts those that are over by when they ended, and filters them by status, on every page', async () => {
    const service = createTestService()
    const samples = [
      { endTime: '2030-01-31T14:00:00Z' },
      { endTime: '2030-01-31T13:30:00Z' },
      { buyNowPrice: 500 },
      {},
      {},
    ]
    for (const sample of samples) await createAuction(service, sample)
    const [bought, cancelled, cancelledLater] = [3, 4, 5].map((id) => sampleAuction({ id }).id)
    if (!bought || !cancelled || !cancelledLater) throw new Error('there are three')
    service.clock.set('2030-01-31T13:15:00Z')
    unwrap(await service.cancelAuction({ auctionId: cancelled }))
    service.clock.set('2030-01-31T13:45:00Z')
    unwrap(await buy(service, { id: bought }))
    service.clock.set('2030-01-31T14:00:01Z')
    const listed = async (status: 'Ended' | 'Cancelled', limit: number) => {
      const views = await allOf((after: AuctionPosition | undefined) =>
        service.listAuctions({ order: 'ended', status, limit, after }),
      )
      return views.map(({ auction }) => auction.id)
    }
    // The others have ended by the clock, and are not closed yet.
    expect(await listed('Ended', 10)).toEqual([3])
    service.clock.set('2030-01-31T14:01:00Z')
    await service.closeDue()
    unwrap(await service.cancelAuction({ auctionId: cancelledLater }))
    for (const limit of [1, 2, 10]) {
      expect(await listed('Ended', limit)).toEqual([1, 3, 2])
      expect(await listed('Cancelled', limit)).toEqual([5, 4])
    }
  })

  test('filters those that ended by outcome, on every page, past all that do not match', async () => {
    const service = createTestService()
    const bought = { buyNowPrice: 500 }
    const samples = [{}, {}, bought, {}, {}, ...Array.from({ length: 5 }, () => ({}))]
    const auctions: Auction[] = []
    for (const sample of samples) auctions.push(await createAuction(service, sample))
    const [, sold, toBuy, cancelled, soldToo] = auctions
    if (!sold || !toBuy || !cancelled || !soldToo) throw new Error('there are five')
    for (const auction of [sold, soldToo]) unwrap(await service.placeBid(newBid(auction, 2, 100)))
    unwrap(await buy(service, toBuy))
    unwrap(await service.cancelAuction({ auctionId: cancelled.id }))
    service.clock.set('2030-02-07T12:01:00Z')
    await service.closeDue()
    const listed = async (outcome: 'sold' | 'unsold' | 'bought', limit: number) => {
      const views = await allOf((after: AuctionPosition | undefined) =>
        service.listAuctions({ order: 'ended', status: 'Ended', outcome, limit, after }),
      )
      return views.map(({ auction }) => auction.id)
    }
    for (const limit of [1, 2, 10]) {
      expect(await listed('sold', limit)).toEqual([5, 2])
      expect(await listed('bought', limit)).toEqual([3])
      expect(await listed('unsold', limit)).toEqual([10, 9, 8, 7, 6, 1])
    }
    const first = unwrap(await service.listAuctions({ order: 'ended', status: 'Ended', outcome: 'sold', limit: 2 }))
    expect(first.items.map(({ auction }) => auction.id)).toEqual([5, 2])
  })

  test('finds auctions by the words of their titles, and not by words that a title no longer has', async () => {
    const service = createTestService()
    for (const title of ['A walnut desk', 'Desk', 'A lamp', null]) await createAuction(service, { title })
    for (const id of [1, 3, 4]) await service.store.addTitleWords?.(sampleAuction({ id }).id, ['desk', 'old'])
    const found = async (text: string, query: object = {}) =>
      unwrap(await service.listAuctions({ ...newest, limit: 1, words: wordsOf(text), ...query })).items.map(
        ({ auction }) => auction.id,
      )
    // The index has more auctions under these words, which do not make a page short.
    expect(await found('DESK')).toEqual([2])
    expect(await found('desk', { limit: 10 })).toEqual([2, 1])
    expect(await found('desk walnut')).toEqual([1])
    expect(await found('old')).toEqual([])
    expect(await found('desk', { status: 'Active' })).toEqual([2])
    expect(await found('desk', { status: 'Pending' })).toEqual([])
  })

  test('finds letters such as ø and o by each other, and ø also in titles that were indexed before', async () => {
    // The index has the first titles with their letters as they are.
    const titles = ['Smørrebrød', 'Smorrebrod', 'Đurđa Smørrebrød', 'Ægir']
    const store = storeWith((right) => ({
      async insertAuction({ title = '', ...untitled }) {
        if (untitled.id > titles.length) return right.insertAuction({ ...untitled, title })
        const inserted = await right.insertAuction(untitled)
        await right.addTitleWords(untitled.id, searchWordsOf(title))
        return inserted
      },
      async listAuctions(query) {
        const { items, next } = await right.listAuctions(query)
        return {
          items: items.map(({ auction, position }) => {
            const title = auction.title ?? titles[auction.id - 1] ?? ''
            return { auction: { ...auction, title }, position }
          }),
          next,
        }
      },
    }))
    const service = createTestService({ store })
    for (const title of [...titles, ...titles]) await createAuction(service, { title })
    await service.store.addTitleWords?.(sampleAuction({ id: 1 }).id, wordsOf('Smørrebrød'))
    const walk = async (text: string, limit: number) => {
      const views = await allOf((after: AuctionPosition | undefined) =>
        service.listAuctions({ ...newest, limit, words: searchWordsOf(text), after }),
      )
      return views.map(({ auction }) => auction.id)
    }
    for (const limit of [1, 2, 3, 100]) {
      expect(await walk('smørrebrød', limit)).toEqual([7, 6, 5, 3, 2, 1])
      expect(await walk('SMORREBROD', limit)).toEqual([7, 6, 5, 2, 1])
      expect(await walk('smørrebrød đurđa', limit)).toEqual([7, 3])
      expect(await walk('durda', limit)).toEqual([7])
      expect(await walk('ægir', limit)).toEqual([8, 4])
    }
  })

  test('reads one page of a store for a search that the store cannot finish within its bound', async () => {
    const right = createMemoryStore()
    let pages = 0
    const store: Store = {
      ...right,
      async listAuctions(query) {
        if (query.dueByMs === undefined) pages += 1
        const { items, next } = await right.listAuctions({ ...query, limit: 3 })
        // Two of three do not match, as if the store checked a filter.
        return { items: items.slice(0, 1), next }
      },
    }
    const service = createTestService({ store })
    for (let times = 0; times < 9; times++) await createAuction(service, { title: 'Desk' })
    const search = { ...newest, limit: 2, words: ['desk'] }
    const first = unwrap(await service.listAuctions(search))
    expect([first.items.map(({ auction }) => auction.id), pages]).toEqual([[9], 1])
    const rest = { ...search, status: 'Active', ...(first.next && { after: first.next }) } as const
    const second = unwrap(await service.listAuctions(rest))
    expect([second.items.map(({ auction }) => auction.id), pages]).toEqual([[6], 2])
  })

  test('returns the same view as a single read, with one read of all heads', async () => {
    const right = createMemoryStore()
    const asked: number[] = []
    const store: Store = {
      ...right,
      findHeads: (ids) => {
        asked.push(ids.length)
        return right.findHeads(ids)
      },
    }
    const service = createTestService({ store })
    for (let count = 1; count <= 5; count++) {
      const auction = await createAuction(service)
      for (let bids = 1; bids < count; bids++) {
        expect(codeOf(await service.placeBid(newBid(auction, 2, 100 * bids)))).toBe('accepted')
      }
    }
    asked.length = 0
    const { items } = unwrap(await service.listAuctions({ ...newest, limit: 10 }))
    expect(asked).toEqual([5])
    expect(items.map(({ bidCount, currentPriceMinor }) => [bidCount, currentPriceMinor])).toEqual([
      [4, 400_00],
      [3, 300_00],
      [2, 200_00],
      [1, 100_00],
      [0, 100_00],
    ])
    for (const item of items) {
      const view = unwrap(await service.readAuction(item.auction.id))
      expect(view).toStrictEqual({ ...item, sequence: item.bidCount })
    }
  })
})

describe('listing bids', () => {
  test('pages through all bids, newest first, unaffected by new ones', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const placed = []
    for (let count = 0; count < 5; count++) {
      placed.push(unwrap(await service.placeBid(newBid(auction, 2, 100 + count * 5))))
    }
    let page = unwrap(await service.listBids(auction.id, { limit: 2 }))
    const seen = [...page.items]
    for (let amount = 1_000; page.next !== undefined; amount += 1_000) {
      expect(codeOf(await service.placeBid(newBid(auction, 3, amount)))).toBe('accepted')
      page = unwrap(await service.listBids(auction.id, { limit: 2, before: page.next }))
      seen.push(...page.items)
    }
    expect(seen).toStrictEqual(placed.map(bidIn).toReversed())
  })

  test('does not list the end of the auction as a bid, and fills its pages', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    for (const amount of [100, 105, 110, 115]) await service.placeBid(newBid(auction, 2, amount))
    service.clock.set('2030-02-07T12:00:02Z')
    await service.closeDue()
    const amountsIn = (page: { readonly items: readonly { readonly amountMinor: number }[] }) =>
      page.items.map(({ amountMinor }) => amountMinor / 100)
    const first = unwrap(await service.listBids(auction.id, { limit: 3 }))
    expect(amountsIn(first)).toEqual([115, 110, 105])
    const last = unwrap(await service.listBids(auction.id, { limit: 3, ...(first.next && { before: first.next }) }))
    expect(amountsIn(last)).toEqual([100])
    expect(last.next).toBe(undefined)
    const all = unwrap(await service.listBids(auction.id, { limit: 4 }))
    expect(amountsIn(all)).toEqual([115, 110, 105, 100])
    expect(all.next).toBe(undefined)
  })

  test('returns an empty list for an auction without bids, and a refusal for a missing auction', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    expect(unwrap(await service.listBids(auction.id, { limit: 2 }))).toEqual({ items: [], next: undefined })
    expect(await service.listBids(sampleAuction({ id: 999 }).id, { limit: 2 })).toEqual({
      ok: false,
      refusal: { code: 'auction-not-found', auctionId: 999 },
    })
  })
})
