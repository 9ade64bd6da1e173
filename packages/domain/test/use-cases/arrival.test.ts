import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { type NewAuctionSample, sampleCorrection, samplePurchase } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import { isoOf } from '../../src/values/moment.ts'
import { type Result, unwrap } from '../../src/values/result.ts'
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
  serveAuction,
  type TestService,
} from '../support/service.ts'
import { createHeldStore } from '../support/stores.ts'

const endMs = Date.parse(endTime)
const marginMs = 2_000

/** A service whose clock is a second before the end, with an auction. */
const serveLateAuction = (sample: NewAuctionSample = {}) =>
  serveAuction(sample, { clock: createManualClock(isoOf(endMs - 1_000)) })

describe('a bid that waits for the store', () => {
  /** A bid is being stored, and another one arrives. */
  async function bidTwice(arrivedAtMs: number) {
    const right = createMemoryStore()
    const store = createHeldStore(right)
    const { service, auction } = await serveAuction({}, { store, clock: createManualClock(isoOf(endMs - 1_000)) })
    const other = createTestService({ store: right, clock: createManualClock(isoOf(endMs + marginMs)) })
    const first = service.placeBid(newBid(auction, 2, 100))
    const append = await store.nextAppend()
    service.clock.set(isoOf(arrivedAtMs))
    const second = service.placeBid(newBid(auction, 3, 105))
    service.clock.set(isoOf(endMs + marginMs - 1))
    return { store, other, auction, first, second, append }
  }
  const refusal = { code: 'auction-ended', endTime: { iso: endTime, epochMs: endMs } }

  test('is placed after the end if it arrived before, and has the time of its arrival', async () => {
    const { store, second, append } = await bidTwice(endMs - 1)
    await append.release()
    await (await store.nextAppend()).release()
    expect(unwrap(await second)).toMatchObject({ amountMinor: 105_00, timestampMs: endMs - 1 })
  })

  test('is refused if it arrived at the end', async () => {
    const { second, append } = await bidTwice(endMs)
    await append.release()
    expect(await second).toStrictEqual({ ok: false, refusal })
  })

  test('is refused if another process has recorded the result, however early it arrived', async () => {
    const { other, auction, first, second, append } = await bidTwice(endMs - 1)
    expect(await other.closeDue()).toStrictEqual({ closed: 1, left: 0 })
    await append.release()
    const closed = { ok: false, refusal: { ...refusal, final: 'closed' } }
    expect(await Promise.all([first, second])).toStrictEqual([closed, closed])
    expect(await ledgerOf(other.store, auction)).toHaveLength(1)
  })
})

describe('the arrival that a host passes', () => {
  type Send = (service: TestService, auction: Auction, at: number) => Promise<Result<unknown, { code: string }>>
  const correction = { correction: sampleCorrection(), editor: 'staff' }
  /** Each command, sent by a host that passes its arrival. */
  const commands: Readonly<Record<string, Send>> = {
    'a bid': ({ placeBid }, auction, at) => placeBid(newBid(auction, 2, 100), undefined, at),
    'a bid with a key': ({ placeBid }, auction, at) => placeBid(newBid(auction, 2, 100), keyOf('bid'), at),
    'a purchase': ({ buyNow }, { id: auctionId }, at) =>
      buyNow({ auctionId, purchase: samplePurchase() }, undefined, at),
    'a cancellation': ({ cancelAuction }, { id: auctionId }, at) => cancelAuction({ auctionId }, undefined, at),
    'a correction': ({ correctAuction }, { id: auctionId }, at) =>
      correctAuction({ auctionId, ...correction }, undefined, at),
    'a correction of a state': ({ correctAuction }, { id: auctionId }, at) =>
      correctAuction({ auctionId, ...correction, isExpected: () => true }, undefined, at),
  }

  test.each(Object.entries(commands))('decides %s, and not the clock', async (_, send) => {
    const { service, auction } = await serveLateAuction({ buyNowPrice: 500 })
    service.clock.set(endTime)
    expect(codeOf(await send(service, auction, endMs))).toBe('auction-ended')
    expect(codeOf(await send(service, auction, endMs - 1))).toBe('accepted')
    expect((await ledgerOf(service.store, auction)).map(({ atMs }) => atMs)).toStrictEqual([endMs - 1])
  })

  test('decides whether the end of a new auction is past', async () => {
    const { service } = await serveLateAuction()
    service.clock.set(endTime)
    expect(codeOf(await service.createAuction(newAuction(), undefined, endMs))).toBe('validation-failed')
    expect(codeOf(await service.createAuction(newAuction(), undefined, endMs - 1))).toBe('accepted')
  })

  test.each(Object.entries(commands))('is never later than the clock, for %s', async (name, send) => {
    const clock = createManualClock('2030-01-31T11:59:59.999Z')
    const { service, auction } = await serveAuction({ buyNowPrice: 500 }, { clock })
    // Cancellations and corrections are possible before the start, so their arrival would be after the end.
    const isPossible = name.includes('cancellation') || name.includes('correction')
    expect(codeOf(await send(service, auction, endMs))).toBe(isPossible ? 'accepted' : 'auction-not-started')
  })

  test('is never before the last entry, even if that only records the key of a cancellation', async () => {
    const { service, auction } = await serveLateAuction()
    for (const [key, arrivedAtMs] of Object.entries({ a: endMs - 5_000, b: endMs - 3_000, c: endMs - 4_000 })) {
      unwrap(await service.cancelAuction({ auctionId: auction.id }, keyOf(key), arrivedAtMs))
    }
    const times = (await ledgerOf(service.store, auction)).map(({ atMs }) => atMs)
    expect(times).toStrictEqual([endMs - 5_000, endMs - 3_000, endMs - 3_000])
  })

  test('moves the end of a soft close from the arrival on', async () => {
    const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime: isoOf(endMs + 600_000) }
    const { service, auction } = await serveLateAuction({ softClose })
    service.clock.set(endTime)
    await service.placeBid(newBid(auction, 2, 100), undefined, endMs - 10)
    expect(unwrap(await service.readAuction(auction.id)).effectiveEndTime.epochMs).toBe(endMs - 10 + 60_000)
  })

  test.each([Number.NaN, 1.5, -1, Number.POSITIVE_INFINITY, '5', null])(
    'is refused if it is %s, and nothing is changed',
    async (arrivedAtMs) => {
      const { service, auction } = await serveLateAuction({ buyNowPrice: 500 })
      const create: Send = (_, __, at) => service.createAuction(newAuction(), undefined, at)
      for (const send of [...Object.values(commands), create]) {
        await expect(send(service, auction, arrivedAtMs as number)).rejects.toThrow(
          'the arrival of a command must be a whole number of milliseconds since 1970',
        )
      }
      expect(await ledgerOf(service.store, auction)).toHaveLength(0)
    },
  )
})

test('the delay of a closing includes the time that the store took', async () => {
  const store = createHeldStore(createMemoryStore())
  const late: number[] = []
  const service = createTestService({ store, observer: { onClosed: ({ lateMs }) => late.push(lateMs) } })
  await createAuction(service)
  service.clock.set(isoOf(endMs + marginMs + 10))
  const closing = service.closeDue()
  const append = await store.nextAppend()
  service.clock.advance(500)
  await append.release()
  await closing
  await everythingSettled()
  expect(late).toStrictEqual([510])
})
