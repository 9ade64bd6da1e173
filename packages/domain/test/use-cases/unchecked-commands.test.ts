import {
  sampleCancellation,
  sampleCorrection,
  sampleEarlyEnd,
  sampleExtension,
  sampleNewAuction,
  sampleNewBid,
  samplePurchase,
  sampleReserveReduction,
} from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { AuctionService } from '../../src/service.ts'
import { momentAt } from '../../src/values/moment.ts'
import { isInvalidValue } from '../../src/values/validation.ts'
import { auctionIdOf, createAuction, createTestService, keyOf, ledgerOf } from '../support/service.ts'

// Programs in JavaScript, or with casts, can pass such commands: the casts in this file are what is tested.

const auctionId = auctionIdOf(1)
const editor = 'staff'
const secret = 5133.33

const bid = sampleNewBid()
const purchase = samplePurchase()
const cancellation = sampleCancellation('Lost.')
const correction = sampleCorrection()
const latestEndTime = momentAt(sampleNewAuction().endTime.epochMs + 60_000).iso
const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime }

/** The use cases that take a command, and what a program can pass in its place. */
const uses: Readonly<Record<string, (service: AuctionService, command: unknown) => Promise<unknown>>> = {
  parseNewAuction: ({ createAuction }, command) => createAuction(command as never),
  parseNewBid: ({ placeBid }, command) => placeBid(command as never, keyOf('k')),
  parsePurchase: ({ buyNow }, command) => buyNow({ auctionId, purchase: command as never }),
  parseCancellation: ({ cancelAuction }, command) => cancelAuction({ auctionId, cancellation: command as never }),
  parseCorrection: ({ correctAuction }, command) => correctAuction({ auctionId, correction: command as never, editor }),
  parseExtension: ({ extendAuction }, command) => extendAuction({ auctionId, extension: command as never, editor }),
  parseEarlyEnd: ({ endAuction }, command) => endAuction({ auctionId, earlyEnd: command as never, editor }),
  parseReserveReduction: ({ lowerReserve }, command) =>
    lowerReserve({ auctionId, reduction: command as never, editor }),
}
const commands = {
  parseNewAuction: sampleNewAuction({ reservePrice: 5133.33, softClose }),
  parseNewBid: bid,
  parsePurchase: purchase,
  parseCancellation: cancellation,
  parseCorrection: correction,
  parseExtension: sampleExtension(),
  parseEarlyEnd: sampleEarlyEnd(),
  parseReserveReduction: sampleReserveReduction(),
}

/** What a call throws. */
async function errorOf(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return { returned: await call() }
  } catch (error) {
    return error
  }
}

function expectInvalid(error: unknown, named: string): void {
  expect(error).toSatisfy(isInvalidValue)
  expect(String(error)).toContain(named)
  expect(String(error)).not.toContain(String(secret))
}

describe.each(Object.entries(commands))('a use case trusts only what %s returned, so it refuses', (parser, command) => {
  const others = Object.entries(commands).filter(([other]) => other !== parser)

  test.each<readonly [string, unknown]>([
    ['nothing', null],
    ['a text', 'a command'],
    ['a number', 7],
    ['an empty object', {}],
    ['a copy', { ...command }],
    ['a changed copy', { ...command, amount: String(secret), reason: '', reservePriceMinor: secret }],
    ['its JSON', JSON.parse(JSON.stringify(command))],
    ...others.map(([other, value]) => [`a command of ${other}`, value] as const),
  ])('%s', async (_, value) => {
    const service = createTestService()
    const auction = await createAuction(service, { buyNowPrice: 200 })
    expectInvalid(await errorOf(() => uses[parser]?.(service, value) ?? Promise.resolve()), parser)
    expect(await ledgerOf(service.store, auction)).toEqual([])
    expect((await service.listAuctions({ order: 'newest', limit: 10 })).ok).toBe(true)
  })
})

test.each(Object.entries(commands))('what %s returned cannot be changed', (_, command) => {
  const before = JSON.stringify(command)
  const change = (part: object) => {
    for (const name of Object.keys(part)) expect(() => Object.assign(part, { [name]: 'x' })).toThrow(TypeError)
    for (const inner of Object.values(part)) if (typeof inner === 'object') change(inner)
  }
  change(command)
  expect(() => Object.assign(command, { more: 1 })).toThrow(TypeError)
  expect(JSON.stringify(command)).toBe(before)
})

describe('a use case refuses', () => {
  test.each([undefined, null, 7, 'a request'])('the request %j', async (request) => {
    const service = createTestService()
    expectInvalid(await errorOf(() => service.buyNow(request as never)), 'a purchase must be an object')
    expectInvalid(await errorOf(() => service.cancelAuction(request as never)), 'a cancellation must be an object')
    expectInvalid(await errorOf(() => service.correctAuction(request as never)), 'a correction must be an object')
  })

  const ids = [undefined, null, '1', 0, 1.5, -1, 2 ** 53] as unknown as readonly (typeof auctionId)[]
  test.each(ids)('the auction id %j', async (id) => {
    const service = createTestService()
    const error = 'auctionId'
    expectInvalid(await errorOf(() => service.buyNow({ auctionId: id, purchase })), error)
    expectInvalid(await errorOf(() => service.cancelAuction({ auctionId: id, cancellation })), error)
    expectInvalid(await errorOf(() => service.correctAuction({ auctionId: id, correction, editor })), error)
  })

  test.each([null, '1', 0])('the requester %j of a cancellation', async (requesterId) => {
    const service = createTestService()
    const request = { auctionId, requesterId: requesterId as never }
    expectInvalid(await errorOf(() => service.cancelAuction(request)), 'requesterId')
  })

  test.each([undefined, '', 7, 'x'.repeat(101)])('the editor %j of a correction', async (name) => {
    const service = createTestService()
    const request = { auctionId, correction, editor: name as never }
    expectInvalid(await errorOf(() => service.correctAuction(request)), 'editor of a correction must be a string of 1')
  })
})
