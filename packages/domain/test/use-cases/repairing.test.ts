import { createMemoryStore } from '@auction/adapters/memory'
import { sampleCorrection, sampleNewBid } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import { isoOf } from '../../src/values/moment.ts'
import { unwrap } from '../../src/values/result.ts'
import {
  auctionIdOf,
  codeOf,
  correct,
  createAuction,
  createTestService,
  endAuction,
  endTime,
  extend,
  keyOf,
  ledgerOf,
  lower,
  newBid,
  noResponse,
  openTime,
  outcomeOf,
  serveAuction,
  storeHiding,
  storeWith,
  type TestService,
  withdraw,
} from '../support/service.ts'
import { createHeldStore } from '../support/stores.ts'

const openMs = Date.parse(openTime)
const later = '2030-02-07T13:00:00Z'
const afterMargin = (iso: string) => isoOf(Date.parse(iso) + 2_000)

const dueOf = async ({ store }: Pick<TestService, 'store'>) => {
  const { items } = await store.listAuctions({ order: 'agenda', limit: 10 })
  return items.map(({ position }) => isoOf(position.timeMs).replace('.000Z', 'Z'))
}

/** Another process on the same store, at a time. */
function processAt({ store }: TestService, iso: string): TestService {
  const other = createTestService({ store })
  other.clock.set(iso)
  return other
}

const closeAt = (service: TestService, iso: string) => processAt(service, iso).closeDue()

const eventsOf = async (service: TestService, { id }: Auction) =>
  unwrap(await service.listEvents(id, { after: 0, limit: 100 })).items

describe('an extension', () => {
  test('is in reads and events, moves the auction on the agenda, and delays its result', async () => {
    const { service, auction } = await serveAuction()
    const view = unwrap(await extend(service, auction, later))
    expect(view).toMatchObject({ status: 'Active', effectiveEndTime: { epochMs: Date.parse(later) }, repairCount: 1 })
    expect(unwrap(await service.readAuction(auction.id))).toStrictEqual({ ...view, sequence: 1 })
    const previous = { reason: 'Outage.', previousEndTime: { epochMs: Date.parse(endTime) } }
    expect(await eventsOf(service, auction)).toMatchObject([
      { type: 'extended', sequence: 1, atMs: openMs, ...previous },
    ])
    expect(await dueOf(service)).toEqual([later])
    expect(await closeAt(service, afterMargin(endTime))).toEqual({ closed: 0, left: 0 })
    expect(await closeAt(service, afterMargin(later))).toEqual({ closed: 1, left: 0 })
  })

  test('after the end, before its result, is not closed by a process that has looked at the earlier end', async () => {
    const right = createMemoryStore()
    const { service, auction } = await serveAuction({}, { store: right })
    const held = createHeldStore(right)
    const closing = closeAt({ ...service, store: held }, afterMargin(endTime))
    const append = await held.nextAppend()
    service.clock.set(afterMargin(endTime))
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('auction-ended')
    unwrap(await extend(service, auction, later))
    await append.release()
    expect(await closing).toEqual({ closed: 0, left: 0 })
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('accepted')
    expect(await dueOf(service)).toEqual([later])
  })

  test('is known to other processes that have refused bids after the earlier end', async () => {
    const { service, auction } = await serveAuction()
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    const other = processAt(service, endTime)
    expect(codeOf(await other.placeBid(newBid(auction, 3, 120)))).toBe('auction-ended')
    unwrap(await extend(service, auction, later))
    expect(codeOf(await other.placeBid(newBid(auction, 3, 120)))).toBe('accepted')
  })

  test('of an auction that has not started keeps its start on the agenda, and replaces an early end', async () => {
    const service = createTestService()
    const startTime = '2030-02-05T12:00:00Z'
    unwrap(await extend(service, await createAuction(service, { startTime }), later))
    const ended = await createAuction(service)
    unwrap(await endAuction(service, ended))
    unwrap(await extend(service, ended, later))
    expect(await dueOf(service)).toEqual([startTime, later])
  })
})

