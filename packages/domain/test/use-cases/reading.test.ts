import { describe, expect, test } from 'vitest'
import { toBidId } from '../../src/values/ids.ts'
import { isoOf, momentAt, toMoment } from '../../src/values/moment.ts'
import { unwrap } from '../../src/values/result.ts'
import { auctionIdOf, bidIn, correct, createTestService, endTime, newBid, serveAuction } from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

const notFound = { ok: false, refusal: { code: 'auction-not-found', auctionId: 999 } }
const afterMargin = '2030-02-07T12:00:02Z'

describe('reading an auction', () => {
  test('returns its price and bid count', async () => {
    const { service, auction } = await serveAuction()
    const created = {
      auction,
      status: 'Active',
      currentPriceMinor: 100_00,
      minimumNextBidMinor: 100_00,
      bidCount: 0,
      effectiveEndTime: auction.endTime,
      repairCount: 0,
      sequence: 0,
      // None of these.
      ...{
        leaderId: undefined,
        leaderMaximumMinor: undefined,
        maximumNextBidMinor: undefined,
        isReserveMet: undefined,
      },
      ...{ isBuyNowOffered: undefined, result: undefined, endedAtMs: undefined, withdrawn: undefined },
      correctedAtMs: undefined,
    }
    expect(unwrap(await service.readAuction(auction.id))).toStrictEqual(created)
    await service.placeBid(newBid(auction, 2, 100))
    await service.placeBid(newBid(auction, 3, 120))
    const prices = { currentPriceMinor: 120_00, minimumNextBidMinor: 125_00 }
    const read = unwrap(await service.readAuction(auction.id))
    expect(read).toStrictEqual({ ...created, ...prices, bidCount: 2, leaderId: 3, sequence: 2 })
  })

  test('reports the end only with the last bid, which may arrive while the ledger is read', async () => {
    const { service: writing, auction } = await serveAuction()
    writing.clock.set('2030-02-07T11:59:59.999Z')
    const right = writing.store
    const findHeads: typeof right.findHeads = async (ids) => {
      const heads = await right.findHeads(ids)
      unwrap(await writing.placeBid(newBid(auction, 2, 100)))
      writing.clock.set(endTime)
      return heads
    }
    const reading = createTestService({ store: { ...right, findHeads }, clock: writing.clock })
    expect(unwrap(await reading.readAuction(auction.id))).toMatchObject({ status: 'Active', bidCount: 0 })
    expect(unwrap(await writing.readAuction(auction.id))).toMatchObject({ status: 'Ended', bidCount: 1 })
  })

  test('is refused for an auction that does not exist', async () => {
    expect(await createTestService().readAuction(auctionIdOf(999))).toEqual(notFound)
  })
})

