import { createMemoryStore } from '@auction/adapters/memory'
import { sampleNewBid } from '@auction/testing/samples'
import { expect, onTestFinished, test } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import type { AuctionService } from '../../src/service.ts'
import type { PublicEvent } from '../../src/use-cases/public-event.ts'
import { maxRecentCharacters, maxRecentEvents } from '../../src/use-cases/recent-events.ts'
import { unwrap } from '../../src/values/result.ts'
import { cancel, correct, createAuction, createTestService, keyOf, newBid, serveAuction } from '../support/service.ts'
import { type CallOutcome, createCountingStore, createUnreliableStore } from '../support/stores.ts'

/** A service that follows an auction, and how it reads up to the entry that it noticed last. */
async function followed(parts: Parameters<typeof createTestService>[0] = {}, fields = {}) {
  const { store, calls } = createCountingStore(parts.store ?? createMemoryStore())
  const { service, auction } = await serveAuction(fields, { ...parts, store })
  let noticed = 0
  const unwatch = service.watchAuction(auction.id, (sequence) => {
    noticed = sequence
  })
  onTestFinished(unwatch)
  const list = async (after: number, { limit = 100, through = noticed } = {}) => {
    calls.length = 0
    const page = unwrap(await service.listEvents(auction.id, { after, limit, through }))
    return { page, reads: [...calls] }
  }
  const place = async (amount: number, at: AuctionService = service) =>
    unwrap(await at.placeBid(newBid(auction, 2 + ((amount / 5) % 2), amount)))
  return { service, store, auction, unwatch, list, place, noticed: () => noticed }
}

const readsOfPage = ['findAuctions', 'findHeads', 'listEntries']
const sequencesOf = (events: readonly PublicEvent[]) => events.map(({ sequence }) => sequence)

/** What every service on the store lists, by reading it. */
const readBy = async (
  { store, auction }: { store: Parameters<typeof createUnreliableStore>[0]; auction: Auction },
  after = 0,
) => unwrap(await createTestService({ store }).listEvents(auction.id, { after, limit: 100 }))

test('an entry of any kind that this service stored is listed as it would be read, without a call of the store', async () => {
  const one = await followed({}, { reservePrice: 200 })
  const { service, auction, list, place } = one
  unwrap(await correct(service, auction, { title: 'A desk' }))
  await place(100)
  await place(105)
  // A raise that leaves the price shows nothing.
  unwrap(await service.placeBid(sampleNewBid({ auctionId: auction.id, bidderId: 3, amount: 1, maximumAmount: 190 })))
  await place(195)
  service.clock.set('2030-02-07T12:00:02Z')
  await service.closeDue()
  for (let after = 0; after < one.noticed(); after++) {
    const { page, reads } = await list(after)
    expect(reads).toEqual([])
    expect(page).toEqual(await readBy(one, after))
  }
  expect((await list(0)).page.items.map(({ type }) => type)).toEqual(['corrected', 'bids', 'bids', 'bids', 'ended'])
})

test('an entry after the end, which shows nothing, is passed', async () => {
  const one = await followed()
  for (const key of ['first', 'second']) unwrap(await cancel(one.service, one.auction, undefined, keyOf(key)))
  const { page, reads } = await one.list(0)
  expect(reads).toEqual([])
  expect(page).toMatchObject({ items: [{ type: 'ended', sequence: 1 }], position: 2, isAtHead: true, isOver: true })
  expect(page).toEqual(await readBy(one))
})

test('a page ends at its limit, or at the entry through which events are needed', async () => {
  const { place, list, store, auction } = await followed()
  for (let amount = 100; amount < 125; amount += 5) await place(amount)
  expect((await list(1, { limit: 2 })).page).toMatchObject({ position: 3, isAtHead: false, isOver: false })
  expect((await list(1, { through: 3 })).page).toMatchObject({ position: 3, isAtHead: true })
  const read = await createTestService({ store }).listEvents(auction.id, { after: 1, limit: 2, through: 3 })
  expect(unwrap(read)).toMatchObject({ position: 3, isAtHead: true })
  expect(await list(4)).toMatchObject({ page: { position: 5, isAtHead: true }, reads: [] })
})

test('a caller that names no entry, or has it already, gets what is stored by any service', async () => {
  const one = await followed()
  await one.place(100)
  await one.place(105, createTestService({ store: one.store }))
  for (const through of [0, 1]) {
    const { page, reads } = await one.list(through, { through })
    expect(reads).toEqual(readsOfPage)
    expect(page.position).toBe(2)
  }
})

