import { expect, test } from 'vitest'
import { followAuction } from '../../src/use-cases/follow-auction.ts'
import type { PublicEvent } from '../../src/use-cases/public-event.ts'
import { auctionIdOf, createTestService, newBid, noResponse, serveAuction, storeWith } from '../support/service.ts'

const dueTime = '2030-02-07T12:00:02Z'

async function createFollowed() {
  const { service, auction } = await serveAuction()
  const place = (amount: number) => service.placeBid(newBid(auction, 2 + (amount % 2), amount))
  return { service, auction, place }
}

test('follows the events of an auction to its end, those before it began and those while it waits', async () => {
  const { service, auction, place } = await createFollowed()
  await place(100)
  const events: PublicEvent[] = []
  const followed = followAuction(service, auction.id)
  const following = (async () => {
    for await (const event of followed) events.push(event)
  })()
  for (let amount = 105; amount <= 125; amount += 5) await place(amount)
  service.clock.set(dueTime)
  await service.closeDue()
  await following
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(events.at(-1)?.type).toBe('ended')
  expect(await followed.next()).toEqual({ done: true, value: undefined })
})

test('continues after a sequence, over more events than a page has', async () => {
  const { service, auction, place } = await createFollowed()
  for (let index = 0; index < 120; index++) await place(100 + 5 * index)
  const followed = followAuction(service, auction.id, 5)
  const sequences: number[] = []
  for await (const { sequence } of followed) {
    sequences.push(sequence)
    if (sequence === 120) break
  }
  expect(sequences).toEqual(Array.from({ length: 115 }, (_, index) => 6 + index))
  expect(await followed.next()).toEqual({ done: true, value: undefined })
})

test('ends while it waits', async () => {
  const { service, auction } = await createFollowed()
  const followed = followAuction(service, auction.id)
  const next = followed.next()
  await followed.return()
  expect(await next).toEqual({ done: true, value: undefined })
})

test('loses no event when the store fails', async () => {
  let isAway = false
  const store = storeWith((right) => ({
    listEntries: async (...query) => (isAway ? Promise.reject(noResponse()) : right.listEntries(...query)),
  }))
  const { service, auction } = await serveAuction({}, { store })
  await service.placeBid(newBid(auction, 2, 100))
  const followed = followAuction(service, auction.id)
  isAway = true
  await expect(followed.next()).rejects.toMatchObject({ code: 'store-unavailable' })
  isAway = false
  expect(await followed.next()).toMatchObject({ done: false, value: { sequence: 1 } })
  await followed.return()
})

test('throws an error with the refusal for an unknown auction', async () => {
  const followed = followAuction(createTestService(), auctionIdOf(9))
  await expect(followed.next()).rejects.toMatchObject({ cause: { code: 'auction-not-found' } })
  await followed.return()
})