describe('an early end', () => {
  test('is shown at once, with the result after the margin', async () => {
    const { service, auction } = await serveAuction({ buyNowPrice: 1_000 })
    const end = isoOf(openMs + 1)
    const view = unwrap(await endAuction(service, auction))
    expect(view).toMatchObject({ status: 'Ended', effectiveEndTime: { iso: end }, isBuyNowOffered: false })
    expect(await dueOf(service)).toEqual([end])
    expect(await closeAt(service, isoOf(openMs + 2_000))).toEqual({ closed: 0, left: 0 })
    const [event] = await eventsOf(service, auction)
    const previous = { previousEndTime: { epochMs: Date.parse(endTime) }, isBuyNowOffered: false }
    expect(event).toMatchObject({ type: 'ended-early', effectiveEndTime: { iso: end }, ...previous })
    const was = unwrap(await service.readAuctionAt(auction.id, 1))
    expect(was).toMatchObject({ status: 'Ended', isBuyNowOffered: false })
    expect(await closeAt(service, afterMargin(end))).toEqual({ closed: 1, left: 0 })
    const result = { outcome: 'unsold', isEndedEarly: true }
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ result })
    expect((await eventsOf(service, auction)).slice(1)).toMatchObject([{ type: 'ended', result }])
    const { items } = unwrap(await service.listAuctions({ order: 'ended', status: 'Ended', limit: 1 }))
    expect(items).toMatchObject([{ result }])
  })

  test('counts a bid that arrived before it and is recorded after it', async () => {
    const { service, auction } = await serveAuction()
    const other = createTestService({ store: service.store })
    expect(codeOf(await other.placeBid(newBid(auction, 2, 1)))).toBe('bid-too-low')
    service.clock.set(isoOf(openMs + 500))
    other.clock.set(isoOf(openMs + 900))
    unwrap(await endAuction(service, auction))
    expect(codeOf(await other.placeBid(newBid(auction, 2, 100), undefined, openMs))).toBe('accepted')
    expect(codeOf(await other.placeBid(newBid(auction, 3, 120)))).toBe('auction-ended')
  })

  test.each(['before', 'after'])('ends it in time, even if the process ends %s it is recorded', async (when) => {
    const store = storeWith((right) => ({
      updateAgenda: async (updates) => {
        if (updates.some((update) => 'dueMs' in update)) throw noResponse()
        return right.updateAgenda(updates)
      },
      append: async (entries, options) => {
        const stored = when === 'after' ? await right.append(entries, options) : 0
        if (entries.some(({ event }) => event.type === 'ended-early')) throw noResponse()
        return stored === 0 ? right.append(entries, options) : stored
      },
    }))
    const { service, auction } = await serveAuction({}, { store, limits: { maxTries: 1 } })
    expect(await outcomeOf(endAuction(service, auction))).toBe(when === 'after' ? 'accepted' : 'unknown')
    // The deadline after the request.
    expect(await dueOf(service)).toEqual([isoOf(openMs + 10_000).replace('.000', '')])
    const closed = when === 'after' ? 1 : 0
    expect(await closeAt(service, isoOf(openMs + 12_000))).toEqual({ closed, left: 0 })
  })

  test('is not recorded without its check', async () => {
    const store = storeWith(() => ({ updateAgenda: () => Promise.reject(noResponse()) }))
    const { service, auction } = await serveAuction({}, { store })
    expect(await outcomeOf(endAuction(service, auction))).toBe('nothing-changed')
    expect(await ledgerOf(service.store, auction)).toEqual([])
  })

  test('of an auction that is just being created moves it on the agenda', async () => {
    const { service, auction } = await serveAuction({}, { store: storeHiding(1) })
    expect(unwrap(await endAuction(service, auction))).toMatchObject({ effectiveEndTime: { epochMs: openMs + 1 } })
    expect(await dueOf(service)).toEqual([isoOf(openMs + 1)])
  })
})

describe('a lower reserve', () => {
  test('bids for the leader whose maximum covers it, in the same entry', async () => {
    const { service, auction } = await serveAuction({ reservePrice: 300 })
    unwrap(await service.placeBid(sampleNewBid({ auctionId: auction.id, maximumAmount: 200 })))
    const view = unwrap(await lower(service, auction, 150))
    const shown = { currentPriceMinor: 150_00, bidCount: 2, leaderId: 2, isReserveMet: true }
    expect(view).toMatchObject({ ...shown, auction: { reservePriceMinor: 150_00 } })
    const { items } = unwrap(await service.listBids(auction.id, { limit: 1 }))
    expect(items).toMatchObject([{ bidderId: 2, amountMinor: 150_00, automatic: true }])
    for (const { id } of items) expect([unwrap(await service.readBid(id))]).toEqual(items)
    const [, event] = await eventsOf(service, auction)
    expect(event).toMatchObject({ type: 'reserve-lowered', ...shown, bids: items })
    expect(JSON.stringify(event)).not.toContain('reservePrice')
  })

  test('is decided by the last entry of another process', async () => {
    const { service, auction } = await serveAuction({ reservePrice: 300 })
    unwrap(await lower(createTestService({ store: service.store }), auction, 200))
    expect(codeOf(await lower(service, auction, 250))).toBe('validation-failed')
    expect(unwrap(await lower(service, auction, 0)).isReserveMet).toBeUndefined()
  })
})