test('entries of another service are read, and the own ones after them are not', async () => {
  const one = await followed()
  const other = createTestService({ store: one.store })
  await one.place(100)
  await one.place(105, other)
  await one.place(110)
  await one.place(115)
  expect(one.noticed()).toBe(4)
  // The page ends where memory does. The next one is read up to the head.
  expect(await one.list(0)).toMatchObject({ page: { position: 1, isAtHead: false }, reads: [] })
  const { page, reads } = await one.list(1)
  expect(reads).toEqual(readsOfPage)
  expect(sequencesOf(page.items)).toEqual([2, 3, 4])
  expect(await one.list(2)).toMatchObject({ page: { position: 4, isAtHead: true }, reads: [] })
  expect((await one.list(2)).page).toEqual(await readBy(one, 2))
})

test('nothing is kept of an auction without followers', async () => {
  const { unwatch, place, list } = await followed()
  unwatch()
  await place(100)
  expect((await list(0, { through: 1 })).reads).toEqual(readsOfPage)
})

test('a program with hooks follows all auctions, and its lists are never refused', async () => {
  const { store, calls } = createCountingStore()
  const service = createTestService({ store, limits: { maxReads: 0 } })
  const stored: unknown[] = []
  const onStored = () => {
    throw new Error('a fault of another program')
  }
  service.extend({ onStored })
  const { listEvents } = service.extend({ onStored: (entries) => stored.push(entries) })
  const auction = await createAuction(service)
  unwrap(await service.placeBid(newBid(auction, 2, 100)))
  expect(stored).toEqual([
    { auctionId: 1, first: 0, last: 0 },
    { auctionId: 1, first: 1, last: 1 },
  ])
  calls.length = 0
  expect(unwrap(await listEvents(auction.id, { after: 0, limit: 10, through: 1 }))).toMatchObject({ position: 1 })
  expect(calls).toEqual([])
  expect(unwrap(await listEvents(auction.id, { after: 0, limit: 10 }))).toMatchObject({ position: 1 })
  expect(await service.listEvents(auction.id, { after: 0, limit: 10 })).toMatchObject({ ok: false })
})

const lostResponses: readonly CallOutcome[] = [
  'lost-after-storing',
  'lost-before-storing',
  'repeated',
  { lostAfter: 1 },
]

test.each(lostResponses)(
  'after a response is lost (%j), the events are those of the ledger, without a read',
  async (outcome) => {
    const right = createMemoryStore()
    const one = await followed({ store: createUnreliableStore(right, { append: ['none', outcome] }) })
    await one.place(100)
    await Promise.all([one.place(105), one.place(110)])
    const { page, reads } = await one.list(0)
    expect(reads).toEqual([])
    expect(sequencesOf(page.items)).toEqual([1, 2, 3])
    expect(page).toEqual(await readBy({ store: right, auction: one.auction }))
  },
)

test('nothing is listed of a write whose outcome is unknown', async () => {
  const outcomes: readonly CallOutcome[] = Array.from({ length: 10 }, () => 'lost-before-storing')
  const one = await followed({ store: createUnreliableStore(createMemoryStore(), { append: outcomes }) })
  await expect(one.place(100)).rejects.toMatchObject({ outcome: 'unknown' })
  expect(one.noticed()).toBe(0)
  expect((await one.list(0, { through: 1 })).page).toMatchObject({ items: [], position: 0 })
})

test('a bounded number of events is in memory, and a reader that is further behind reads the ledger', async () => {
  const one = await followed()
  for (let index = 0; index <= maxRecentEvents; index++) await one.place(100 + 5 * index)
  expect((await one.list(0)).reads).toEqual(readsOfPage)
  expect((await one.list(1)).reads).toEqual([])
  expect(sequencesOf((await one.list(1)).page.items)).toEqual(Array.from({ length: 100 }, (_, index) => index + 2))
})

test('an event with long texts is read', async () => {
  const names = Array.from({ length: maxRecentCharacters / 500 }, (_, index) => `picture${index}`)
  const metadata = Object.fromEntries(names.map((name) => [name, 'x'.repeat(500)]))
  const one = await followed({}, { metadata })
  unwrap(await cancel(one.service, one.auction))
  const { page, reads } = await one.list(0)
  expect(reads).toEqual(readsOfPage)
  expect(page).toMatchObject({ items: [{ type: 'ended', metadata }], isOver: true })
})
