import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { type NewAuctionSample, sampleCorrection, samplePurchase } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import { unwrap } from '../../src/values/result.ts'
import { everythingSettled } from '../support/clocks.ts'
import {
  codeOf,
  createAuction,
  createTestService,
  endTime,
  keyOf,
  ledgerOf,
  newAuction,
  newBid,
  type TestService,
} from '../support/service.ts'
import { createHeldStore } from '../support/stores.ts'

const endMs = Date.parse(endTime)
const marginMs = 2_000
const startTime = '2030-01-31T12:00:00Z'

const isoAt = (ms: number) => new Date(ms).toISOString()

/** A service whose clock is a second before the end, with an auction. */
async function createLateService(sample: NewAuctionSample = {}) {
  const service = createTestService({ clock: createManualClock(isoAt(endMs - 1_000)) })
  return { service, auction: await createAuction(service, sample) }
}

describe('a bid that waits for the store', () => {
  /** A bid is being stored, and another one arrives. */
  async function bidTwice(arrivedAtMs: number) {
    const right = createMemoryStore()
    const store = createHeldStore(right)
    const clock = createManualClock(isoAt(endMs - 1_000))
    const service = createTestService({ store, clock })
    const other = createTestService({ store: right, clock: createManualClock(isoAt(endMs + marginMs)) })
    const auction = await createAuction(service)
    const first = service.placeBid(newBid(auction, 2, 100))
    const append = await store.nextAppend()
    clock.set(isoAt(arrivedAtMs))
    const second = service.placeBid(newBid(auction, 3, 105))
    clock.set(isoAt(endMs + marginMs - 1))
    return { store, service, other, auction, first, second, append }
  }

  test('is placed after the end if it arrived before, and has the time of its arrival', async () => {
    const { store, second, append } = await bidTwice(endMs - 1)
    await append.release()
    await (await store.nextAppend()).release()
    expect(unwrap(await second)).toMatchObject({ amountMinor: 105_00, timestampMs: endMs - 1 })
  })

  test('is refused if it arrived at the end', async () => {
    const { second, append } = await bidTwice(endMs)
    await append.release()
    expect(await second).toStrictEqual({
      ok: false,
      refusal: { code: 'auction-ended', endTime: { iso: endTime, epochMs: endMs } },
    })
  })

  test('is refused if another process has recorded the result, however early it arrived', async () => {
    const { other, auction, first, second, append } = await bidTwice(endMs - 1)
    expect(await other.closeDue()).toStrictEqual({ closed: 1, left: 0 })
    await append.release()
    const refusal = { code: 'auction-ended', endTime: { iso: endTime, epochMs: endMs }, final: 'closed' }
    expect(await Promise.all([first, second])).toStrictEqual([
      { ok: false, refusal },
      { ok: false, refusal },
    ])
    expect(await ledgerOf(other.store, auction)).toHaveLength(1)
  })
})

