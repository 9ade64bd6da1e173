import { createMemoryStore } from '@auction/adapters/memory'
import { sampleCorrection, sampleNewBid } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import { isoOf } from '../../src/values/moment.ts'
import { unwrap } from '../../src/values/result.ts'
import {
  buy,
  cancel,
  codeOf,
  correct,
  createAuction,
  createTestService,
  endEarly,
  endTime,
  extend,
  keyOf,
  ledgerOf,
  lower,
  newBid,
  noAnswer,
  openTime,
  outcomeOf,
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
  return items.map(({ position }) => isoOf(position.timeMs))
}

/** Another process on the same store, at a time. */
function processAt({ store }: TestService, iso: string): TestService {
  const other = createTestService({ store })
  other.clock.set(iso)
  return other
}

const closeAt = (service: TestService, iso: string) => processAt(service, iso).closeDue()

const eventsOf = async (service: TestService, { id }: { readonly id: Parameters<TestService['listEvents']>[0] }) =>
  unwrap(await service.listEvents(id, { after: 0, limit: 100 })).items

describe('an extension', () => {
  test('is in reads and events, moves the auction on the agenda, and delays its result', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const view = unwrap(await extend(service, auction, later))
    expect(view).toMatchObject({ status: 'Active', effectiveEndTime: { epochMs: Date.parse(later) }, repairCount: 1 })
    expect(unwrap(await service.readAuction(auction.id))).toStrictEqual({ ...view, sequence: 1 })
    expect(await eventsOf(service, auction)).toMatchObject([
      {
        type: 'extended',
        sequence: 1,
        atMs: openMs,
        reason: 'Outage.',
        previousEndTime: { epochMs: Date.parse(endTime) },
      },
    ])
    expect(await dueOf(service)).toEqual(['2030-02-07T13:00:00.000Z'])
    expect(await closeAt(service, afterMargin(endTime))).toEqual({ closed: 0, left: 0 })
    expect(await closeAt(service, afterMargin(later))).toEqual({ closed: 1, left: 0 })
  })

  test('after the end, before its result, is not closed by a process that has looked at the earlier end', async () => {
    const right = createMemoryStore()
    const auction = await createAuction(createTestService({ store: right }))
    const held = createHeldStore(right)
    const closer = createTestService({ store: held })
    closer.clock.set(afterMargin(endTime))
    const closing = closer.closeDue()
    const append = await held.nextAppend()
    const service = createTestService({ store: right })
    service.clock.set(afterMargin(endTime))
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('auction-ended')
    unwrap(await extend(service, auction, later))
    await append.release()
    expect(await closing).toEqual({ closed: 0, left: 0 })
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('accepted')
    expect(await dueOf(service)).toEqual(['2030-02-07T13:00:00.000Z'])
  })

  test('is known to other processes that have refused bids after the earlier end', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    const other = processAt(service, endTime)
    expect(codeOf(await other.placeBid(newBid(auction, 3, 120)))).toBe('auction-ended')
    unwrap(await extend(service, auction, later))
    expect(codeOf(await other.placeBid(newBid(auction, 3, 120)))).toBe('accepted')
  })

  test('of an auction that has not started keeps its start on the agenda', async () => {
    const service = createTestService()
    const startTime = '2030-02-05T12:00:00Z'
    const auction = await createAuction(service, { startTime })
    unwrap(await extend(service, auction, later))
    expect(await dueOf(service)).toEqual(['2030-02-05T12:00:00.000Z'])
  })
})

