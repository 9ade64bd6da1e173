import { describe, expect, test } from 'vitest'
import { wordsOf } from '../../src/auction/title-words.ts'
import type { AuctionPosition } from '../../src/store/store.ts'
import { unwrap } from '../../src/values/result.ts'
import {
  allOf,
  auctionIdOf,
  buy,
  cancel,
  codeOf,
  createAuction,
  createTestService,
  idsIn,
  newBid,
  storeWith,
} from '../support/service.ts'

const newest = { order: 'newest' } as const

test('a list has all auctions, newest first, and its pages are unaffected by new ones', async () => {
  const service = createTestService()
  for (let count = 1; count <= 5; count++) {
    await createAuction(service)
    if (count % 2 === 0) service.clock.advance(1)
  }
  const views = await allOf(async (after?: AuctionPosition) => {
    if (after !== undefined) await createAuction(service)
    return service.listAuctions({ ...newest, limit: 2, after })
  })
  expect(views.map(({ auction }) => auction.id)).toEqual([5, 4, 3, 2, 1])
})

test('a list has the same view as a single read, with one read of all heads', async () => {
  const asked: number[] = []
  const store = storeWith((right) => ({
    findHeads: (ids) => {
      asked.push(ids.length)
      return right.findHeads(ids)
    },
  }))
  const service = createTestService({ store })
  for (let count = 1; count <= 5; count++) {
    const auction = await createAuction(service)
    for (let bids = 1; bids < count; bids++)
      expect(codeOf(await service.placeBid(newBid(auction, 2, 100 * bids)))).toBe('accepted')
  }
  asked.length = 0
  const { items } = unwrap(await service.listAuctions({ ...newest, limit: 10 }))
  expect(asked).toEqual([5])
  expect(items.map(({ bidCount, sequence }) => [bidCount, sequence])).toEqual(
    [4, 3, 2, 1, 0].map((bids) => [bids, bids]),
  )
  for (const item of items) expect(unwrap(await service.readAuction(item.auction.id))).toStrictEqual(item)
})

describe('on every page, a list', () => {
  test('is filtered by status', async () => {
    const service = createTestService()
    for (let count = 0; count < 6; count++)
      await createAuction(service, count % 2 === 0 ? {} : { endTime: '2030-01-31T14:00:00Z' })
    service.clock.set('2030-01-31T14:00:00Z')
    const first = unwrap(await service.listAuctions({ ...newest, limit: 2, status: 'Ended' }))
    expect(first.items).toMatchObject([{ status: 'Ended' }, { status: 'Ended' }])
    expect(await idsIn(service, { ...newest, limit: 2, status: 'Ended' })).toEqual([6, 4, 2])
    expect(await idsIn(service, { ...newest, limit: 2, status: 'Pending' })).toEqual([])
  })

  test('of auctions that are over is sorted by when they ended, and filtered by status and outcome', async () => {
    const service = createTestService()
    const first = await createAuction(service, { endTime: '2030-01-31T14:00:00Z' })
    await createAuction(service, { endTime: '2030-01-31T13:30:00Z' })
    const bought = await createAuction(service, { buyNowPrice: 500 })
    const [cancelled, later] = [await createAuction(service), await createAuction(service)]
    await createAuction(service, { endTime: '2030-01-31T13:50:00Z' })
    unwrap(await service.placeBid(newBid(first, 2, 100)))
    service.clock.set('2030-01-31T13:15:00Z')
    unwrap(await cancel(service, cancelled))
    service.clock.set('2030-01-31T13:45:00Z')
    unwrap(await buy(service, bought))
    service.clock.set('2030-01-31T14:00:01Z')
    const ended = { order: 'ended', status: 'Ended' } as const
    // The others have ended by the clock, and are not closed yet.
    expect(await idsIn(service, { ...ended, limit: 10 })).toEqual([3])
    service.clock.set('2030-01-31T14:01:00Z')
    await service.closeDue()
    unwrap(await cancel(service, later))
    for (const limit of [1, 2, 10]) {
      expect(await idsIn(service, { ...ended, limit })).toEqual([1, 6, 3, 2])
      expect(await idsIn(service, { order: 'ended', status: 'Cancelled', limit })).toEqual([5, 4])
      const byOutcome = (['sold', 'bought', 'unsold'] as const).map((outcome) => ({ ...ended, outcome, limit }))
      const ids = await Promise.all(byOutcome.map((query) => idsIn(service, query)))
      expect(ids).toEqual([[1], [3], [6, 2]])
    }
  })
})

describe('a search', () => {
  test('finds auctions by the words of their titles, and not by words that a title no longer has', async () => {
    const service = createTestService()
    for (const title of ['A walnut desk', 'Desk', 'A lamp', null]) await createAuction(service, { title })
    for (const id of [1, 3, 4]) await service.store.addTitleWords?.(auctionIdOf(id), ['desk', 'old'])
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

  test('reads one page of a store that cannot finish it within its bound', async () => {
    let pages = 0
    const store = storeWith((right) => ({
      async listAuctions(query) {
        if (query.dueByMs === undefined) pages += 1
        const { items, next } = await right.listAuctions({ ...query, limit: 3 })
        // Two of three do not match, as if the store checked a filter.
        return { items: items.slice(0, 1), next }
      },
    }))
    const service = createTestService({ store })
    for (let times = 0; times < 9; times++) await createAuction(service, { title: 'Desk' })
    const search = { ...newest, limit: 2, words: ['desk'] }
    const first = unwrap(await service.listAuctions(search))
    expect([first.items.map(({ auction }) => auction.id), pages]).toEqual([[9], 1])
    const second = unwrap(await service.listAuctions({ ...search, status: 'Active', after: first.next }))
    expect([second.items.map(({ auction }) => auction.id), pages]).toEqual([[6], 2])
  })
})
