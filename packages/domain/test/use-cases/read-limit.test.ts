import { expect, test } from 'vitest'
import { auctionIdOf, codeOf, createTestService, storeWith } from '../support/service.ts'

test('reads past the limit are refused as overloaded until others end; commands are not', async () => {
  const held = Promise.withResolvers<void>()
  const store = storeWith((right) => ({
    listAuctions: (query) => held.promise.then(() => right.listAuctions(query)),
    findAuction: (id) => held.promise.then(() => right.findAuction(id)),
  }))
  const service = createTestService({ store, limits: { maxReads: 2 } })
  const id = auctionIdOf(1)
  const list = () => service.listAuctions({ order: 'newest', limit: 1 })
  const underWay = [list(), service.listBids(id, { limit: 1 })]
  const refused = [await list(), await service.readAuction(id), await service.listBids(id, { limit: 1 })]
  expect(refused.map(codeOf)).toEqual(['overloaded', 'overloaded', 'overloaded'])
  held.resolve()
  expect((await Promise.all(underWay)).map(codeOf)).toEqual(['accepted', 'auction-not-found'])
  expect(codeOf(await list())).toBe('accepted')
})

test('a failed read frees its capacity', async () => {
  const store = storeWith(() => ({ listAuctions: () => Promise.reject(new TypeError('a bug')) }))
  const service = createTestService({ store, limits: { maxReads: 1 } })
  for (let times = 0; times < 3; times++) {
    await expect(service.listAuctions({ order: 'newest', limit: 1 })).rejects.toThrow('a bug')
  }
})
