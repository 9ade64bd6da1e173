import { describe, expect, test } from 'vitest'
import { clientOf, newAuction, newCaller, openAuction, problem } from './support/client.ts'
import { serverOfFile, type TestServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { tokenOf } from './support/tokens.ts'

const server = await serverOfFile()
const bound = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
const limited = await serverOfFile({ environment: { RATE_LIMIT_MAX: '1', RATE_LIMIT_WINDOW_SECONDS: '1000000' } })

const large = JSON.stringify({ description: 'x'.repeat(70_000) })
const text = { 'content-type': 'text/plain' }
const none = tokenOf('bert', { permissions: [] })
const user = (uid: number) => newCaller({ uid })

/** A body with an invalid field, and a valid one of user 2, for an auction that does not exist. */
const operations = [
  {
    path: '/api/Bids',
    invalid: { auctionId: 9_007_199_254_740_991, bidderId: 1, amount: 'much' },
    valid: { auctionId: 9_007_199_254_740_991, bidderId: 2, amount: 1 },
  },
  { path: '/api/Auctions/9007199254740991/Purchase', invalid: { buyerId: '1' }, valid: { buyerId: 2 } },
  { path: '/api/Auctions/9007199254740991/Cancellation', invalid: { reason: 1 }, valid: {} },
]

type Stage = readonly [
  error: string,
  expected: readonly [status: number, code: string],
  token: string,
  server: TestServer,
  body: unknown,
  headers: Readonly<Record<string, string>> | undefined,
]

/** Each request has its own error and all later ones. The first in this order is reported. */
const stagesOf = ({ invalid, valid }: (typeof operations)[number]): readonly Stage[] => [
  ['no token', [401, 'unauthenticated'], '', limited, large, text],
  ['an invalid token', [401, 'unauthenticated'], 'x.y.z', limited, large, text],
  ['no permission', [403, 'forbidden'], none, limited, large, text],
  ['too many requests', [429, 'rate-limited'], user(1), limited, large, text],
  ['a large body', [413, 'payload-too-large'], user(1), bound, large, undefined],
  ['another media type', [415, 'unsupported-media-type'], user(1), bound, '{', text],
  ['malformed JSON', [400, 'malformed-json'], user(1), bound, '{"amount":', undefined],
  ['an invalid field', [400, 'validation-failed'], user(1), bound, invalid, undefined],
  ['another user', [403, 'forbidden'], newCaller(), bound, valid, undefined],
  ['the rules', [404, 'auction-not-found'], user(2), bound, valid, undefined],
]

describe.each(operations)('POST $path', (operation) => {
  test.each<Stage>(stagesOf(operation))(
    '%s is reported before all later errors',
    async (_error, [status, code], token, server, body, headers) => {
      const caller = clientOf(server, token)
      // The limited server accepts one write of a caller with permissions.
      if (code === 'rate-limited') await caller.post(operation.path, '{')
      const send = () => caller.post(operation.path, body, headers)
      expect(await unchanged(server, send)).toMatchObject(problem(status, code))
    },
  )
})

test('a missing auction is reported before another owner, and that before the rules', async () => {
  const [owner, other] = [user(1), user(2)]
  expect(await clientOf(bound, other, 9_007_199_254_740_991).cancelAuction()).toMatchObject(
    problem(404, 'auction-not-found'),
  )
  const auction = await openAuction(bound, {}, owner)
  await auction.as(other).placeBid()
  expect(await auction.as(other).cancelAuction()).toMatchObject(problem(403, 'forbidden'))
  expect(await auction.cancelAuction()).toMatchObject(problem(409, 'auction-has-bids'))
  bound.clock.set('2030-03-01T00:00:00Z')
  expect(await auction.as(other).cancelAuction()).toMatchObject(problem(403, 'forbidden'))
  expect(await auction.cancelAuction()).toMatchObject(problem(409, 'auction-ended'))
})

test('an end in the past is reported with other errors, and alone', async () => {
  const late = { ...newAuction, startTime: '2029-01-01T00:00:00Z', endTime: '2029-01-02T00:00:00Z' }
  const both = await unchanged(server, () => clientOf(server).createAuction({ ...late, currency: 'XXX' }))
  const alone = await unchanged(server, () => clientOf(server).createAuction(late))
  expect(both.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual(['/currency', '/endTime'])
  expect(alone.body.errors).toEqual([
    { pointer: '/endTime', message: 'must be in the future; the current time is 2030-01-31T12:00:00.000Z' },
  ])
})

describe('the first broken rule in this order is reported:', () => {
  const owner = { bidderId: 1, buyerId: 1 }
  const others = { bidderId: 2, buyerId: 2 }
  const beforeStart = '2030-01-31T10:00:00Z'
  const active = '2030-01-31T12:00:00Z'
  const afterEnd = '2030-02-08T00:00:00Z'

  test.each([
    ['a cancellation, before the start', beforeStart, true, owner, 'auction-cancelled', 'auction-cancelled'],
    ['a cancellation, after the end', afterEnd, true, owner, 'auction-cancelled', 'auction-cancelled'],
    ['the start', beforeStart, false, owner, 'auction-not-started', 'auction-not-started'],
    ['the end', afterEnd, false, owner, 'auction-ended', 'auction-ended'],
    ['the owner', active, false, owner, 'owner-cannot-bid', 'owner-cannot-buy'],
    ['the amount or the offer', active, false, others, 'bid-too-low', 'buy-now-not-offered'],
  ])('%s', async (_what, time, isCancelled, { bidderId, buyerId }, ofBid, ofPurchase) => {
    const auction = await openAuction(server)
    if (isCancelled) await auction.cancelAuction()
    server.clock.set(time)
    // Each bid is also too low, and each purchase is also not offered.
    expect((await auction.placeBid({ bidderId, amount: 1 })).body.code).toBe(ofBid)
    expect((await auction.buyNow({ buyerId })).body.code).toBe(ofPurchase)
  })

  test('an amount that is not exact in the currency, before all of them', async () => {
    const auction = await openAuction(server)
    server.clock.set(afterEnd)
    expect(await auction.placeBid({ amount: 1.001 })).toMatchObject(problem(400, 'validation-failed'))
    expect(await auction.placeBid({ amount: 2, maximumAmount: 1 })).toMatchObject(problem(400, 'validation-failed'))
    expect(await auction.placeBid({ auctionId: 9_007_199_254_740_991, amount: 1.001 })).toMatchObject(
      problem(404, 'auction-not-found'),
    )
  })
})
