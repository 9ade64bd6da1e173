import { createMemoryStore } from '@auction/adapters/memory'
import type { NewAuctionSample } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { everythingSettled } from '../support/clocks.ts'
import { codeOf, createAuction, createTestService, keyOf, newBid, outcomeOf } from '../support/service.ts'
import { createCountingStore, createUnreliableStore, many } from '../support/stores.ts'

/** A process that has not read the auction yet, and its store calls. */
async function createNewcomer(sample: NewAuctionSample = {}) {
  const { store, calls } = createCountingStore()
  const founder = createTestService({ store })
  const auction = await createAuction(founder, sample)
  const service = createTestService({ store })
  // The first bid on any auction claims a block of ids.
  await service.placeBid(newBid(await createAuction(founder), 2, 100))
  const callsOf = async (use: () => Promise<unknown>) => {
    calls.length = 0
    await use()
    return [...calls]
  }
  const place = (bidderId: number, amount: number, key?: string) =>
    service.placeBid(newBid(auction, bidderId, amount), key === undefined ? undefined : keyOf(key))
  const placeElsewhere = (bidderId: number, amount: number) => founder.placeBid(newBid(auction, bidderId, amount))
  return { place, placeElsewhere, callsOf }
}

const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime: '2030-02-07T13:00:00Z' }

test.each<{ readonly title: string; readonly sample: NewAuctionSample }>([
  { title: 'auction', sample: {} },
  { title: 'auction with a soft close', sample: { softClose } },
])(
  'a bid on an uncached $title takes its terms, its head and an append; the next bid takes an append',
  async ({ sample }) => {
    const { place, callsOf } = await createNewcomer(sample)
    expect(await callsOf(() => place(2, 100))).toEqual(['findAuction', 'findHeads', 'append'])
    expect(await callsOf(() => place(2, 105))).toEqual(['append'])
  },
)

test('a refusal that depends on the state reads the head; one that follows from the terms does not', async () => {
  const { place, callsOf } = await createNewcomer()
  await place(2, 100)
  expect(await callsOf(() => place(3, 104))).toEqual(['findHeads'])
  expect(await callsOf(() => place(1, 105))).toEqual([])
})

test('refusals of both kinds that are decided together read the head once', async () => {
  const { place, callsOf } = await createNewcomer()
  // They wait while the first is written to the ledger.
  const called = await callsOf(async () => {
    const placed = await Promise.all([place(2, 100), place(1, 105), place(3, 104)])
    expect(placed.map(codeOf)).toEqual(['accepted', 'owner-cannot-bid', 'bid-too-low'])
  })
  expect(called).toEqual(['findAuction', 'findHeads', 'append', 'findHeads'])
})

test('a refusal caused by a bid that was just stored does not read the head', async () => {
  const { place, callsOf } = await createNewcomer()
  await place(2, 100)
  const called = await callsOf(async () => {
    const placed = await Promise.all([place(2, 105), place(2, 110), place(3, 111)])
    expect(placed.map(codeOf)).toEqual(['accepted', 'accepted', 'bid-too-low'])
  })
  expect(called).toEqual(['append'])
})

test('a bid with a key that conflicts with another process’s bid is not looked up: its sequence was taken, not its key', async () => {
  const { place, placeElsewhere, callsOf } = await createNewcomer()
  await place(2, 100)
  await placeElsewhere(3, 200)
  expect(await callsOf(() => place(2, 300, 'k'))).toEqual(['append', 'findHeads', 'append'])
})

test.each([
  { title: 'that is busy', wait: async () => undefined },
  { title: 'that has become idle', wait: everythingSettled },
])('a write with an unknown outcome makes a lane $title read the auction again', async ({ wait }) => {
  const right = createMemoryStore()
  const auction = await createAuction(createTestService({ store: right }))
  const down = many('lost-before-storing')
  const faults = { append: ['none', 'lost-after-storing', ...down.slice(0, 2)], findEntries: down.slice(0, 9) } as const
  const { store, calls } = createCountingStore(createUnreliableStore(right, faults))
  const service = createTestService({ store })
  const place = (amount: number) => outcomeOf(service.placeBid(newBid(auction, 2, amount)))
  expect([await place(100), await place(105)]).toEqual(['accepted', 'unknown'])
  await wait()
  calls.length = 0
  expect(await place(110)).toBe('accepted')
  expect(calls).toEqual(['findAuction', 'findHeads', 'append'])
})