describe('reading an auction as it was', () => {
  test('returns the state after an entry, with the status at its time', async () => {
    const { service, auction } = await serveAuction()
    const { clock, readAuctionAt } = service
    await correct(service, auction, { title: 'Oak desk', description: 'Worn.' })
    await service.placeBid(newBid(auction, 2, 100))
    clock.set('2030-02-07T11:59:59.999Z')
    await service.placeBid(newBid(auction, 3, 120))
    clock.set(afterMargin)
    await service.closeDue()
    const texts = { title: 'Oak desk', description: 'Worn.' }
    const active = { status: 'Active', auction: texts, result: undefined }
    const states = [
      { ...active, bidCount: 0, currentPriceMinor: 100_00, leaderId: undefined },
      { ...active, bidCount: 0, currentPriceMinor: 100_00 },
      { ...active, bidCount: 1, currentPriceMinor: 100_00, leaderId: 2 },
      { ...active, bidCount: 2, currentPriceMinor: 120_00, leaderId: 3 },
      { status: 'Ended', bidCount: 2, currentPriceMinor: 120_00, result: { outcome: 'sold', winnerId: 3 } },
    ]
    for (const [at, state] of states.entries())
      expect(unwrap(await readAuctionAt(auction.id, at))).toMatchObject({ sequence: at, ...state })
    const message = 'must be at most 4, the sequence of the last entry of the auction'
    expect(await readAuctionAt(auction.id, 5)).toMatchObject({
      refusal: { code: 'validation-failed', errors: [{ pointer: '/at', message }] },
    })
    expect(await readAuctionAt(auctionIdOf(999), 1)).toEqual(notFound)
    for (const at of [-1, 1.5, Number.NaN])
      await expect(readAuctionAt(auction.id, at)).rejects.toThrow('at must be an integer of at least 0, or a time')
  })

  test('has the terms of then, and the texts of now, since what was corrected away must not be shown', async () => {
    const pictures = { pictureUrl: 'https://example.com/1.jpg' }
    const { service, auction } = await serveAuction({ title: 'Insult', description: 'Insult', metadata: pictures })
    await correct(service, auction, { startingPrice: 50, title: 'A second insult' })
    await correct(service, auction, { title: 'Desk', description: null, metadata: { pictureUrl: null } })
    const { correctedAtMs } = unwrap(await service.readAuction(auction.id))
    for (const [at, startingPriceMinor] of [100_00, 50_00, 50_00].entries()) {
      const was = unwrap(await service.readAuctionAt(auction.id, at))
      expect(was).toMatchObject({ auction: { startingPriceMinor, title: 'Desk' }, correctedAtMs })
      expect(JSON.stringify(was)).not.toMatch(/insult|pictureUrl/i)
    }
  })

  test('at a time, returns the state after the last entry until then, with the status at that time', async () => {
    const { store, calls } = createCountingStore()
    const { service, auction } = await serveAuction({}, { store })
    const startMs = service.clock.nowMs()
    // Two in each millisecond.
    for (let bid = 1; bid <= 40; bid++) {
      service.clock.set(isoOf(startMs + Math.ceil(bid / 2)))
      unwrap(await service.placeBid(newBid(auction, 2 + (bid % 2), 100 + 10 * bid)))
    }
    service.clock.set('2030-02-07T12:00:01Z')
    const readAt = async (timeMs: number) => unwrap(await service.readAuctionAt(auction.id, momentAt(timeMs)))
    for (const ms of [0, 1, 2, 9, 10, 19]) {
      calls.length = 0
      expect(await readAt(startMs + ms)).toMatchObject({ sequence: 2 * ms, bidCount: 2 * ms, status: 'Active' })
      expect(calls.length).toBeLessThanOrEqual(2 + 6)
    }
    expect(await readAt(startMs + 21)).toMatchObject({ sequence: 40, status: 'Active' })
    const { epochMs } = toMoment(endTime)
    expect(await readAt(epochMs - 1)).toMatchObject({ sequence: 40, status: 'Active' })
    expect(await readAt(epochMs)).toMatchObject({ sequence: 40, status: 'Ended', result: undefined })
    const messages = [
      [startMs - 1, `must be at least ${isoOf(startMs)}, when the auction was created`],
      [epochMs + 3_001, 'must be at most 2030-02-07T12:00:01.000Z, the time of the service'],
    ] as const
    for (const [timeMs, message] of messages)
      expect(await service.readAuctionAt(auction.id, momentAt(timeMs))).toMatchObject({
        refusal: { code: 'validation-failed', errors: [{ pointer: '/at', message }] },
      })
  })

  test('at a time that a clock ahead has given, returns what a read returns', async () => {
    const { service: ahead, auction } = await serveAuction()
    const { epochMs } = toMoment(endTime)
    const behind = createTestService({ store: ahead.store })
    behind.clock.set(isoOf(epochMs - 20))
    ahead.clock.set(isoOf(epochMs - 10))
    await ahead.placeBid(newBid(auction, 2, 100))
    const read = unwrap(await behind.readAuction(auction.id))
    expect(read).toMatchObject({ status: 'Active', bidCount: 1 })
    expect(unwrap(await behind.readAuctionAt(auction.id, momentAt(epochMs + 30)))).toStrictEqual(read)
  })
})

test('a bid is read unchanged, and neither one that does not exist nor the entry of an end is a bid', async () => {
  const { service, auction } = await serveAuction()
  const bid = unwrap(await service.placeBid(newBid(auction, 2, 100)))
  await service.placeBid(newBid(auction, 3, 120))
  expect(unwrap(await service.readBid(bid.id))).toStrictEqual(bidIn(bid))
  service.clock.set(afterMargin)
  await service.closeDue()
  const [end] = await service.store.findHeads([auction.id])
  for (const bidId of [999, Number(end?.id)]) {
    expect(await service.readBid(toBidId(bidId))).toEqual({ ok: false, refusal: { code: 'bid-not-found', bidId } })
  }
})

test('a list leaves out an auction whose status changes before its ledger is read', async () => {
  const { service: other, auction } = await serveAuction()
  const { store: right } = other
  const findHeads: typeof right.findHeads = async (ids) => {
    other.clock.set(afterMargin)
    await other.closeDue()
    return right.findHeads(ids)
  }
  const service = createTestService({ store: { ...right, findHeads } })
  const list = async (status?: 'Active') =>
    unwrap(await service.listAuctions({ order: 'newest', limit: 10, status })).items
  expect(await list()).toMatchObject([{ auction, status: 'Ended' }])
  expect(await list('Active')).toEqual([])
})
