import { createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, test } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import { UnreadableStoredError } from '../../src/store/errors.ts'
import type { AuctionId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import {
  amountsOf,
  codeOf,
  createAuction,
  createTestService,
  newBid,
  outcomeOf,
  storeWith,
} from '../support/service.ts'

const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime: '2030-02-08T12:00:00Z' }

test('a bug in the rules fails the command that triggers it; commands decided together with it are stored', async () => {
  const bug = new TypeError('a bug')
  const right = createMemoryStore()
  const auction = await createAuction(createTestService({ store: right }), { softClose })
  let decided = 0
  const failsOnThird = {
    ...auction.softClose,
    /** The rules read it once for each bid that they accept. */
    get windowSeconds() {
      decided += 1
      if (decided === 3) throw bug
      return softClose.windowSeconds
    },
  } as Auction['softClose'] // It has all fields.
  const service = createTestService({
    store: { ...right, findAuction: async () => ({ ...auction, softClose: failsOnThird }) as Auction },
  })
  const [first, earlier, failing, later] = [
    service.placeBid(newBid(auction, 2, 100)),
    service.placeBid(newBid(auction, 2, 105)),
    service.placeBid(newBid(auction, 3, 110)),
    service.placeBid(newBid(auction, 2, 115)),
  ]
  await expect(failing).rejects.toBe(bug)
  expect(await Promise.all([first, earlier, later].map(outcomeOf))).toEqual(['accepted', 'accepted', 'accepted'])
  expect(await amountsOf(right, auction)).toEqual([100, 105, 115])
})

describe('a bug in a store', () => {
  test.each([
    { title: 'would be refused: the owner must not bid', bidderId: 1 },
    { title: 'conflicts with another bid that has the key', bidderId: 2 },
  ])('during the lookup of a key fails the command, and no others of the batch, if it $title', async ({ bidderId }) => {
    const bug = new TypeError('a bug')
    const right = createMemoryStore()
    const founder = createTestService({ store: right })
    const [auction, another] = [await createAuction(founder), await createAuction(founder)]
    const key = { caller: 'c', key: 'k' }
    unwrap(await founder.placeBid(newBid(another, 2, 100), key))
    const service = createTestService({ store: { ...right, findEntriesByKey: () => Promise.reject(bug) } })
    // The others wait while the first is in flight, and are decided together.
    const first = service.placeBid(newBid(auction, 2, 100))
    const keyed = service.placeBid(newBid(auction, bidderId, 105), key)
    const unkeyed = service.placeBid(newBid(auction, 4, 110))
    await expect(keyed).rejects.toBe(bug)
    expect([await outcomeOf(first), await outcomeOf(unkeyed)]).toEqual(['accepted', 'accepted'])
    expect(await amountsOf(right, auction)).toEqual([100, 110])
  })

  test('during a read is thrown unchanged, and the lane continues', async () => {
    const bug = new TypeError('a bug')
    let calls = 0
    const store = storeWith((right) => ({
      findHeads: (ids) => (++calls === 1 ? Promise.reject(bug) : right.findHeads(ids)),
    }))
    const auction = await createAuction(createTestService({ store }))
    const service = createTestService({ store })
    await expect(service.placeBid(newBid(auction, 2, 100))).rejects.toBe(bug)
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('accepted')
  })
})

test('an unreadable head fails the bids on its auction, and no other bids of its append', async () => {
  const right = createMemoryStore()
  const unreadable = new Set<AuctionId>()
  const store = {
    ...right,
    async findHeads(ids: readonly AuctionId[]) {
      const id = ids.find((each) => unreadable.has(each))
      if (id !== undefined) throw new UnreadableStoredError('entry', { id: 1, auctionId: id }, 'an invalid field state')
      return right.findHeads(ids)
    },
  }
  const service = createTestService({ store })
  const auctions = []
  for (let count = 0; count < 4; count++) auctions.push(await createAuction(service))
  // The service caches all heads; then another process adds an entry to each.
  for (const auction of auctions) await service.placeBid(newBid(auction, 2, 100))
  const other = createTestService({ store: right })
  for (const auction of auctions) await other.placeBid(newBid(auction, 3, 105))
  for (const { id } of auctions.slice(2, 3)) unreadable.add(id)

  const placed = auctions.map((auction) => outcomeOf(service.placeBid(newBid(auction, 2, 200))))
  expect(await Promise.all(placed)).toEqual(['accepted', 'accepted', 'unknown', 'accepted'])
})
