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
import { auctionIdOf, createTestService, keyOf, ledgerOf, serveAuction } from '../support/service.ts'

// Programs in JavaScript, or with casts, can pass such commands: the casts in this file are what is tested.

const auctionId = auctionIdOf(1)
const editor = 'staff'
const secret = 5133.33
const latestEndTime = momentAt(sampleNewAuction().endTime.epochMs + 60_000).iso
const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime }

/** The parsers of commands, what each returned, and the use case that takes it. */
const commands: Readonly<
  Record<string, { readonly command: object; use: (service: AuctionService, command: never) => Promise<unknown> }>
> = {
  parseNewAuction: {
    command: sampleNewAuction({ reservePrice: secret, softClose }),
    use: ({ createAuction }, command) => createAuction(command),
  },
  parseNewBid: { command: sampleNewBid(), use: ({ placeBid }, command) => placeBid(command, keyOf('k')) },
  parsePurchase: { command: samplePurchase(), use: ({ buyNow }, purchase) => buyNow({ auctionId, purchase }) },
  parseCancellation: {
    command: sampleCancellation('Lost.'),
    use: ({ cancelAuction }, cancellation) => cancelAuction({ auctionId, cancellation }),
  },
  parseCorrection: {
    command: sampleCorrection(),
    use: ({ correctAuction }, correction) => correctAuction({ auctionId, correction, editor }),
  },
  parseExtension: {
    command: sampleExtension(),
    use: ({ extendAuction }, extension) => extendAuction({ auctionId, extension, editor }),
  },
  parseEarlyEnd: {
    command: sampleEarlyEnd(),
    use: ({ endAuction }, earlyEnd) => endAuction({ auctionId, earlyEnd, editor }),
  },
  parseReserveReduction: {
    command: sampleReserveReduction(),
    use: ({ lowerReserve }, reduction) => lowerReserve({ auctionId, reduction, editor }),
  },
}
const parsers = Object.keys(commands)

async function expectInvalid(call: () => Promise<unknown>, named: string): Promise<void> {
  const error: unknown = await (async () => ({ returned: await call() }))().catch((thrown: unknown) => thrown)
  expect(error).toSatisfy(isInvalidValue)
  expect(String(error)).toContain(named)
  expect(String(error)).not.toContain(String(secret))
}

test.each(parsers)('a use case trusts only what %s returned, and refuses all else', async (parser) => {
  const { command = {}, use = () => Promise.resolve() } = commands[parser] ?? {}
  const { service, auction } = await serveAuction({ buyNowPrice: 200 })
  const others = parsers.filter((other) => other !== parser).map((other) => commands[other]?.command)
  const changed = { ...command, amount: String(secret), reason: '', reservePriceMinor: secret }
  const copies = [{ ...command }, changed, JSON.parse(JSON.stringify(command))]
  for (const value of [null, 'a command', 7, {}, ...copies, ...others])
    await expectInvalid(() => use(service, value as never), parser)
  expect(await ledgerOf(service.store, auction)).toEqual([])
  expect((await service.listAuctions({ order: 'newest', limit: 10 })).ok).toBe(true)
})

test.each(parsers)('what %s returned cannot be changed', (parser) => {
  const { command = {} } = commands[parser] ?? {}
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
  const service = createTestService()
  const { buyNow, cancelAuction, correctAuction } = service
  const [purchase, cancellation, correction] = [samplePurchase(), sampleCancellation(), sampleCorrection()]

  test.each([undefined, null, 7, 'a request'])('the request %j', async (request) => {
    await expectInvalid(() => buyNow(request as never), 'a purchase must be an object')
    await expectInvalid(() => cancelAuction(request as never), 'a cancellation must be an object')
    await expectInvalid(() => correctAuction(request as never), 'a correction must be an object')
  })

  test.each([undefined, null, '1', 0, 1.5, -1, 2 ** 53])('the auction id %j', async (id) => {
    const request = { auctionId: id as never }
    await expectInvalid(() => buyNow({ ...request, purchase }), 'auctionId')
    await expectInvalid(() => cancelAuction({ ...request, cancellation }), 'auctionId')
    await expectInvalid(() => correctAuction({ ...request, correction, editor }), 'auctionId')
  })

  test.each([null, '1', 0])('the requester %j of a cancellation', async (requesterId) => {
    await expectInvalid(() => cancelAuction({ auctionId, requesterId: requesterId as never }), 'requesterId')
  })

  test.each([undefined, '', 7, 'x'.repeat(101)])('the editor %j of a correction', async (name) => {
    const request = { auctionId, correction, editor: name as never }
    await expectInvalid(() => correctAuction(request), 'editor of a correction must be a string of 1')
  })
})