const extendTo = (...[service, auction, n]: Parameters<typeof lower>) =>
  extend(service, auction, `2030-02-08T0${n}:00:00Z`, keyOf('k'))
const lowerBy = (...[service, auction, n]: Parameters<typeof lower>) => lower(service, auction, 200 - n, keyOf('k'))
const end = (...[service, auction]: Parameters<typeof lower>) => endAuction(service, auction, keyOf('k'))

test.each([
  { what: 'an extension', repair: extendTo },
  { what: 'a lower reserve', repair: lowerBy },
  { what: 'an early end', repair: end },
])('$what with a key is made once, and its key serves no other', async ({ repair }) => {
  const { service, auction } = await serveAuction({ reservePrice: 300 })
  const first = unwrap(await repair(service, auction, 1))
  service.clock.advance(1_000)
  expect(await repair(service, auction, 1)).toStrictEqual({ ok: true, value: first, isRepeated: true })
  if (repair !== end) expect(codeOf(await repair(service, auction, 2))).toBe('idempotency-key-reused')
  expect(await ledgerOf(service.store, auction)).toHaveLength(1)
})

test.each([
  { what: 'a withdrawal', repair: (service: TestService, auction: Auction) => withdraw(service, auction, 2) },
  { what: 'an early end', repair: endAuction },
  { what: 'a lower reserve', repair: (service: TestService, auction: Auction) => lower(service, auction, 200) },
])('$what after the end rules out no bid that arrived before it', async ({ repair }) => {
  const { service, auction } = await serveAuction({ reservePrice: 300 })
  unwrap(await service.placeBid(newBid(auction, 2, 100)))
  const endMs = auction.endTime.epochMs
  service.clock.set(isoOf(endMs + 500))
  const repaired = unwrap(await repair(service, auction))
  expect(repaired).toMatchObject({ status: 'Ended', effectiveEndTime: { epochMs: endMs } })
  const other = processAt(service, isoOf(endMs + 600))
  expect(codeOf(await other.placeBid(newBid(auction, 3, 150), undefined, endMs - 1))).toBe('accepted')
  expect(codeOf(await other.placeBid(newBid(auction, 3, 200), undefined, endMs))).toBe('auction-ended')
  await closeAt(service, afterMargin(endTime))
  // The end was not moved, so it is none of staff.
  const result = { outcome: 'unsold', reason: 'reserve-not-met' }
  expect(unwrap(await service.readAuction(auction.id)).result).toStrictEqual(result)
})

test('repairs and corrections are listed newest first, with their editors, and without a secret', async () => {
  const { service, auction } = await serveAuction({ reservePrice: 300 })
  expect(unwrap(await service.listRepairs(auction.id))).toEqual([])
  unwrap(await correct(service, auction, { title: 'Desk' }))
  unwrap(await extend(service, auction, later))
  const fields = { auctionId: auction.id, correction: sampleCorrection({ description: 'Worn.' }), editor: 'anna' }
  unwrap(await service.correctAuction({ ...fields, requesterId: auction.ownerId }))
  unwrap(await service.placeBid(newBid(auction, 2, 100)))
  unwrap(await lower(service, auction, 250))
  unwrap(await endAuction(service, auction))
  const listed = unwrap(await service.listRepairs(auction.id))
  const changes = (await eventsOf(service, auction)).filter(({ type }) => type !== 'bids').toReversed()
  expect(listed).toEqual(changes.map((event, index) => ({ event, editor: index === 2 ? 'anna' : 'staff' })))
  const types = ['ended-early', 'reserve-lowered', 'corrected', 'extended', 'corrected']
  expect(listed.map(({ event: { type } }) => type)).toEqual(types)
  expect(listed.map(({ event: { by } }) => by)).toEqual(['staff', 'staff', 'owner', 'staff', 'staff'])
  expect(JSON.stringify(listed)).not.toContain('25000')
  expect(codeOf(await service.listRepairs(auctionIdOf(999)))).toBe('auction-not-found')
})