describe('an early end', () => {
  test('is shown at once, with the result after the margin', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    const end = isoOf(openMs + 1)
    const view = unwrap(await endEarly(service, auction))
    expect(view).toMatchObject({ status: 'Ended', effectiveEndTime: { iso: end }, result: undefined })
    expect(await dueOf(service)).toEqual([end])
    expect(await closeAt(service, isoOf(openMs + 2_000))).toEqual({ closed: 0, left: 0 })
    expect(await closeAt(service, afterMargin(end))).toEqual({ closed: 1, left: 0 })
    const result = { outcome: 'sold', winnerId: 2, isEndedEarly: true }
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ result })
    expect(await eventsOf(service, auction)).toMatchObject([
      { type: 'bids' },
      { type: 'ended-early', effectiveEndTime: { iso: end }, previousEndTime: { epochMs: Date.parse(endTime) } },
      { type: 'ended', result },
    ])
    const { items } = unwrap(await service.listAuctions({ order: 'ended', status: 'Ended', limit: 1 }))
    expect(items).toMatchObject([{ result }])
  })

  test('ends the buy-now offer in its event, too, and in the auction as it was after it', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { buyNowPrice: 1_000 })
    expect(unwrap(await endEarly(service, auction)).isBuyNowOffered).toBe(false)
    expect(await eventsOf(service, auction)).toMatchObject([{ type: 'ended-early', isBuyNowOffered: false }])
    expect(unwrap(await service.readAuctionAt(auction.id, 1))).toMatchObject({
      status: 'Ended',
      isBuyNowOffered: false,
    })
  })

  test('counts a bid that arrived before it and is recorded after it', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const other = createTestService({ store: service.store })
    expect(codeOf(await other.placeBid(newBid(auction, 2, 1)))).toBe('bid-too-low')
    service.clock.set(isoOf(openMs + 500))
    other.clock.set(isoOf(openMs + 900))
    unwrap(await endEarly(service, auction))
    expect(codeOf(await other.placeBid(newBid(auction, 2, 100), undefined, openMs))).toBe('accepted')
    expect(codeOf(await other.placeBid(newBid(auction, 3, 120)))).toBe('auction-ended')
    expect(await ledgerOf(service.store, auction)).toHaveLength(2)
  })

  test.each(['before', 'after'])(
    'ends the auction in time, even if the process ends %s it is recorded',
    async (when) => {
      const store = storeWith((right) => ({
        updateAgenda: async (updates) => {
          if (updates.some((update) => 'dueMs' in update)) throw noAnswer()
          return right.updateAgenda(updates)
        },
        append: async (entries, options) => {
          const stored = when === 'after' ? await right.append(entries, options) : 0
          if (entries.some(({ event }) => event.type === 'ended-early')) throw noAnswer()
          return stored === 0 ? right.append(entries, options) : stored
        },
      }))
      const service = createTestService({ store, limits: { maxTries: 1 } })
      const auction = await createAuction(service)
      expect(await outcomeOf(endEarly(service, auction))).toBe(when === 'after' ? 'accepted' : 'unknown')
      // The deadline after the request.
      expect(await dueOf(service)).toEqual([isoOf(openMs + 10_000)])
      const closed = when === 'after' ? 1 : 0
      expect(await closeAt(service, isoOf(openMs + 12_000))).toEqual({ closed, left: 0 })
    },
  )

  test('is not recorded without its check', async () => {
    const store = storeWith(() => ({ updateAgenda: () => Promise.reject(noAnswer()) }))
    const service = createTestService({ store })
    const auction = await createAuction(service)
    expect(await outcomeOf(endEarly(service, auction))).toBe('nothing-changed')
    expect(await ledgerOf(service.store, auction)).toEqual([])
  })

  test('is replaced by an extension', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    unwrap(await endEarly(service, auction))
    expect(unwrap(await extend(service, auction, later))).toMatchObject({ status: 'Active', repairCount: 2 })
    expect(await dueOf(service)).toEqual(['2030-02-07T13:00:00.000Z'])
  })
})

describe('a lower reserve', () => {
  test('bids for the leader whose maximum covers it, in the same entry', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { reservePrice: 300 })
    unwrap(await service.placeBid(sampleNewBid({ auctionId: auction.id, maximumAmount: 200 })))
    const view = unwrap(await lower(service, auction, 150))
    const shown = { currentPriceMinor: 150_00, bidCount: 2, leaderId: 2, isReserveMet: true }
    expect(view).toMatchObject({ ...shown, auction: { reservePriceMinor: 150_00 } })
    const [, { state: { leader } = { leader: null } } = {}] = await ledgerOf(service.store, auction)
    if (leader === null) throw new Error('no bid leads')
    const bid = { id: leader.bidId, bidderId: 2, amountMinor: 150_00, automatic: true }
    expect(unwrap(await service.readBid(leader.bidId))).toMatchObject(bid)
    expect(unwrap(await service.listBids(auction.id, { limit: 1 })).items).toMatchObject([bid])
    const [, event] = await eventsOf(service, auction)
    expect(event).toMatchObject({ type: 'reserve-lowered', ...shown, bids: [bid] })
    expect(JSON.stringify(event)).not.toContain('reservePrice')
    expect(codeOf(await buy(service, auction, 3))).toBe('buy-now-not-offered')
  })

  test('is decided by the last entry of another process', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { reservePrice: 300 })
    const other = createTestService({ store: service.store })
    unwrap(await lower(other, auction, 200))
    expect(codeOf(await lower(service, auction, 250))).toBe('validation-failed')
    expect(unwrap(await lower(service, auction, 0)).isReserveMet).toBeUndefined()
  })
})

