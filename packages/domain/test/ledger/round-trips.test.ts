import { expect, test } from 'vitest'
import { createCountingStore } from '../support/counting-store.ts'
import { codeOf, createAuction, createTestService, newBid } from '../support/service.ts'

/** A process that has not seen its auction yet, and what it asks of the store. */
async function createNewcomer() {
  const { store, calls } = createCountingStore()
  const founder = createTestService({ store })
  const auction = await createAuction(founder)
  const service = createTestService({ store })
  // Ids are at hand after the first bid anywhere.
  await service.placeBid(newBid(await createAuction(founder), 2, 100))
  const callsOf = async (use: () => Promise<unknown>) => {
    calls.length = 0
    await use()
    return [...calls]
  }
  const place = (bidderId: number, amount: number) => service.placeBid(newBid(auction, bidderId, amount))
  return { place, callsOf }
}

test('a bid on an auction that is not known yet takes its terms, its head and an append', async () => {
  const { place, callsOf } = await createNewcomer()
  expect(await callsOf(() => place(2, 100))).toEqual(['findAuction', 'findHeads', 'append'])
  expect(await callsOf(() => place(2, 105))).toEqual(['append'])
})

test('a refusal on an auction that is not known yet takes its terms and its head, once', async () => {
  const { place, callsOf } = await createNewcomer()
  expect(await callsOf(() => place(2, 99))).toEqual(['findAuction', 'findHeads'])
})

test('a refusal that reads the state takes a look at the head, and one that follows from the terms takes none', async () => {
  const { place, callsOf } = await createNewcomer()
  await place(2, 100)
  expect(await callsOf(() => place(3, 104))).toEqual(['findHeads'])
  expect(await callsOf(() => place(1, 105))).toEqual([])
})

test('refusals of both kinds that are decided together take one look at the head', async () => {
  const { place, callsOf } = await createNewcomer()
  // They gather while the first is on its way into the ledger.
  const called = await callsOf(async () => {
    const placed = await Promise.all([place(2, 100), place(1, 105), place(3, 104)])
    expect(placed.map(codeOf)).toEqual(['accepted', 'owner-cannot-bid', 'bid-too-low'])
  })
  expect(called).toEqual(['findAuction', 'findHeads', 'append', 'findHeads'])
})
