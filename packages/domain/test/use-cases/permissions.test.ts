import {
  type NewAuctionSample,
  sampleCancellation,
  sampleCorrection,
  sampleReserveReduction,
} from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { CorrectionJson } from '../../src/auction/correction.ts'
import { toUserId } from '../../src/values/ids.ts'
import type { RetryKey } from '../../src/values/request-key.ts'
import { codeOf, keyOf, ledgerOf, newBid, serveAuction, storeHiding } from '../support/service.ts'

const owner = toUserId(1)
const other = toUserId(9)
const blind = { requesterId: other, mayReadReserve: false } as const
const editor = 'me'

/** An auction of user 1, from 100 USD, with a reserve. Its first `hidden` reads do not find it. */
async function createReserved(fields: NewAuctionSample = { reservePrice: 150 }, hidden = 0) {
  const { service, auction } = await serveAuction(
    { ownerId: owner, startingPrice: 100, ...fields },
    { store: storeHiding(hidden) },
  )
  const { id: auctionId } = auction
  return {
    cancel: (asking: object, reason?: string, retry?: RetryKey) =>
      service.cancelAuction({ auctionId, cancellation: sampleCancellation(reason), ...asking }, retry),
    correct: (asking: object, fields: CorrectionJson = { title: 'A' }) =>
      service.correctAuction({ auctionId, correction: sampleCorrection(fields), editor, ...asking }),
    lower: (asking: object, reserve = 0, reason?: string) =>
      service.lowerReserve({ auctionId, reduction: sampleReserveReduction(reserve, reason), editor, ...asking }),
    bid: () => service.placeBid(newBid(auction, 2, 100)),
    events: async () => (await ledgerOf(service.store, auction)).map(({ event }) => event),
  }
}

test.each(['cancel', 'correct', 'lower'] as const)('only the owner of an auction may %s', async (change) => {
  const served = await createReserved()
  const forbidden = { ok: false, refusal: { code: 'not-the-owner' } }
  expect(await served[change]({ requesterId: other })).toMatchObject(forbidden)
  expect(codeOf(await served[change]({ requesterId: owner }))).toBe('accepted')
  // Any other reason would show the state of the auction.
  await served.cancel({ requesterId: owner })
  expect(await served[change]({ requesterId: other })).toMatchObject(forbidden)
})

test('only the owner of a cancelled auction may cancel it again with a key', async () => {
  const { cancel, events } = await createReserved()
  await cancel({ requesterId: owner })
  expect(codeOf(await cancel({ requesterId: other }, undefined, keyOf('k')))).toBe('not-the-owner')
  expect(await events()).toHaveLength(1)
})

test.each<{ readonly asking: object; readonly fields?: CorrectionJson; readonly code: string }>([
  { asking: { requesterId: other }, code: 'not-the-owner' },
  { asking: { ...blind, mayCorrectAny: true }, fields: { startingPrice: 120 }, code: 'validation-failed' },
  { asking: { isExpected: () => false }, code: 'precondition-failed' },
  { asking: { isExpected: () => false }, fields: { buyNowPrice: 1 }, code: 'precondition-failed' },
  { asking: { isExpected: () => true }, fields: { buyNowPrice: 1 }, code: 'validation-failed' },
])('a correction of an auction that is just being created is refused: $code', async ({ asking, fields, code }) => {
  const { correct, events } = await createReserved(undefined, 1)
  expect(codeOf(await correct(asking, fields))).toBe(code)
  expect(await events()).toEqual([])
})

test('an owner corrects an auction that is just being created as owner', async () => {
  const { correct, events } = await createReserved(undefined, 1)
  expect(await correct({ requesterId: owner, isExpected: () => true })).toMatchObject({ ok: true })
  expect(await events()).toMatchObject([{ type: 'corrected', by: 'owner' }])
})

test('a cancellation by staff needs a reason where that of the owner is refused', async () => {
  const { bid, cancel, events } = await createReserved()
  const foreign = { code: 'not-the-owner', prevents: 'cancellation', needsReason: true }
  expect(await cancel({ requesterId: other, mayForce: true })).toStrictEqual({ ok: false, refusal: foreign })
  await bid()
  const hasBids = { code: 'auction-has-bids', prevents: 'cancellation' }
  expect(await cancel({ requesterId: owner }, 'Lost.')).toStrictEqual({ ok: false, refusal: hasBids })
  const advised = { ok: false, refusal: { ...hasBids, needsReason: true } }
  expect(await cancel({ requesterId: owner, mayForce: true })).toStrictEqual(advised)
  expect(codeOf(await cancel({ requesterId: other, mayForce: false }, 'A fake.'))).toBe('not-the-owner')
  const forced = await cancel({ requesterId: other, mayForce: true }, 'A fake.', keyOf('k'))
  expect(forced).toMatchObject({ value: { status: 'Cancelled', bidCount: 1 } })
  expect(await cancel({ requesterId: other, mayForce: true }, 'A fake.', keyOf('k'))).toMatchObject({
    isRepeated: true,
  })
  expect((await events()).at(-1)).toStrictEqual({ type: 'cancelled', reason: 'A fake.', isForced: true })
})