test.each([
  {
    what: 'an extension',
    repair: (service, auction, n) => extend(service, auction, `2030-02-08T0${n}:00:00Z`, keyOf('k')),
  },
  { what: 'a lower reserve', repair: (service, auction, n) => lower(service, auction, 200 - n, keyOf('k')) },
] satisfies readonly {
  what: string
  repair: (
    service: TestService,
    auction: Parameters<typeof endEarly>[1],
    n: number,
  ) => ReturnType<typeof endEarly> | ReturnType<typeof extend> | ReturnType<typeof lower>
}[])('$what with a key is made once, and its key serves no other', async ({ repair }) => {
  const service = createTestService()
  const auction = await createAuction(service, { reservePrice: 300 })
  const first = unwrap(await repair(service, auction, 1))
  expect(await repair(service, auction, 1)).toStrictEqual({ ok: true, value: first, isRepeated: true })
  expect(codeOf(await repair(service, auction, 2))).toBe('idempotency-key-reused')
  expect(await ledgerOf(service.store, auction)).toHaveLength(1)
})

test.each([
  { what: 'a withdrawal', repair: (service: TestService, auction: Auction) => withdraw(service, auction, 2) },
  { what: 'an early end', repair: endEarly },
  { what: 'a lower reserve', repair: (service: TestService, auction: Auction) => lower(service, auction, 200) },
])('$what after the end rules out no bid that arrived before it', async ({ repair }) => {
  const service = createTestService()
  const auction = await createAuction(service, { reservePrice: 300 })
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
  expect(unwrap(await service.readAuction(auction.id)).result).toStrictEqual({
    outcome: 'unsold',
    reason: 'reserve-not-met',
  })
})

test('an early end with a key is made once', async () => {
  const service = createTestService()
  const auction = await createAuction(service)
  const first = unwrap(await endEarly(service, auction, keyOf('k')))
  service.clock.set(later)
  expect(await endEarly(service, auction, keyOf('k'))).toStrictEqual({ ok: true, value: first, isRepeated: true })
})

test('repairs and corrections are listed newest first, with their editors, and without a secret', async () => {
  const service = createTestService()
  const auction = await createAuction(service, { reservePrice: 300 })
  expect(unwrap(await service.listRepairs(auction.id))).toEqual([])
  unwrap(await correct(service, auction, { title: 'Desk' }))
  unwrap(await extend(service, auction, later))
  const fields = { auctionId: auction.id, correction: sampleCorrection({ description: 'Worn.' }), editor: 'anna' }
  unwrap(await service.correctAuction({ ...fields, requesterId: auction.ownerId }))
  unwrap(await service.placeBid(newBid(auction, 2, 100)))
  unwrap(await lower(service, auction, 250))
  unwrap(await endEarly(service, auction))
  const events = await eventsOf(service, auction)
  const listed = unwrap(await service.listRepairs(auction.id))
  const changes = events.filter(({ type }) => type !== 'bids').toReversed()
  const editorOf = (index: number) => (index === 2 ? 'anna' : 'staff')
  expect(listed).toEqual(changes.map((event, index) => ({ event, editor: editorOf(index) })))
  expect(listed.map(({ event: { type, by } }) => [type, by])).toEqual([
    ['ended-early', 'staff'],
    ['reserve-lowered', 'staff'],
    ['corrected', 'owner'],
    ['extended', 'staff'],
    ['corrected', 'staff'],
  ])
  expect(JSON.stringify(listed)).not.toContain('25000')
  expect(codeOf(await service.listRepairs(999 as typeof auction.id))).toBe('auction-not-found')
})

test('a repaired auction can be cancelled', async () => {
  const service = createTestService()
  const auction = await createAuction(service)
  unwrap(await extend(service, auction, later))
  service.clock.set(endTime)
  expect(unwrap(await cancel(service, auction)).status).toBe('Cancelled')
})
