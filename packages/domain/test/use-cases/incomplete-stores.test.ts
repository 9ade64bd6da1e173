import { createMemoryStore } from '@auction/adapters/memory'
import { expect, test } from 'vitest'
import { parseCorrection } from '../../src/auction/correction.ts'
import { createAuctionService } from '../../src/service.ts'
import { isUnsupportedByStore } from '../../src/store/errors.ts'
import { requiredOperations } from '../../src/store/guarded-store.ts'
import { toUserId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import { createAuction, createTestService, newBid } from '../support/service.ts'

// A store may lack the search of titles and the lists of the bids of a bidder. All else works.

function createIncompleteService() {
  const { addTitleWords: _, listBidderEntries: __, ...store } = createMemoryStore()
  return createTestService({ store })
}

const refusalOf = (call: Promise<unknown>): Promise<string> =>
  call.then(JSON.stringify, (error) => (isUnsupportedByStore(error) ? error.message : `another error: ${error}`))

test('a store without searches and bids of a bidder makes them fail with the reason', async () => {
  const service = createIncompleteService()
  await createAuction(service)
  const newest = { order: 'newest', limit: 10 } as const
  expect(await refusalOf(service.listAuctions({ ...newest, words: ['desk'] }))).toBe(
    'the store cannot search titles: it has no addTitleWords',
  )
  expect(await refusalOf(service.listBidsOfBidder(toUserId(2), { limit: 10 }))).toBe(
    'the store cannot list the bids of a bidder: it has no listBidderEntries',
  )
  expect(unwrap(await service.listAuctions({ ...newest, words: undefined })).items).toHaveLength(1)
})

test('an auction of such a store is corrected, bid on, listed and followed', async () => {
  const service = createIncompleteService()
  const auction = await createAuction(service)
  const correction = unwrap(parseCorrection({ title: 'Oak desk' }))
  unwrap(await service.correctAuction({ auctionId: auction.id, correction, editor: 'me', mayCorrectAny: true }))
  unwrap(await service.placeBid(newBid(auction, 2, 100)))
  const [view] = unwrap(await service.listAuctions({ order: 'newest', limit: 10 })).items
  expect([view?.auction.title, view?.bidCount]).toEqual(['Oak desk', 1])
  expect(unwrap(await service.listEvents(auction.id, { after: 0, limit: 10 })).items).toHaveLength(2)
})

test('a store that lacks any other operation is refused', () => {
  const { clock, store } = createTestService()
  for (const name of requiredOperations) {
    const incomplete = { ...store, [name]: undefined }
    expect(() => createAuctionService({ store: incomplete, clock })).toThrow(`an object with the function ${name}`)
  }
})