test('an owner corrects and lowers as owner, unless on the staff and with a reason, and others as staff', async () => {
  const { correct, lower, events } = await createReserved()
  await correct({ requesterId: owner, mayCorrectAny: true })
  await correct({ requesterId: other, mayCorrectAny: true })
  await correct({})
  await lower({ requesterId: owner, mayLowerAny: true }, 140)
  expect(codeOf(await lower({ requesterId: owner, mayLowerAny: true }, 130))).toBe('reserve-lowered-before')
  await lower({ requesterId: owner, mayLowerAny: true }, 120, 'Agreed.')
  await lower({ requesterId: other, mayLowerAny: true }, 110, 'Agreed.')
  expect(await events()).toMatchObject(
    ['owner', 'staff', 'staff', 'owner', 'staff', 'staff'].map((by, index) => ({
      type: index < 3 ? 'corrected' : 'reserve-lowered',
      by,
    })),
  )
})

describe('a caller who may not read the reserve', () => {
  test.each<{ readonly fields: CorrectionJson; readonly code: string; readonly asking?: object }>([
    { fields: { startingPrice: 120 }, code: 'validation-failed' },
    { fields: { startingPrice: 120, reservePrice: 130 }, code: 'accepted' },
    { fields: { startingPrice: 120, reservePrice: null }, code: 'accepted' },
    { fields: { buyNowPrice: 600 }, code: 'validation-failed' },
    { fields: { buyNowPrice: null }, code: 'accepted' },
    { fields: { minimumBidIncrement: 7 }, code: 'accepted' },
    { fields: { startingPrice: 105 }, asking: { requesterId: owner, mayReadReserve: false }, code: 'accepted' },
  ])('corrects $fields without learning of it: $code', async ({ fields, code, asking = blind }) => {
    for (const reserve of [150, 110]) {
      const { correct } = await createReserved({ reservePrice: reserve })
      expect(codeOf(await correct({ ...asking, mayCorrectAny: true }, fields))).toBe(code)
    }
  })

  test('lowers it only to 0', async () => {
    const message = 'must be 0, which removes the reserve, for a caller who may not read the reserve of the auction'
    const error = { pointer: '/reservePrice', message }
    const { lower } = await createReserved()
    const errorsOf = async (...args: Parameters<typeof lower>) => {
      const lowered = await lower(...args)
      return lowered.ok || lowered.refusal.code !== 'validation-failed' ? lowered : lowered.refusal.errors
    }
    for (const reserve of [1, 149, 150, 151]) {
      expect(await errorsOf({ ...blind, mayLowerAny: true }, reserve, 'Agreed.')).toEqual([error])
      expect(await errorsOf({ ...blind, mayLowerAny: true }, reserve)).toMatchObject([error, { pointer: '/reason' }])
    }
    const isLower = { message: 'must be below the current reserve of 150 USD, or 0 to remove it' }
    expect(await errorsOf({ requesterId: owner, mayReadReserve: false }, 150)).toMatchObject([isLower])
    expect(codeOf(await lower({ ...blind, mayLowerAny: true }, 0, 'Agreed.'))).toBe('accepted')
  })

  test('does not learn of one that a correction or a repair has set', async () => {
    const { correct, lower } = await createReserved({})
    const correctBlindly = () => correct({ ...blind, mayCorrectAny: true }, { startingPrice: 105 })
    const lowerBlindly = () => lower({ ...blind, mayLowerAny: true }, 120, 'Agreed.')
    expect(codeOf(await correctBlindly())).toBe('accepted')
    await correct({}, { reservePrice: 150 })
    expect(codeOf(await correctBlindly())).toBe('validation-failed')
    expect(codeOf(await lowerBlindly())).toBe('validation-failed')
    await lower({ requesterId: owner }, 140)
    expect(codeOf(await lowerBlindly())).toBe('validation-failed')
    expect(codeOf(await correctBlindly())).toBe('auction-repaired')
  })
})

test('a correction that expects another state is refused for bids first, and for invalid fields last', async () => {
  const { bid, correct } = await createReserved()
  const isExpected = () => false
  expect(codeOf(await correct({ isExpected }, { buyNowPrice: 1 }))).toBe('precondition-failed')
  await bid()
  expect(codeOf(await correct({ isExpected }))).toBe('auction-has-bids')
})