describe('the arrival that a host passes', () => {
  /** Each command, sent by a host that passes its arrival. */
  const commands: Readonly<
    Record<string, (service: TestService, auction: Auction, arrivedAtMs: number) => Promise<string>>
  > = {
    'a bid': async (service, auction, at) => codeOf(await service.placeBid(newBid(auction, 2, 100), undefined, at)),
    'a bid with a key': async (service, auction, at) =>
      codeOf(await service.placeBid(newBid(auction, 2, 100), keyOf('bid'), at)),
    'a purchase': async (service, { id: auctionId }, at) =>
      codeOf(await service.buyNow({ auctionId, purchase: samplePurchase() }, undefined, at)),
    'a cancellation': async (service, { id: auctionId }, at) =>
      codeOf(await service.cancelAuction({ auctionId }, undefined, at)),
    'a correction': async (service, { id: auctionId }, at) =>
      codeOf(
        await service.correctAuction({ auctionId, correction: sampleCorrection(), editor: 'staff' }, undefined, at),
      ),
    'a correction of a state': async (service, { id: auctionId }, at) =>
      codeOf(
        await service.correctAuction(
          { auctionId, correction: sampleCorrection(), editor: 'staff', isExpected: () => true },
          undefined,
          at,
        ),
      ),
  }

  test.each(Object.entries(commands))('decides %s, and not the clock', async (_, send) => {
    const { service, auction } = await createLateService({ buyNowPrice: 500 })
    service.clock.set(endTime)
    expect(await send(service, auction, endMs)).toBe('auction-ended')
    expect(await send(service, auction, endMs - 1)).toBe('accepted')
    expect((await ledgerOf(service.store, auction)).map(({ atMs }) => atMs)).toStrictEqual([endMs - 1])
  })

  test('decides whether the end of a new auction is past', async () => {
    const { service } = await createLateService()
    service.clock.set(endTime)
    expect(codeOf(await service.createAuction(newAuction(), undefined, endMs))).toBe('validation-failed')
    expect(codeOf(await service.createAuction(newAuction(), undefined, endMs - 1))).toBe('accepted')
  })

  test.each(Object.entries(commands))('is never later than the clock, for %s', async (name, send) => {
    const service = createTestService({ clock: createManualClock(isoAt(Date.parse(startTime) - 1)) })
    const auction = await createAuction(service, { buyNowPrice: 500 })
    // Cancellations and corrections are possible before the start, so their arrival would be after the end.
    const code = await send(service, auction, endMs)
    const isPossible = name.includes('cancellation') || name.includes('correction')
    expect(code).toBe(isPossible ? 'accepted' : 'auction-not-started')
  })

  test('is never before the last entry', async () => {
    const { service, auction } = await createLateService()
    await service.placeBid(newBid(auction, 2, 100))
    const second = unwrap(await service.placeBid(newBid(auction, 3, 105), undefined, endMs - 5_000))
    expect(second.timestampMs).toBe(endMs - 1_000)
  })

  test('is never before the last entry, even if that only records the key of a cancellation', async () => {
    const { service, auction } = await createLateService()
    for (const [key, arrivedAtMs] of Object.entries({ a: endMs - 5_000, b: endMs - 3_000, c: endMs - 4_000 })) {
      unwrap(await service.cancelAuction({ auctionId: auction.id }, keyOf(key), arrivedAtMs))
    }
    const times = (await ledgerOf(service.store, auction)).map(({ atMs }) => atMs)
    expect(times).toStrictEqual([endMs - 5_000, endMs - 3_000, endMs - 3_000])
  })

  test('moves the end of a soft close from the arrival on', async () => {
    const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime: isoAt(endMs + 600_000) }
    const { service, auction } = await createLateService({ softClose })
    service.clock.set(endTime)
    await service.placeBid(newBid(auction, 2, 100), undefined, endMs - 10)
    expect(unwrap(await service.readAuction(auction.id)).effectiveEndTime.epochMs).toBe(endMs - 10 + 60_000)
  })

  test.each([Number.NaN, 1.5, -1, Number.POSITIVE_INFINITY, '5', null])(
    'is refused if it is %s, and nothing is changed',
    async (arrivedAtMs) => {
      const { service, auction } = await createLateService({ buyNowPrice: 500 })
      for (const send of Object.values(commands)) {
        await expect(send(service, auction, arrivedAtMs as number)).rejects.toThrow(
          'the arrival of a command must be a whole number of milliseconds since 1970',
        )
      }
      await expect(service.createAuction(newAuction(), undefined, arrivedAtMs as number)).rejects.toThrow(
        'the arrival of a command must be a whole number of milliseconds since 1970',
      )
      expect(await ledgerOf(service.store, auction)).toHaveLength(0)
    },
  )
})

test('the delay of a closing includes the time that the store took', async () => {
  const right = createMemoryStore()
  const store = createHeldStore(right)
  const clock = createManualClock(isoAt(endMs - 1_000))
  const late: number[] = []
  const service = createTestService({ store, clock, observer: { onClosed: ({ lateMs }) => late.push(lateMs) } })
  await createAuction(service)
  clock.set(isoAt(endMs + marginMs + 10))
  const closing = service.closeDue()
  const append = await store.nextAppend()
  clock.advance(500)
  await append.release()
  await closing
  await everythingSettled()
  expect(late).toStrictEqual([510])
})
